import { type ExchangeRequest, header } from '../model/exchange.ts';
import { parseJson } from '../text/decode.ts';
import { joinPointer, parsePointer } from '../text/pointer.ts';
import { count } from '../text/words.ts';

/** The texts of a write by their place: `path`, `?NAME`, `header NAME`, or a JSON pointer or form field of the body. */
export type Members = ReadonlyMap<string, string>;

/** A call that requests an act. */
export interface Write {
  readonly seq: number;
  readonly operationId: string;
  readonly members: Members;
  /** The intent that the place of `--intent-key` names. */
  readonly intent?: string | undefined;
  readonly acted: boolean;
}

/** Writes of an operation that no stable member tells apart. */
export interface IntentGroup {
  readonly operationId: string;
  /** Acts in undisturbed traffic. */
  readonly intended: number;
  readonly has: (write: Write) => boolean;
  /** Places whose value names a single one of these intents. */
  readonly naming: readonly string[];
  /** `by /alias`: what tells the intent from others of its operation. */
  readonly by: string;
  /** Their name, if the user stated where it is. */
  readonly intent?: string | undefined;
}

/** Writes that together should have one effect, or several equal effects. */
export interface Intent {
  readonly group: IntentGroup;
  readonly intended: number;
  readonly sent: readonly Write[];
}

const HEADER = 'header ';
const BODY = 'body';
/** Header fields of the transport, of the credentials and of every write alike. */
const NO_MEMBER =
  /^(?:authorization|host|connection|content-.*|transfer-encoding|accept.*|user-agent|date|cookie|expect)$/;
const MOST_MEMBERS = 1000;

export function membersOf({ target, headers, body }: ExchangeRequest): Members {
  const members = new Map<string, string>();
  const [path = '', query = ''] = target.split('?');
  members.set('path', path);
  for (const [name, value] of new URLSearchParams(query)) members.set(`?${name}`, value);
  for (const [name, value] of headers) if (!NO_MEMBER.test(name)) members.set(HEADER + name, value);
  const text = Buffer.from(body ?? []).toString('utf8');
  const value = parseJson(text);
  const add = (value: unknown, place: string): void => {
    if (members.size >= MOST_MEMBERS) return;
    const inside = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    if (inside.length === 0) members.set(place || BODY, JSON.stringify(value));
    for (const [key, child] of inside) add(child, joinPointer(place, key));
  };
  if (value !== undefined) add(value, '');
  else if (/^[^=&\s]+=/.test(text))
    for (const [name, field] of new URLSearchParams(text)) members.set(`/${name}`, field);
  else if (text !== '') members.set(BODY, text);
  return members;
}

/** The groups of the acts of undisturbed runs, or why they have none: the runs differ in their writes. */
export function groupsOf(runs: readonly (readonly Write[])[]): readonly IntentGroup[] | string {
  const operations = new Set(runs.flat().map(({ operationId }) => operationId));
  const groups: IntentGroup[] = [];
  for (const operationId of operations) {
    const acts = runs.map((writes) => writes.filter((write) => write.operationId === operationId));
    const lonely = withoutPartner(operationId, acts);
    if (lonely !== undefined) return lonely;
    groups.push(...groupsIn(operationId, acts));
  }
  return groups;
}

function withoutPartner(operationId: string, acts: readonly (readonly Write[])[]): string | undefined {
  const counts = acts.map(({ length }) => length);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  if (least === most) return undefined;
  const [few, many] = [counts.indexOf(least), counts.indexOf(most)];
  return `${operationId} acts ${count(most, 'time')} in undisturbed run ${many + 1}, and ${count(least, 'time')} in run ${few + 1}. Act ${least + 1} of run ${many + 1} has no partner.`;
}

/** Members that differ between runs are volatile. If the stable ones still differ, the operation is one group. */
function groupsIn(operationId: string, acts: readonly (readonly Write[])[]): IntentGroup[] {
  const places = new Set(acts.flat().flatMap(({ members }) => [...members.keys()]));
  const valuesAt = (place: string, writes: readonly Write[]): string[] =>
    writes.map(({ members }) => members.get(place) ?? '').sort();
  const isEqualIn = (all: readonly (readonly string[])[]): boolean =>
    new Set(all.map((values) => JSON.stringify(values))).size === 1;
  const isStable = (place: string): boolean =>
    !place.startsWith(HEADER) && isEqualIn(acts.map((writes) => valuesAt(place, writes)));
  const volatile = new Set([...places].filter((place) => !isStable(place)));
  const keyOf = ({ members }: Write): string =>
    JSON.stringify([...members].filter(([place]) => !volatile.has(place) && !place.startsWith(HEADER)).sort());
  const isSplit = isEqualIn(acts.map((writes) => writes.map(keyOf).sort()));
  const known = isSplit ? [...new Set((acts[0] ?? []).map(keyOf))] : [null];
  return known.map((key): IntentGroup => {
    const has = (write: Write): boolean => write.operationId === operationId && (key === null || keyOf(write) === key);
    const own = acts.map((writes) => writes.filter(has));
    const naming = [...volatile].filter((place) => own.every((writes) => namesEach(place, writes)));
    const telling = [...places].filter(
      (place) => !volatile.has(place) && new Set(valuesAt(place, acts[0] ?? [])).size > 1,
    );
    const intended = own[0]?.length ?? 0;
    const by = known.length > 1 ? telling : intended > 1 ? naming : [];
    const intent = own[0]?.[0]?.intent;
    return {
      operationId,
      intended,
      has,
      naming,
      intent: own.flat().every((write) => write.intent === intent) ? intent : undefined,
      by: by.length === 0 ? 'by its operation' : `by ${by.slice(0, 3).join(', ')}`,
    };
  });
}

/** Whether a place has another value in each write. A time names nothing: two writes may have the same. */
function namesEach(place: string, writes: readonly Write[]): boolean {
  const values = writes.flatMap(({ members }) => members.get(place) ?? []);
  return new Set(values).size === writes.length && !values.some(isTime);
}

const DAY = 86_400_000;

function isTime(text: string): boolean {
  if (/^"?\d{4}-\d\d-\d\d(?:[T ]|"?$)/.test(text)) return true;
  const number = Number(text.replaceAll('"', ''));
  return [number, number * 1000].some((milliseconds) => Math.abs(milliseconds - Date.now()) < DAY);
}

/** The writes of a disturbed run by intent. If a write fits no group, the groups of its operation count as one. */
export function intentsOf(groups: readonly IntentGroup[], writes: readonly Write[]): Intent[] {
  return [...Map.groupBy(groups, ({ operationId }) => operationId)].flatMap(([operationId, alike]) => {
    const own = writes.filter((write) => write.operationId === operationId);
    if (own.every((write) => alike.some(({ has }) => has(write))))
      return alike.flatMap((group) => byName(group, own.filter(group.has)));
    const intended = alike.reduce((sum, group) => sum + group.intended, 0);
    const whole: IntentGroup = { operationId, intended, has: () => true, naming: [], by: 'by its operation' };
    return [{ group: whole, intended, sent: own }];
  });
}

/** Each named intent, if a member names them. The member with the fewest values is the one that retries keep. */
function byName(group: IntentGroup, sent: readonly Write[]): Intent[] {
  const whole: Intent = { group, intended: group.intended, sent };
  if (group.intended < 2) return [whole];
  const named = group.naming
    .map((place) => Map.groupBy(sent, ({ members }) => members.get(place) ?? ''))
    .filter((values) => values.size <= group.intended)
    .sort((a, b) => a.size - b.size)[0];
  if (named === undefined) return [whole];
  const missing = group.intended - named.size;
  const each = [...named.values()].map((sent): Intent => ({ group, intended: 1, sent }));
  return missing === 0 ? each : [...each, { group, intended: missing, sent: [] }];
}

/** The place where a write names its intent: `header:NAME` or `json:/POINTER`. */
export interface IntentKey {
  readonly kind: 'header' | 'json';
  readonly name: string;
}

/** What tells the intent of a request: the value at the key if it is there, otherwise all members. */
export function tellingOf(request: ExchangeRequest, key: IntentKey | undefined): Pick<Write, 'members' | 'intent'> {
  const members = membersOf(request);
  if (key === undefined) return { members };
  const intent = key.kind === 'header' ? header(request.headers, key.name.toLowerCase()) : valueAt(request, key.name);
  return intent === undefined ? { members } : { members: new Map([[`${key.kind}:${key.name}`, intent]]), intent };
}

function valueAt({ body }: ExchangeRequest, pointer: string): string | undefined {
  const json = parseJson(Buffer.from(body ?? []).toString('utf8'));
  const value = (parsePointer(pointer) ?? []).reduce<unknown>((at, key) => Object(at)[key], json);
  return value === undefined ? undefined : String(value);
}
