import type { Operation, Parameter } from '../../contract/contract.ts';
import { recordedAnswers } from '../../contract/provenance.ts';
import { namedFields } from '../../judge/fields.ts';
import { exampleOf } from '../../judge/request-example.ts';
import type { Call } from '../../model/call.ts';
import type { DiscoveredInput } from '../../model/report.ts';
import { originText } from '../../report/words/share.ts';
import { factsOf } from '../../schema/schema-facts.ts';
import { joinPointer } from '../../text/pointer.ts';
import { type AnnouncedCall, createAnnouncer } from '../announce.ts';
import type { VerifyOptions } from '../options.ts';
import type { Values } from '../request.ts';
import type { Session } from '../session.ts';
import { type Inputs, NO_INPUTS } from './inputs.ts';
import { type Shown, shownIn } from './shown.ts';
import { isId, SOURCES, type Source } from './sources.ts';

/** A value that the configuration does not give. */
interface Filled {
  readonly value: string;
  /** The operation whose answer shows it; null for an example of the document. */
  readonly from: string | null;
}

export interface DiscoveryOptions {
  /** False to send nothing. Then each strong source counts as one that shows the value. True by default. */
  readonly sends?: boolean;
}

/**
 * Finds values for the parameters of reads that the configuration does not give: in answers of other reads, else in an
 * example of the document. Fills only path parameters, and required query parameters that are ids. Writes never get
 * these values.
 */
export async function discover(given: Session, { sends = true }: DiscoveryOptions = {}): Promise<Session> {
  const { target, options, policy } = given;
  const { contract, parameters } = target;
  const filled = new Map<string, Map<string, Filled>>();
  const filledOf = (id: string): ReadonlyMap<string, Filled> => filled.get(id) ?? new Map();
  const valuesOf = (id: string): Values =>
    Object.fromEntries([...filledOf(id)].map(([name, { value }]) => [name, value]));
  const session: Session = {
    ...given,
    target: {
      ...target,
      filled: (operation) => ({ ...valuesOf(operation.operationId), ...target.filled(operation) }),
    },
  };
  const announce = createAnnouncer(session, {});
  const answers = new Map<string, { readonly read: AnnouncedCall; readonly call: Call | null }>();
  /** Lists without the wanted id, by operation and parameter. */
  const blank = new Map<string, { readonly list: Operation; readonly how: Shown['list'] }>();
  const keyOf = (operation: Operation, name: string): string => JSON.stringify([operation.operationId, name]);

  const open = contract.operations.filter(
    (one) => mayDiscover(one) && policy.refusalOf(one) === null && given.nothing === null && !target.embedded,
  );

  /** The parameters that an operation still lacks, in the order of its path. */
  function lacking(operation: Operation): Parameter[] {
    const known = { ...parameters, ...session.target.filled(operation) };
    const all = operation.parameters.filter(
      ({ name, in: place, required }) => place === 'path' || (place === 'query' && required && isId(name)),
    );
    const inPath = (name: string): number => operation.path?.indexOf(`{${name}}`) ?? -1;
    const ordered = all.toSorted((a, b) => inPath(a.name) - inPath(b.name));
    // A configured record has a parent that no answer tells.
    const lastOwn = ordered.findLastIndex(({ name }) => isId(name) && parameters[name] !== undefined);
    return ordered.filter(({ name }, index) => known[name] === undefined && (index > lastOwn || inPath(name) < 0));
  }

  async function answerOf(source: Source): Promise<Call | null | undefined> {
    const { operationId } = source.operation;
    const before = answers.get(operationId);
    if (before !== undefined) return before.call;
    const { calls, skip } = announce({ id: 'run.discovery', operationId });
    const [read] = calls;
    if (skip !== null || read === undefined) return undefined;
    const call = sends ? await given.makeCall({ ...read, checkId: null }) : null;
    answers.set(operationId, { read, call });
    return call;
  }

  /** Whether the values of a source's call belong to the same records as those of an operation. */
  function isOfTheSame(operation: Operation, source: Operation): boolean {
    const own = valuesOf(operation.operationId);
    return Object.entries(valuesOf(source.operationId)).every(([name, value]) => (own[name] ?? value) === value);
  }

  async function find(operation: Operation, parameter: Parameter, strength: number): Promise<Filled | null> {
    const { name } = parameter;
    for (const source of SOURCES[strength]?.(contract, operation, parameter) ?? []) {
      const from = source.operation.operationId;
      if (from === operation.operationId || !isOfTheSame(operation, source.operation)) continue;
      const call = await answerOf(source);
      if (call === undefined) continue;
      if (call === null && source.place.kind !== 'unknown') return { value: `{${name}}`, from };
      if (call === null) continue;
      const { values, list } = shownIn(call, source, parameter, given.isPublic);
      const value = choose(values, options);
      if (value !== undefined) return { value, from };
      const key = keyOf(operation, name);
      // the first source is the best one
      if (list !== 'filled' && !blank.has(key)) blank.set(key, { list: source.operation, how: list });
    }
    return null;
  }

  function keep(operation: Operation, name: string, value: Filled): void {
    const own = filled.get(operation.operationId) ?? new Map<string, Filled>();
    filled.set(operation.operationId, own.set(name, value));
    blank.delete(keyOf(operation, name));
  }

  /** Returns whether a source of this strength showed a value. */
  async function fillFrom(strength: number): Promise<boolean> {
    let any = false;
    for (const operation of open) {
      // a list needs the values before it in the path
      const [next] = lacking(operation);
      const value = next && (await find(operation, next, strength));
      if (!next || !value) continue;
      keep(operation, next.name, value);
      any = true;
    }
    return any;
  }

  const isOn = options.discover !== false;
  for (let strength = 0; isOn && strength < SOURCES.length; ) {
    strength = (await fillFrom(strength)) ? 0 : strength + 1;
  }
  for (const operation of open) {
    for (const parameter of operation.parameters) {
      const { name, required } = parameter;
      const value = exampleIn(given, operation, parameter);
      const isKnown = parameters[name] !== undefined || filledOf(operation.operationId).has(name);
      if (required && !isKnown && value !== undefined) keep(operation, name, { value, from: null });
    }
  }

  const outage = given.breaker.open;
  const inputs: Inputs = {
    reads: [...answers.values()].map(({ read }) => read),
    found: foundIn(filled, options),
    originsOf: (operationId) =>
      Object.fromEntries([...filledOf(operationId)].map(([name, { from }]) => [name, originText(from)])),
    whyLacking(operation, names) {
      const [first] = names.flatMap((name) => blank.get(keyOf(operation, name)) ?? []);
      if (outage !== null && operation.effect === 'read') return { kind: 'lacks-input', names, outage };
      if (first === undefined) return NO_INPUTS.whyLacking(operation, names);
      const list = first.list.operationId;
      const isEmpty = first.how === 'empty';
      const wasFilled = showsItems(given, first.list) || options.filledLists?.includes(list) === true;
      return isEmpty && !wasFilled
        ? { kind: 'empty-list', names, list }
        : { kind: 'lacks-input', names, list, isEmpty };
    },
  };
  return { ...session, inputs };
}

/** GET, and a POST that the package's own policy declares a read. */
export function mayDiscover({ effect, lowered, path, auth, method }: Operation): boolean {
  return effect === 'read' && !lowered && path !== null && auth !== 'issues' && (method === 'GET' || method === 'POST');
}

function exampleIn({ target: { contract }, isPublic }: Session, operation: Operation, parameter: Parameter) {
  const { name, in: place, pointer, schemaAt } = parameter;
  if (place !== 'path' && place !== 'query') return undefined;
  const own = exampleOf(contract, operation, { type: '', key: '', pointer });
  const { stated } = factsOf(contract, [schemaAt]);
  const value = own ?? stated('example')?.value ?? [stated('examples')?.value ?? []].flat()[0];
  const text = typeof value === 'object' || value === undefined ? '' : String(value);
  return text !== '' && isPublic(name, text) ? text : undefined;
}

/** Whether a recording has items of a list. Then the list was not always empty. */
function showsItems({ target: { contract } }: Session, list: Operation): boolean {
  return recordedAnswers(contract, list)
    .flatMap(({ content }) => content)
    .some(({ pointer }) =>
      namedFields(contract, joinPointer(pointer, 'schema'), '').some(({ at }) => at.includes('/*')),
    );
}

/** The id of the last night if it is still shown, else the first. */
export function choose(values: readonly string[], { identify, knownIds = [] }: VerifyOptions): string | undefined {
  return values.find((value) => identify !== undefined && knownIds.includes(identify(value))) ?? values[0];
}

export function discoveredInput(
  parameter: string,
  from: string | null,
  value: string,
  { identify }: VerifyOptions,
): DiscoveredInput {
  return { parameter, from, ...(identify && from !== null && { digest: identify(value) }) };
}

function foundIn(filled: ReadonlyMap<string, ReadonlyMap<string, Filled>>, options: VerifyOptions): DiscoveredInput[] {
  const all = [...filled.values()].flatMap((own) =>
    [...own].map(([parameter, { value, from }]) => discoveredInput(parameter, from, value, options)),
  );
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}
