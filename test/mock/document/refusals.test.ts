import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readContractFolder } from '../../../src/contract/read-folder.ts';
import type { Mock, MockOptions } from '../../../src/mock/mock.ts';
import { startMock } from '../../../src/mock/start-mock.ts';
import { packageRoot } from '../../../src/package-root.ts';
import { compilerOf } from '../../../src/schema/ajv.ts';
import { joinPointer } from '../../../src/text/pointer.ts';
import { valuesOf } from '../support/schema-values.ts';

const secondApi = await readContractFolder(join(packageRoot, 'examples', 'second-api'));

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into at many places
type Document = any;

interface Served {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the document lists this answer for its status. */
  readonly lists: (status: number, type: string, body: unknown) => boolean;
  /** Undefined if the operation takes no JSON. */
  readonly admits: ((body: unknown) => boolean) | undefined;
  readonly bodies: fc.Arbitrary<unknown>;
  readonly examples: Readonly<Record<string, string>>;
}

let mock: Mock;

async function served(options: MockOptions): Promise<readonly Served[]> {
  mock = await startMock({ listen: false, anyToken: true, ...options });
  const document: Document = await (await mock.fetch('/__mock/contract.json')).json();
  const compile = compilerOf(document);
  const holds = (value: unknown, ...place: string[]): boolean => compile(joinPointer('', ...place))(value);
  return Object.entries<Document>(document.paths).flatMap(([path, item]) =>
    Object.entries<Document>(item).flatMap(([method, node]): Served[] => {
      if (node?.operationId === undefined) return [];
      const { operationId, parameters = [], requestBody, responses } = node;
      const of = (place: string): Record<string, string> => {
        const own = parameters.filter((one: Document) => one.in === place && one.example !== undefined);
        return Object.fromEntries(own.map(({ name, example }: Document) => [name, String(example)]));
      };
      const examples = of('path');
      const media = requestBody?.content?.['application/json'];
      return [
        {
          ...{ operationId, method: method.toUpperCase(), path, examples, headers: of('header') },
          query: String(new URLSearchParams(of('query'))),
          admits:
            media &&
            ((body) => holds(body, 'paths', path, method, 'requestBody', 'content', 'application/json', 'schema')),
          bodies: media ? bodiesOf(media, document, examples) : fc.constant(undefined),
          lists(status, type, body) {
            const key = responses[status] ? String(status) : '4XX';
            const { schema } = responses[key]?.content?.[type] ?? {};
            const refs = (schema?.oneOf ?? [schema ?? { $ref: '' }]) as readonly { readonly $ref: string }[];
            return refs.filter(({ $ref }) => $ref !== '' && holds(body, ...$ref.split('/').slice(1))).length === 1;
          },
        },
      ];
    }),
  );
}

/** Most values satisfy the schema; in some a member is any JSON value. */
function bodiesOf({ schema, example }: Document, document: Document, ids: object): fc.Arbitrary<unknown> {
  const good = valuesOf(schema, document, { ...ids, ...example });
  const { properties } = document.components.schemas[schema.$ref?.split('/').at(-1)] ?? schema;
  const names = fc.constantFrom('x', ...Object.keys(Object(properties)));
  const others = fc.dictionary(names, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2, noNullPrototype: true });
  const mixed = fc.tuple(good, others).map(([body, more]) => ({ ...Object(body), ...more }));
  return fc.oneof({ weight: 3, arbitrary: good }, { weight: 1, arbitrary: mixed });
}

interface Sent {
  readonly ids: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

async function send({ method, path, query, headers: own }: Served, { ids, body, headers }: Sent) {
  const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? 'x'));
  const usual = { authorization: 'Bearer any', ...(body !== undefined && { 'content-type': 'application/json' }) };
  const text = body === undefined || method === 'GET' ? {} : { body: JSON.stringify(body) };
  const sent = { method, headers: { ...own, ...usual, ...headers }, ...text };
  const response = await mock.fetch(`${target}${query && `?${query}`}`, sent);
  const [type = ''] = (response.headers.get('content-type') ?? '').split(';');
  const told = await response.text();
  return { status: response.status, type, body: told === '' ? undefined : JSON.parse(told) };
}

/** Rejected only because of the current state: records, balances, and maxima of a record's currency. */
const BY_STATE =
  /\/(?:not-found|unknown-reference|account-cancelled|questions-unanswered|balance-too-low|amount-too-fine)$/;

const HEADERS = [
  ...[{}, {}, {}, { accept: 'text/html' }, { 'content-type': 'text/plain' }, { authorization: '' }],
  ...[{ authorization: 'Bearer a, Bearer b' }, { 'content-encoding': 'gzip' }, { expect: 'wonders' }],
  ...[{ prefer: 'code=404' }, { prefer: 'code=422' }, { prefer: 'example=nope' }],
  ...[{ 'x-mock-scenario': 'rate-limited-always' }, { 'x-mock-scenario': 'nope' }],
];

describe.each<[string, MockOptions]>([
  ['the mock', {}],
  ['another contract', { folder: secondApi }],
  ['a profile that demands security questions', { profile: 'second-card-provider' }],
  ['a profile without limits', { profile: 'no-card-limits' }],
  ['a mock without state', { stateless: true }],
])('the document of %s', (_, options) => {
  let operations: readonly Served[];
  beforeAll(async () => {
    operations = await served(options);
  });
  beforeEach(() => mock.reset());
  afterAll(() => mock.close());

  test('the document lists each rejection that generated requests get, with its body', async () => {
    const seen = new Set<string>();
    const asked = fc.constantFrom(...operations).chain((operation) => {
      const ids = Object.entries(operation.examples).map(([name, id]) => [name, fc.constantFrom(id, id, id, 'x-1')]);
      return fc.record({
        operation: fc.constant(operation),
        ids: fc.record(Object.fromEntries(ids)) as fc.Arbitrary<Record<string, string>>,
        body: fc.oneof(
          { weight: 3, arbitrary: operation.bodies },
          fc.constantFrom<unknown>(undefined, null, [], { x: 1 }),
        ),
        headers: fc.constantFrom<Readonly<Record<string, string>>>(...HEADERS),
      });
    });
    await fc.assert(
      fc.asyncProperty(asked, async ({ operation, ...sent }) => {
        const { status, type, body } = await send(operation, sent);
        if (status < 400) return;
        seen.add(String(body.type ?? body.error).replace(/.*\//, ''));
        expect([operation.operationId, body, operation.lists(status, type, body)]).toEqual([
          operation.operationId,
          body,
          true,
        ]);
      }),
      { numRuns: 300, seed: 20_261_123 },
    );
    expect(seen.size).toBeGreaterThan(8);
  });

  test('apart from the current state, the document admits exactly the bodies that the mock accepts', async () => {
    for (const operation of operations) {
      const { operationId, method, admits, bodies, examples } = operation;
      const byState = (type: string): boolean => BY_STATE.test(type) || (method === 'PUT' && /card-limit$/.test(type));
      if (!admits) continue;
      await fc.assert(
        fc.asyncProperty(bodies, async (body) => {
          const { status, body: told } = await send(operation, { ids: examples, body });
          const isGood = admits(body);
          const isTaken = status < 300 || (isGood && byState(told.type));
          expect([operationId, body, told, isTaken]).toEqual([operationId, body, told, isGood]);
        }),
        { numRuns: 25, seed: 20_261_124 },
      );
    }
  });
});
