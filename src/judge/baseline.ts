import { parsePlaced, refuseFirst } from '../contract/checked-file.ts';
import type { ContractFolder } from '../contract/folder.ts';
import { ToolError } from '../errors.ts';
import { BASELINE, readTextFile } from '../files/read.ts';
import { schemaCheck } from '../files/schema.ts';
import type { Finding } from '../model/finding.ts';
import type { Check, FieldCoverage, Report } from '../model/report.ts';
import { didYouMean } from '../text/suggest.ts';
import { compare } from '../text/words.ts';
import { ruleNamed, ruleOf } from './rules.ts';
import { listed } from './shape-text.ts';

/** One accepted finding, matched by fingerprint only. All further fields are for people and detect stale entries. */
export interface BaselineEntry {
  readonly fingerprint: string;
  readonly reason: string;
  readonly owner: string | null;
  /** The last day of the acceptance, `YYYY-MM-DD` in UTC. */
  readonly expires: string;
  readonly rule: string | null;
  readonly operation: string | null;
  readonly pointer: string | null;
  /** Ids of the checks that showed the finding; empty if they were not written down. */
  readonly checks: readonly string[];
  /** Places of a merged finding. An entry without them accepts the finding in all places. */
  readonly parts: readonly { readonly operation: string; readonly pointer: string; readonly fingerprint: string }[];
}

export interface Baseline {
  /** The only target that it applies to: a host, or `mock`. Without it, the baseline applies to all targets. */
  readonly target?: string;
  readonly entries: readonly BaselineEntry[];
}

/**
 * Splits findings into accepted and active ones. `today` is `YYYY-MM-DD` in UTC. A merged finding that is accepted in
 * some places is active with the other places only.
 */
export function partByBaseline(findings: readonly Finding[], { entries }: Baseline, today: string) {
  const byExpiry = (a: BaselineEntry, b: BaselineEntry): number => compare(a.expires, b.expires);
  const byFingerprint = new Map(
    entries.toSorted(byExpiry).flatMap((entry) => namesOf(entry).map((name) => [name, entry])),
  );
  const active: Finding[] = [];
  const accepted: Report['accepted'][number][] = [];
  const expired: BaselineEntry[] = [];
  for (const finding of findings) {
    const { fingerprint, parts = [], message } = finding;
    const ofPlaces = entriesOf(finding, byFingerprint);
    const [entry] = ofPlaces.filter((each) => each !== undefined).sort(byExpiry);
    const isOpen = ofPlaces.map((each) => each === undefined || each.expires < today);
    if (entry !== undefined && !isOpen.includes(true)) {
      const { reason, owner, expires } = entry;
      accepted.push({ fingerprint, reason, owner, expires, finding });
      continue;
    }
    if (entry !== undefined && entry.expires < today) expired.push({ ...entry, fingerprint });
    if (!isOpen.includes(false)) active.push(finding);
    else {
      const open = parts.filter((_, index) => isOpen[index]);
      const places = listed(open.map(({ operationId, pointer }) => `${operationId} ${pointer}`.trim()));
      active.push({ ...finding, parts: open, message: `${message} The baseline accepts it except in ${places}.` });
    }
  }
  return { active, accepted, expired };
}

/** The fingerprints of a finding or an entry, and of its places. */
export function namesOf({ fingerprint, parts = [] }: Pick<BaselineEntry | Finding, 'fingerprint' | 'parts'>): string[] {
  return [fingerprint, ...parts.map((part) => part.fingerprint)];
}

/** The entry that accepts each part of a finding, or the finding itself if it has no parts. */
function entriesOf(
  { fingerprint, parts }: Finding,
  byFingerprint: ReadonlyMap<string, BaselineEntry>,
): (BaselineEntry | undefined)[] {
  const own = byFingerprint.get(fingerprint);
  if (parts === undefined || own?.parts.length === 0) return [own];
  // A number may look like an integer in one night, so the fingerprint of a place may change.
  const isHere = (part: NonNullable<Finding['parts']>[number]): boolean =>
    own?.parts.some(({ operation, pointer }) => operation === part.operationId && pointer === part.pointer) === true;
  return parts.map((part) => byFingerprint.get(part.fingerprint) ?? (isHere(part) ? own : undefined));
}

/** True if a baseline names this target or no target. A target without a port matches any port. */
export function isFor({ target }: Baseline, { kind, baseUrl }: Report['target']): boolean {
  if (target === undefined) return true;
  if (target === 'mock') return kind === 'mock';
  const named = URL.parse(/^https?:/i.test(target) ? target : `https://${target}`);
  const actual = URL.parse(baseUrl);
  if (named === null || actual === null) return target === baseUrl;
  const isAnyPort = !/:\d+\/*$/.test(target.replace(/^https?:\/\/([^/]*).*$/i, '$1'));
  return isAnyPort ? named.hostname === actual.hostname : named.host === actual.host;
}

export interface CompletedRun {
  readonly findings: readonly Pick<Finding, 'fingerprint' | 'parts'>[];
  readonly checks: readonly Pick<Check, 'id' | 'operationId' | 'kind' | 'outcome'>[];
  readonly coverage: readonly {
    readonly operationId: string;
    readonly fields: readonly Pick<FieldCoverage, 'pointer' | 'seen'>[];
  }[];
  readonly interrupted: boolean;
  readonly rules: ContractFolder['rules'];
}

/** Neither a skipped, inconclusive or interrupted check nor a field that was not sent makes an entry stale. */
export function staleEntries(baseline: Baseline, ended: CompletedRun): Report['stale'] {
  if (ended.interrupted) return [];
  const found = new Set(ended.findings.flatMap(namesOf));
  return baseline.entries
    .filter(
      (entry) => found.isDisjointFrom(new Set(namesOf(entry))) && ranToAnEnd(entry, ended) && !outOfSight(entry, ended),
    )
    .map((entry) => ({ fingerprint: entry.fingerprint, why: whyOf(entry) }));
}

function ranToAnEnd({ checks: names, operation }: BaselineEntry, { checks }: CompletedRun): boolean {
  if (names.length > 0) return names.every((name) => checks.some((check) => check.id === name && hasEnded(check)));
  const own = checks.filter(({ operationId }) => operation === null || operationId === operation);
  // any skipped check may have shown a finding of the whole run; an operation's checks may be skipped in each run
  const decisive = own.filter(
    ({ kind, outcome }) => outcome !== 'skipped' || (operation === null && kind !== 'mock-only'),
  );
  return decisive.length > 0 && decisive.every(hasEnded);
}

function hasEnded({ outcome }: Pick<Check, 'outcome'>): boolean {
  return outcome === 'passed' || outcome === 'failed';
}

function outOfSight({ rule, operation, pointer }: BaselineEntry, { coverage, rules }: CompletedRun): boolean {
  if (pointer === null || pointer === '' || (rule !== null && ruleOf(ruleNamed(rule, { rules }))?.ofAbsence === true))
    return false;
  const fields = coverage.find(({ operationId }) => operationId === operation)?.fields;
  return fields?.find((field) => field.pointer === pointer)?.seen === 0;
}

function whyOf({ rule, operation, pointer, expires }: BaselineEntry): string {
  const what = [rule ?? 'the finding', operation === null ? '' : `of ${operation}`, pointer ? `at ${pointer}` : ''];
  return `${what.filter((part) => part !== '').join(' ')} is gone (it was accepted until ${expires})`;
}

const UNSAID = { owner: null, rule: null, operation: null, pointer: null, checks: [], parts: [] } as const;

type WrittenEntry = Omit<BaselineEntry, keyof typeof UNSAID> & Partial<BaselineEntry>;

/** Throws `ToolError` `baseline-invalid` with file, line and column, `file-missing` or `file-unreadable`. */
export async function readBaseline(file: string): Promise<Baseline> {
  return parseBaseline(await readTextFile(file, BASELINE), file);
}

export async function parseBaseline(text: string, file: string): Promise<Baseline> {
  const { value, placeOf } = await parsePlaced(text, file, 'baseline-invalid');
  await refuseFirst((await schemaCheck('baseline'))(value), 'baseline-invalid', placeOf, ({ pointer, unknownKey }) =>
    unknownKey === undefined ? hintFor(pointer) : keyHint(unknownKey),
  );
  const fail = async (pointer: string, message: string): Promise<never> => {
    throw new ToolError('baseline-invalid', message, { place: await placeOf(pointer) });
  };
  const { target, accepted: written } = value as { target?: string; accepted: readonly WrittenEntry[] };
  const seen = new Map<string, number>();
  for (const [index, { fingerprint, expires }] of written.entries()) {
    const at = `/accepted/${index}`;
    if (!isDate(expires)) await fail(`${at}/expires`, `There is no day ${expires}.`);
    const other = seen.get(fingerprint);
    if (other !== undefined) {
      const { line } = await placeOf(`/accepted/${other}/fingerprint`);
      await fail(`${at}/fingerprint`, `${fingerprint} is accepted twice, first on line ${line}.`);
    }
    seen.set(fingerprint, index);
  }
  return { ...(target === undefined ? {} : { target }), entries: written.map((entry) => ({ ...UNSAID, ...entry })) };
}

export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  // 2026-02-30 would become 2 March
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function keyHint({ key, known }: { readonly key: string; readonly known: readonly string[] }): string {
  return didYouMean(key, known).trim() || `Known here: ${known.join(', ')}; notes of your own begin with x-.`;
}

function hintFor(pointer: string): string | undefined {
  // digits alone are a number in YAML
  if (pointer.endsWith('/fingerprint'))
    return "A fingerprint is 16 hexadecimal digits in quotes, such as '0123456789abcdef'.";
  if (pointer.endsWith('/expires')) return 'A date looks like 2026-12-31.';
  return undefined;
}
