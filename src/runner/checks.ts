import { isJsonType } from '../drift/media.ts';
import { conditionalFieldsOf } from '../spec/conditions.ts';
import type { Contract, Effect, JsonObject, Operation } from '../spec/contract.ts';
import type { FactGroup, Facts } from '../spec/folder.ts';
import { currenciesOf, maximaOf } from '../spec/limits.ts';
import { pathParameters } from '../spec/path-template.ts';
import { joinPointer } from '../spec/pointer.ts';
import { propertiesOf } from './bodies.ts';
import type { Values } from './request.ts';
import type { CheckSpec } from './suite.ts';

/** Files of the suite that serve any contract, in the order in which they run; those of the contract itself come before the last. */
export const FILES = [
  'token',
  'unauthorised',
  'retry',
  'conditions',
  'deprecated',
  'operations',
  'limits',
  'removal',
] as const;

/** A check that the run lists, and the file that runs it. */
export interface ListedCheck extends CheckSpec {
  readonly file: (typeof FILES)[number];
}

export interface ChecksOptions {
  readonly contract: Contract;
  /** What a configuration may state, as `contract.yaml` says it. */
  readonly groups: Readonly<Record<string, FactGroup>>;
  /** What it states. */
  readonly facts: Facts;
  /** Everything is known of the embedded mock. */
  readonly embedded: boolean;
  /** Per condition a record of the mock that does not fulfil it, by the path parameter that names it. */
  readonly failing: Readonly<Record<string, Values>>;
  /** Whether a good call of an operation can be made. */
  readonly callable: (operation: Operation) => boolean;
}

/**
 * The checks of every operation that the contract with its overlays knows, whoever located it. Those that only read come first in
 * their file; what takes things away comes last of all, from the smallest to the largest.
 */
export function checksOf(options: ChecksOptions): ListedCheck[] {
  const { contract } = options;
  const ids = new Set<string>();
  const all = [
    ...tokenChecks(options),
    ...contract.operations.flatMap((operation) => unauthorisedChecks(operation)),
    ...conditionChecks(options),
    ...contract.operations.flatMap((operation) => deprecatedChecks(contract, operation)),
    ...contract.operations.flatMap((operation) => answerChecks(contract, operation)),
    ...limitChecks(options),
  ].map((check): ListedCheck => {
    // The first operation in the order of the document has the short id.
    const id = ids.has(check.id) ? `${check.id}.${check.operationId}` : check.id;
    ids.add(id);
    return { ...check, id };
  });
  return inOrder(all, contract);
}

const STRENGTH: Readonly<Record<Effect, number>> = { read: 0, write: 1, destructive: 2 };

function inOrder(checks: readonly ListedCheck[], contract: Contract): ListedCheck[] {
  const weighed = checks.map((check) => {
    const operations = [check.operationId, ...(check.calls ?? []).map(({ operationId }) => operationId)]
      .map((id) => contract.operation(id ?? ''))
      .filter((operation) => operation !== undefined);
    const taking = operations.filter(({ effect, removes }) => effect === 'destructive' || removes !== null);
    const weights =
      taking.length > 0
        ? taking.map((operation) => sizeOf(operation, contract))
        : operations.map(({ effect }) => STRENGTH[effect]);
    const file = taking.length > 0 ? 'removal' : check.file;
    return { check: { ...check, file }, rank: FILES.indexOf(file), weight: Math.max(0, ...weights) };
  });
  return weighed.sort((a, b) => a.rank - b.rank || a.weight - b.weight).map(({ check }) => check);
}

/** How much goes with what an operation takes away: the ids that some path names below its own. */
function sizeOf({ removes }: Operation, { operations }: Contract): number {
  if (removes === null) return 0;
  const below = operations.flatMap(({ path }) => {
    const names = pathParameters(path ?? '');
    return names.includes(removes) ? names.slice(names.indexOf(removes) + 1) : [];
  });
  return 1 + new Set(below).size;
}

/** The tag in kebab case; `name-only` for what the document itself knows by name only. */
function areaOf(contract: Contract, { operationId, tag }: Operation): string {
  if (contract.at(joinPointer('', 'components', 'pathItems', operationId)) !== undefined) return 'name-only';
  const words = tag.toLowerCase().match(/[a-z0-9]+/g);
  return words?.join('-') ?? 'operations';
}

/** What proves something of our own token client; on a bank's sandbox nothing can expire a token. */
const RETRIES = [
  ['renewed-after.expired-token', 2],
  ['renewed-after.invalidated-token', 2],
  ['renewed-after.refused-token', 2],
  ['second-401-surfaces', 1],
  ['single-flight', 8],
] as const;

function tokenChecks(options: ChecksOptions): ListedCheck[] {
  const { token } = options.contract;
  const read = anyRead(options);
  const asked = {
    operationId: read?.operationId,
    ...(read === null ? { skip: 'no operation reads with a token' } : {}),
  };
  const times = (count: number) => (read === null ? [] : [{ times: count }]);
  const retries = RETRIES.map(([what, count]): ListedCheck => {
    const calls = times(count).map((call) => ({ ...call, purpose: 'client' as const }));
    return { ...asked, id: `unauthorised.${what}`, kind: 'mock-only', calls, file: 'retry' };
  });
  if (token === null) return retries;
  const { operationId } = token;
  const file = 'token';
  const form = { grant_type: token.grant };
  return [
    { id: 'token.response', operationId, calls: [{ form }], file },
    { ...asked, id: 'token.serves-many-calls', calls: times(3), file },
    {
      id: 'token.wrong-password',
      operationId,
      kind: 'probe',
      calls: [{ auth: 'wrong-client', purpose: 'refuse-credentials', form }],
      file,
    },
    {
      id: 'token.wrong-grant',
      operationId,
      kind: 'probe',
      calls: [{ purpose: 'refuse-grant', form: { grant_type: 'banking_api_probe' } }],
      file,
    },
    ...retries,
  ];
}

/** An operation to ask things of tokens with: one that this run can call, GET before others; without one, the first that it cannot. */
function anyRead({ contract, callable }: ChecksOptions): Operation | null {
  const reads = contract.operations.filter(
    ({ auth, effect, path, successor }) =>
      auth === 'bearer' && effect === 'read' && path !== null && successor === null,
  );
  const plainFirst = [
    ...reads.filter(({ method }) => method === 'GET'),
    ...reads.filter(({ method }) => method !== 'GET'),
  ];
  return plainFirst.find(callable) ?? plainFirst[0] ?? null;
}

function unauthorisedChecks({ operationId, auth, path }: Operation): ListedCheck[] {
  if (auth !== 'bearer' || path === null) return [];
  const words = [
    ['no-token', 'none'],
    ['garbage-token', 'garbage'],
  ] as const;
  return words.map(([what, sent]) => ({
    id: `unauthorised.${what}.${operationId}`,
    operationId,
    calls: [{ auth: sent, purpose: 'refuse-token' }],
    file: 'unauthorised',
  }));
}

function answerChecks(contract: Contract, operation: Operation): ListedCheck[] {
  const { operationId, auth, successor } = operation;
  if (auth === 'issues' || successor !== null) return [];
  return [{ id: `${areaOf(contract, operation)}.answers.${operationId}`, operationId, file: 'operations' }];
}

/** A deprecated form still answers, in the shape of its successor; where the method changed, each is asked with that of the other. */
function deprecatedChecks(contract: Contract, operation: Operation): ListedCheck[] {
  const { operationId, successor, methodChange } = operation;
  if (successor === null) return [];
  const area = areaOf(contract, operation);
  const file = 'deprecated';
  const others =
    methodChange === null
      ? []
      : [
          { id: successor, method: methodChange.from },
          { id: operationId, method: methodChange.to },
        ];
  return [
    { id: `${area}.deprecated-answers.${operationId}`, operationId, file },
    {
      id: `${area}.deprecated-shape.${operationId}`,
      operationId,
      calls: [{ operationId: successor }, { operationId }],
      file,
    },
    ...others.map(
      ({ id, method }): ListedCheck => ({
        id: `${area}.other-method.${id}`,
        operationId: id,
        kind: 'probe',
        calls: [{ purpose: 'refuse-method', method, json: null }],
        file,
      }),
    ),
  ];
}

/** A field that is there under a condition only (`x-only-when`), read of a record that is known not to fulfil it. */
function conditionChecks(options: ChecksOptions): ListedCheck[] {
  const { contract } = options;
  return contract.operations.flatMap((operation) => {
    const { operationId, effect, path } = operation;
    const name = /\{([^{}]+)\}$/.exec(path ?? '')?.[1];
    if (effect !== 'read' || name === undefined) return [];
    const fields = operation.responses
      .filter(({ status }) => status.startsWith('2'))
      .flatMap(({ content }) => content)
      .flatMap(({ pointer }) => conditionalFieldsOf(contract, joinPointer(pointer, 'schema')))
      .filter(({ kind }) => kind === 'only');
    const found = new Map(fields.map(({ field, condition }) => [`${field}-only-${condition}`, condition]));
    return [...found].map(([what, condition]): ListedCheck => {
      const id = `${areaOf(contract, operation)}.${what}`;
      return { id, operationId, ...recordWithout(condition, name, options), file: 'conditions' };
    });
  });
}

function recordWithout(
  condition: string,
  name: string,
  { groups, facts, failing }: ChecksOptions,
): Pick<CheckSpec, 'calls' | 'skip'> {
  const known = failing[condition]?.[name];
  if (known !== undefined) return { calls: [{ parameters: { [name]: known } }] };
  for (const [group, { of, members }] of Object.entries(groups)) {
    const member = Object.keys(members).find((key) => of === name && members[key]?.condition === condition);
    if (member === undefined) continue;
    if (facts[group]?.[member] === false) return {};
    return {
      skip: `needs ${group}.${member}: false in the configuration: only a record that is not ${condition} can show it`,
    };
  }
  return { skip: `contract.yaml has no fact that tells which record is not ${condition}` };
}

/** Each maximum (`x-maximum-by-currency`): one above it is refused, and all of a currency together are good. */
function limitChecks(options: ChecksOptions): ListedCheck[] {
  const { contract } = options;
  return contract.operations.flatMap((operation) => {
    const media = operation.requestBody?.content.find(({ type }) => isJsonType(type));
    const maxima = media === undefined ? null : maximaOf(contract, joinPointer(media.pointer, 'schema'));
    if (operation.path === null || media?.schema === undefined || maxima === null) return [];
    const { operationId } = operation;
    const area = areaOf(contract, operation);
    const fact = currencyFactOf(operation, options);
    const names = propertiesOf(contract, media.schema);
    // In major units: the unit of the fields is an assumption. A currency without a maximum has none.
    const checkOf = (id: string, currency: string, fields: JsonObject, isAbove: boolean): ListedCheck => {
      const json = { ...(fact !== null && names.includes(fact.member) ? { [fact.member]: currency } : {}), ...fields };
      const call = isAbove ? { purpose: 'refuse-limit' as const, json } : { json };
      return {
        id: `${area}.${id}.${currency}`,
        operationId,
        calls: [call],
        skip: limitSkip(currency, fact, options),
        file: 'limits',
      };
    };
    const limits = Object.entries(maxima);
    return [
      ...limits.flatMap(([field, byCurrency]) =>
        Object.entries(byCurrency).map(([currency, maximum]) =>
          checkOf(`limit.${field}`, currency, { [field]: maximum + 1 }, true),
        ),
      ),
      ...currenciesOf(maxima).map((currency) => {
        const fields = limits.flatMap(([field, { [currency]: maximum }]) =>
          maximum === undefined ? [] : [[field, maximum]],
        );
        return checkOf('limit-at-maximum', currency, Object.fromEntries(fields), false);
      }),
    ];
  });
}

/** The fact that says in which currency the limits of an operation count: of what it creates or names, else of anything. */
interface CurrencyFact {
  readonly group: string;
  readonly member: string;
  readonly members: readonly string[];
}

function currencyFactOf({ creates, path }: Operation, { groups }: ChecksOptions): CurrencyFact | null {
  const facts = Object.entries(groups).flatMap(([group, { of, members }]) => {
    const member = Object.keys(members).find((name) => members[name]?.role === 'currency');
    return member === undefined ? [] : [{ of, group, member, members: Object.keys(members) }];
  });
  const named = pathParameters(path ?? '');
  return facts.find(({ of }) => of === creates || named.includes(of)) ?? facts[0] ?? null;
}

function limitSkip(currency: string, fact: CurrencyFact | null, { embedded, facts }: ChecksOptions): string | null {
  if (embedded) return null;
  if (fact === null) return 'contract.yaml has no fact that tells in which currency limits count';
  const { group, member, members } = fact;
  const stated = facts[group] ?? {};
  if (members.some((name) => stated[name] === undefined)) {
    return `needs ${group} (${members.join(', ')}) in the configuration: the reference has no field that says so`;
  }
  return stated[member] === currency ? null : `the configured ${group} is in ${stated[member]}`;
}

/** Values that a body may name: the parameters of a run, and the currencies that its configuration states. */
export function knownValues(parameters: Values, { groups, facts }: Pick<ChecksOptions, 'groups' | 'facts'>): Values {
  const currencies = Object.entries(groups).flatMap(([group, { members }]) =>
    Object.keys(members).flatMap((name) => {
      const value = facts[group]?.[name];
      return members[name]?.role === 'currency' && typeof value === 'string' ? [[name, value] as const] : [];
    }),
  );
  return { ...parameters, ...Object.fromEntries(currencies) };
}
