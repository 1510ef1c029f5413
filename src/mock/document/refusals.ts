import type { Contract, Operation } from '../../contract/contract.ts';
import { isObject, type Json, type JsonObject } from '../../schema/json.ts';
import { successesOf } from '../compile/provenance.ts';
import { isTelling } from '../compile/schemas.ts';
import { type NamedProblem, PROBLEM_BASE, PROBLEM_TYPE, PROBLEMS, type ProblemKind } from '../message/problem.ts';
import { PARAMETER_PROBLEMS } from '../pipeline/judge-parameters.ts';
import { type Entities, idOf, kindOf, referencesOf } from '../state/entities.ts';
import { createRefusals } from '../state/refusals.ts';
import type { Profile } from '../tenant/profile.ts';
import { provenanceLine, withLine } from './provenance-lines.ts';

type Mutable = { [name: string]: Json };

/** Problems of any request: HTTP faults, a wrong address, or a refusal that the request or a scenario wants. */
const ANYWHERE: readonly NamedProblem[] = [
  ...(['bad-request', 'bad-target', 'request-timeout', 'body-too-large', 'target-too-long'] as const).map(problemOf),
  ...(['expectation-failed', 'host-refused', 'headers-too-large', 'scenario-unknown', 'scenario'] as const).map(
    problemOf,
  ),
  ...(['preference-unmet', 'not-found', 'conflict', 'invalid-body', 'too-many-requests'] as const).map(problemOf),
  ...(['no-such-path', 'method-not-allowed'] as const).map(problemOf),
  // an unknown example
  { ...problemOf('preference-unmet'), status: 404 },
];
/** Kinds whose status a scenario, a flag or Prism chooses. */
const OF_ANY_STATUS: readonly string[] = ['scenario', 'preference-unmet', 'operation-withdrawn'];

/**
 * Adds the mock's refusals to its document: each status of an operation, and `4XX` for other problems of any request.
 * They follow from the problem table, the contract and its entities. The contract itself contains no refusals.
 */
export function addRefusals(document: Mutable, contract: Contract, entities: Entities, profile: Profile): void {
  const components = document.components as JsonObject | undefined;
  const schemas: Mutable = { ...(components?.schemas as JsonObject | undefined), ...SCHEMAS };
  const refer = (kinds: readonly NamedProblem[]): JsonObject => {
    for (const kind of kinds) schemas[nameOf(kind)] ??= schemaOf(kind);
    const names = new Set(kinds.map(nameOf));
    return { oneOf: [...names].map((name) => ({ $ref: `#/components/schemas/${name}` })) };
  };
  schemas[OF_ANY_REQUEST] = { description: assumed('A refusal of any request.'), ...refer(ANYWHERE) };
  for (const node of Object.values(document.paths as JsonObject).flatMap((item) => Object.values(item as JsonObject))) {
    const operation = isObject(node) ? contract.operation(String(node.operationId)) : undefined;
    if (operation === undefined) continue;
    const { responses } = node as { responses: Mutable };
    const isToken = operation.auth === 'issues';
    const own = refusalsOf(entities, operation, profile);
    for (const [status, kinds] of byStatus(own, isToken ? TOKEN_STATUSES : [])) {
      const schema = status === '4XX' ? { $ref: `#/components/schemas/${OF_ANY_REQUEST}` } : refer(kinds);
      const given = resolved(document, responses[status]);
      responses[status] = {
        ...given,
        description: given.description ?? assumed([...new Set(kinds.map(({ title }) => `${title}.`))].join('\n')),
        content: {
          ...(given.content as JsonObject | undefined),
          ...(isToken && TOKEN_STATUSES.includes(Number(status)) && { 'application/json': { schema: TOKEN_ERROR } }),
          ...(kinds.length > 0 && { [PROBLEM_TYPE]: { schema, 'x-provenance': 'assumed' } }),
        },
      };
    }
  }
  document.components = { ...components, schemas };
}

/** The kinds of each status of an operation, and those of any request as `4XX`. */
function byStatus(
  own: readonly NamedProblem[],
  others: readonly number[],
): ReadonlyMap<string, readonly NamedProblem[]> {
  const statuses = new Set([...own.map(({ status }) => status), ...others]);
  const kindsOf = (status: number): readonly NamedProblem[] => {
    const all = [...own, ...ANYWHERE].filter((kind) => kind.status === status || kind.name === 'scenario');
    return [...new Map(all.map((kind) => [kind.name, kind])).values()];
  };
  return new Map([...[...statuses].map((status) => [String(status), kindsOf(status)] as const), ['4XX', ANYWHERE]]);
}

function refusalsOf(entities: Entities, operation: Operation, profile: Profile): readonly NamedProblem[] {
  const kinds = [...byContract(operation), ...byState(entities, operation)].map(problemOf);
  // by an option of the mock
  const gone = kinds.filter(({ name }) => name === 'operation-withdrawn').map((kind) => ({ ...kind, status: 404 }));
  return [...kinds, ...gone, ...byRules(entities, operation, profile)];
}

function problemOf(name: ProblemKind): NamedProblem {
  const { status, title } = PROBLEMS[name];
  return { name, status, title };
}

function byContract(operation: Operation): ProblemKind[] {
  const { auth, keys, deprecated, parameters, requestBody } = operation;
  const judged = parameters.filter(({ schema, required, in: at }) => isTelling(schema) || (required && at !== 'path'));
  const accept: ProblemKind[] = successesOf(operation)[0]?.content.length ? ['not-acceptable'] : [];
  if (auth === 'issues') return [...accept, 'unsupported-type'];
  return [
    ...accept,
    ...(deprecated ? (['operation-withdrawn'] as const) : []),
    ...(auth === 'bearer' ? (['two-tokens', 'token-missing', 'token-refused'] as const) : []),
    ...(keys.length > 0 ? (['key-refused'] as const) : []),
    ...(requestBody?.content.length ? (['bad-body', 'invalid-body', 'missing-type', 'unsupported-type'] as const) : []),
    ...(requestBody?.required ? (['missing-body'] as const) : []),
    ...new Set(
      Object.entries(PARAMETER_PROBLEMS).flatMap(([place, kind]) =>
        judged.some((one) => one.in === place) ? [kind] : [],
      ),
    ),
  ];
}

/** Refusals for a missing record named in the path or body, and for an unknown cursor in the query. */
function byState({ file, operations }: Entities, { operationId, parameters }: Operation): ProblemKind[] {
  const form = operations[operationId];
  const kind = file.kinds[(form && kindOf(form)) ?? ''];
  if (!form || !kind) return [];
  const isInPath = (name: string): boolean => parameters.some((one) => one.in === 'path' && one.name === name);
  const references = referencesOf(kind).map(({ field }) => field);
  const named = references.filter((field) => (form.create ? !isInPath(field) : form.set && form.takes.includes(field)));
  return [
    ...([idOf(kind), ...references].some(isInPath) ? (['not-found'] as const) : []),
    ...(named.length > 0 ? (['unknown-reference'] as const) : []),
    ...(form.lists?.roles.cursor === undefined ? [] : (['invalid-query'] as const)),
  ];
}

/** Refusals by limits, conditions, tables and guards, under their names in the contract folder. */
function byRules(
  { file, kinds, operations }: Entities,
  { operationId }: Operation,
  profile: Profile,
): readonly NamedProblem[] {
  const form = operations[operationId];
  if (!form) return [];
  const refusals = createRefusals(file);
  const kind = kindOf(form) ?? '';
  const { maxima, conditions = {} } = kinds[kind] ?? {};
  const made = form.create ? Object.values(file.kinds[kind]?.fields ?? {}) : [];
  const guards = [form.guard ?? [], ...made.map((field) => (isGuarded(field) ? field.guard : []))].flat();
  const refused = form.takes.map((field) => file.conditions?.[conditions[field] ?? '']?.refuses);
  const named = [form.refuses, ...refused].filter((name) => name !== undefined);
  return [
    ...(form.takes.some((field) => maxima?.[field]) ? [refusals.ofLimit()] : []),
    ...named.filter((name) => refusals.names(name, profile)).map((name) => refusals.named(name)),
    ...guards.filter((rule) => refusals.applies(rule, profile)).map(refusals.ofGuard),
  ];
}

function isGuarded(field: unknown): field is { readonly guard: string } {
  return typeof field === 'object' && field !== null && 'guard' in field;
}

/** Resolves a reference to a shared response, which must not get the content of a single operation. */
function resolved(document: JsonObject, node: Json | undefined): JsonObject {
  const name = isObject(node) && String(node.$ref).replace('#/components/responses/', '');
  const shared = ((document.components as JsonObject | undefined)?.responses as JsonObject | undefined)?.[name || ''];
  const found = isObject(shared) ? shared : isObject(node) ? node : undefined;
  if (found === undefined) return { 'x-provenance': 'assumed' };
  const parts = found['x-provenance-parts'] as JsonObject | undefined;
  return { ...found, 'x-provenance-parts': { ...parts, '/content': 'assumed' } };
}

function assumed(text: string): string {
  return withLine(text, provenanceLine('assumed', {}));
}

const BASE = 'MockProblem';
const OF_ANY_REQUEST = `${BASE}OfAnyRequest`;

function nameOf({ name }: NamedProblem): string {
  return BASE + name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function schemaOf({ name, status, title }: NamedProblem): Json {
  const type = { const: PROBLEM_BASE + name, description: assumed('') };
  return {
    description: assumed(`${title}.`),
    'x-provenance': 'assumed',
    allOf: [{ $ref: `#/components/schemas/${BASE}` }],
    properties: OF_ANY_STATUS.includes(name) ? { type } : { type, status: { const: status, description: assumed('') } },
    required: ['type', 'status'],
  };
}

function object(
  description: string,
  required: readonly string[],
  properties: Readonly<Record<string, JsonObject>>,
): Json {
  const described = Object.entries(properties).map(([name, schema]) => [
    name,
    { ...schema, description: assumed(typeof schema.description === 'string' ? schema.description : '') },
  ]);
  const provenance = { description: assumed(description), 'x-provenance': 'assumed' };
  return { type: 'object', ...provenance, required, properties: Object.fromEntries(described) };
}

const TEXT = { type: 'string' };
const TEXTS = { type: 'array', items: TEXT };
const TOKEN_STATUSES: readonly number[] = [400, 401];
const TOKEN_ERROR = { $ref: '#/components/schemas/MockTokenError' };

const SCHEMAS: Mutable = {
  [BASE]: object('A refusal of the mock (RFC 9457).', ['type', 'title', 'status', 'detail'], {
    type: { ...TEXT, format: 'uri', description: 'The kind of problem.' },
    title: TEXT,
    status: { type: 'integer' },
    detail: { ...TEXT, description: 'The fault of this request.' },
    instance: { ...TEXT, description: 'The page of the mock that explains it.' },
    errors: {
      type: 'array',
      description: 'Each mistake with its place: a JSON pointer into the body, or the name of a parameter.',
      items: object('', ['in', 'message'], {
        in: { enum: ['body', ...Object.keys(PARAMETER_PROBLEMS)] },
        pointer: TEXT,
        name: TEXT,
        message: TEXT,
        maximum: { type: 'number' },
      }),
    },
    existing: { ...TEXTS, description: 'Ids that exist, the most likely first.' },
    nearest: {
      type: 'array',
      description: 'Operations with a similar path, the most similar first.',
      items: object('', ['operationId', 'method', 'path', 'example'], {
        operationId: TEXT,
        method: TEXT,
        path: TEXT,
        example: TEXT,
      }),
    },
    position: object('The position of the syntax error in the body.', ['line', 'column', 'offset'], {
      line: { type: 'integer' },
      column: { type: 'integer' },
      offset: { type: 'integer' },
    }) as JsonObject,
  }),
  MockTokenError: object('A refusal of the token endpoint (RFC 6749, 5.2).', ['error'], {
    error: { enum: ['invalid_request', 'invalid_client', 'unsupported_grant_type'] },
    error_description: TEXT,
  }),
};
