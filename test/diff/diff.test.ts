import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Notice } from '../../src/contract/contract.ts';
import { diff } from '../../src/diff/diff.ts';
import type { Report } from '../../src/model/report.ts';
import type { JsonObject } from '../../src/schema/json.ts';
import { answers, api } from '../support/api.ts';

const folder = await mkdtemp(join(tmpdir(), 'diff-'));
afterAll(() => rm(folder, { recursive: true }));

const TARGET = "$.paths['/billing/api/customers/{customerId}/client/{clientId}/card/fees/{currency}'].get";
let files = 0;

async function written(content: unknown): Promise<string> {
  files += 1;
  const file = join(folder, `${files}.yaml`);
  await writeFile(file, JSON.stringify(content));
  return file;
}

const recording = (schema: JsonObject, status = '200'): Promise<string> =>
  written({
    overlay: '1.0.0',
    'x-provenance': 'observed',
    info: { title: 'T', version: '1' },
    actions: [
      {
        target: TARGET,
        update: {
          responses: { [status]: { description: 'Observed.', content: { 'application/json': { schema } } } },
        },
      },
    ],
  });

const names = (count: number, prefix: string): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);
const object = (fields: readonly string[], schema: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  required,
  properties: Object.fromEntries(fields.map((name) => [name, schema])),
});
const brief = ({ findings }: Report): string[] => findings.map(({ rule, pointer }) => `${rule} ${pointer}`);

describe('diff of wide recordings', () => {
  test('fields that became optional are found among many unchanged fields', async () => {
    const kept = names(500, 'kept');
    const loosened = names(20, 'loosened');
    const before = await recording(object([...kept, ...loosened], { type: 'string' }, loosened));
    const after = await recording(object([...kept, ...loosened], { type: 'string' }));
    const report = await diff({ before, after, failOn: 'warning' });
    expect(brief(report)).toEqual(loosened.toSorted().map((name) => `required-missing /${name}`));
    expect([report.verdict, report.exitCode]).toEqual(['drift', 1]);
  });

  test('diff reports as many changes as verify, and is inconclusive beyond that', async () => {
    const fields = names(600, 'field');
    const before = await recording(object(fields, { type: 'string' }, fields));
    const after = await recording(object(fields, { type: 'string' }));
    const { findings, checks } = await diff({ before, after });
    expect([findings.length, checks.map(({ outcome }) => outcome)]).toEqual([500, ['inconclusive']]);
  });
});

describe('limits of diff', () => {
  test('an operation that only answers with errors is skipped for that reason', async () => {
    const file = await recording(object(['a'], { type: 'string' }), '400');
    const { checks } = await diff({ before: file, after: file });
    expect(checks.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['skipped', 'the other file has no success of it'],
    ]);
  });

  test('diff rejects files larger than any report or recording', async () => {
    const before = join(folder, 'endless.yaml');
    await writeFile(before, '');
    await truncate(before, 300 * 1024 * 1024);
    await expect(diff({ before, after: before })).rejects.toMatchObject({ code: 'file-unreadable' });
  });

  test('an interrupted diff stops and reports its results so far', async () => {
    const file = await recording(object(['a'], { type: 'string' }, ['a']));
    const other = await recording(object(['a'], { type: 'string' }));
    const unmatched = await written({
      overlay: '1.0.0',
      info: { title: 'T', version: '1' },
      actions: [{ target: '$.paths.nowhere', update: {} }],
    });
    const interruption = new AbortController();
    const options = { before: file, after: other, overlays: [unmatched], failOn: 'warning' as const };
    // sent once both are loaded, before they are compared
    const onNotice = (): void => interruption.abort('SIGINT');
    const report = await diff({ ...options, onNotice, signal: interruption.signal });
    expect([report.exitCode, report.verdict, report.findings]).toEqual([130, 'inconclusive', []]);
    expect(report.checks.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['skipped', 'the run was interrupted'],
    ]);
    const early = await diff({ ...options, signal: AbortSignal.abort('SIGINT') });
    expect([early.exitCode, early.verdict, early.checks]).toEqual([130, 'inconclusive', []]);
    expect(early.notices).toMatchObject([{ code: 'interrupted' }]);
  });
});

describe('diff of bundles', () => {
  const PATHS = { '/things/{id}': 'getThing' };

  const bundle = (schemas: JsonObject, paths: Readonly<Record<string, string>> = PATHS): Promise<string> => {
    const thing = answers({ $ref: '#/components/schemas/Thing' });
    const items = Object.entries(paths).map(([path, operationId]) => [path, { get: { operationId, ...thing } }]);
    return written(api(Object.fromEntries(items), { components: { schemas } }));
  };
  const compared = async (before: JsonObject, after: JsonObject): Promise<[Report, Notice[]]> => {
    const notices: Notice[] = [];
    const files = await Promise.all([bundle(before), bundle(after)]);
    const [first = '', second = ''] = files;
    return [await diff({ before: first, after: second, onNotice: (notice) => notices.push(notice) }), notices];
  };
  const found = async (before: JsonObject, after: JsonObject): Promise<string[]> => {
    const [report] = await compared({ Thing: before }, { Thing: after });
    return report.checks.some(({ outcome }) => outcome === 'inconclusive')
      ? [...brief(report), 'inconclusive']
      : brief(report);
  };
  const IF = (condition: JsonObject): JsonObject => A({ type: 'string', if: condition, else: { pattern: '^z' } });
  const A = (schema: JsonObject): JsonObject => ({ type: 'object', properties: { a: schema } });

  test.each<[string, JsonObject, JsonObject, string[]]>([
    ['an added type', A({ type: 'string' }), A({ type: ['string', 'null'] }), ['type-contradicted /a']],
    ['a removed type', A({ type: ['string', 'null'] }), A({ type: 'string' }), []],
    ['a wider number', A({ type: 'integer' }), A({ type: 'number' }), ['type-contradicted /a']],
    ['an added word', A({ enum: ['x'] }), A({ enum: ['x', 'y'] }), ['value-contradicted /a']],
    ['a removed word', A({ enum: ['x', 'y'] }), A({ const: 'y' }), []],
    [
      'another format',
      A({ type: 'string', format: 'date' }),
      A({ type: 'string', format: 'date-time' }),
      ['format-contradicted /a'],
    ],
    ['no format', A({ type: 'string', format: 'uuid' }), A({ type: 'string' }), ['format-contradicted /a']],
    [
      'another pattern',
      A({ type: 'string', pattern: '^A' }),
      A({ type: 'string', pattern: '^a' }),
      ['value-contradicted /a'],
    ],
    ['a narrower pattern', A({ type: 'string', pattern: '^A' }), A({ type: 'string', pattern: '^A+$' }), []],
    ['a tighter bound', A({ type: 'number', minimum: 1 }), A({ type: 'number', minimum: 2 }), []],
    ['a looser bound', A({ type: 'integer', maximum: 1 }), A({ type: 'integer', maximum: 2 }), ['answer-widened /a']],
    ['no bound', A({ type: 'string', minLength: 1 }), A({ type: 'string' }), ['answer-widened /a']],
    [
      'the same exotic word',
      A({ type: 'string', not: { const: 'x' } }),
      A({ type: 'string', not: { const: 'x' } }),
      [],
    ],
    [
      'a forbidden field',
      { ...A({}), additionalProperties: false },
      { ...A({}), properties: { a: {}, b: {} } },
      ['structure-contradicted /b', 'undocumented-field /b'],
    ],
    [
      'values of a map',
      { type: 'object', additionalProperties: { type: 'string' } },
      { type: 'object', additionalProperties: { type: 'integer' } },
      ['type-contradicted /*'],
    ],
    [
      'items',
      A({ type: 'array', items: { type: 'string' } }),
      A({ type: 'array', items: { type: 'integer' } }),
      ['type-contradicted /a/*'],
    ],
    [
      'parts of an allOf',
      { allOf: [A({ type: 'string' }), { required: ['b'] }] },
      { allOf: [{ required: ['a', 'b'] }, A({ type: 'integer' })] },
      ['type-contradicted /a'],
    ],
    [
      'a matching choice',
      { anyOf: [A({ type: 'string' }), A({ type: 'integer' })] },
      { oneOf: [A({ type: 'integer' }), A({ type: 'string', minLength: 2 })] },
      [],
    ],
    [
      'a choice that does not match',
      { anyOf: [A({ type: 'string' }), A({ type: 'integer' })] },
      { oneOf: [A({ type: 'integer' }), A({ type: 'boolean' })] },
      ['structure-contradicted '],
    ],
    ['a choice of types', A({ type: ['string', 'null'] }), A({ anyOf: [{ type: 'string' }, { type: 'null' }] }), []],
    ['no stated type', A({ type: 'string' }), A({}), ['type-contradicted /a']],
    ['a pattern without known examples', A({ pattern: '^Q{3}' }), A({ pattern: '^Q{3}' }), []],
    [
      'no more items than the maximum',
      A({ type: 'array', maxItems: 1, items: { type: ['string', 'integer'] } }),
      A({ type: 'array', maxItems: 1, items: { type: 'string' } }),
      [],
    ],
    [
      'more items',
      A({ type: 'array', maxItems: 5, items: { type: 'string' } }),
      A({ type: 'array', maxItems: 9, items: { type: 'string' } }),
      ['answer-widened /a'],
    ],
    [
      'no items',
      A({ type: 'array', minItems: 1, items: { type: 'string' } }),
      A({ type: 'array', minItems: 0, items: { type: 'string' } }),
      ['answer-widened /a'],
    ],
    [
      'fields of a pattern',
      { type: 'object', patternProperties: { '^x-': { type: 'string' } } },
      { type: 'object', patternProperties: { '^x-': { type: 'integer' } } },
      ['type-contradicted /*'],
    ],
    [
      'fields with a rule for their names',
      { type: 'object', propertyNames: { pattern: '^x' }, additionalProperties: { type: 'string' } },
      { type: 'object', propertyNames: { pattern: '^x' }, additionalProperties: { type: 'integer' } },
      ['type-contradicted /*'],
    ],
    ['no length', A({ type: 'string', maxLength: 1000 }), A({ type: 'string' }), ['answer-widened /a']],
    ['a number format', A({ type: 'integer', format: 'int32' }), A({ type: 'integer', format: 'int32' }), []],
    [
      'a number of a wider format',
      A({ type: 'integer', format: 'int32' }),
      A({ type: 'integer', format: 'int64' }),
      ['format-contradicted /a'],
    ],
    ['types that overlap', { oneOf: [{ type: 'integer' }, { type: 'number' }] }, { type: 'integer' }, []],
    [
      'alternatives without a required field',
      { oneOf: [A({ type: 'string' }), { type: 'object', properties: { b: { type: 'string' } } }] },
      { ...A({ type: 'string' }), required: ['a'] },
      [],
    ],
    [
      'rules for the names of fields',
      { type: 'object', propertyNames: { pattern: '^x' }, additionalProperties: {}, minProperties: 2 },
      { type: 'object', propertyNames: { pattern: '^x' }, additionalProperties: {}, minProperties: 2 },
      [],
    ],
    ...[
      [A({ type: 'number', multipleOf: 2 }), A({ type: 'number', multipleOf: 1 }), 'answer-widened /a'],
      [A({ type: 'array', uniqueItems: true }), A({ type: 'array' }), 'answer-widened /a'],
      [A({ type: 'string', not: { const: 'x' } }), A({ type: 'string' }), 'answer-widened /a'],
      [IF({ const: 'x' }), IF({ const: 'y' }), 'answer-changed /a'],
      [A({ type: 'object', minProperties: 2 }), A({ type: 'object', minProperties: 1 }), 'answer-widened /a'],
    ].map(([before, after, finding], index): [string, JsonObject, JsonObject, string[]] => {
      return [`a rule that no example shows (${index})`, before as JsonObject, after as JsonObject, [String(finding)]];
    }),
    [
      'a list of two types',
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }] },
      { type: 'array' },
      [],
    ],
  ])('%s', async (_, before, after, wanted) => {
    expect(await found(before, after)).toEqual(wanted);
    expect(await found(before, before)).toEqual([]);
  });

  test.each<[string, string[], string[], string[]]>([
    ['an added media type is no difference', ['application/json'], ['application/json', 'application/xml'], []],
    [
      'a media type that replaces another one is a difference',
      ['application/json', 'text/plain'],
      ['application/json', 'application/xml'],
      ['content-type-contradicted '],
    ],
  ])('%s', async (_, ...types) => {
    const [before = '', after = ''] = await Promise.all(
      types.slice(0, 2).map((all) => {
        const content = Object.fromEntries(all.map((type) => [type, { schema: { type: 'string' } }]));
        const responses = { '200': { description: 'A thing.', content } };
        const paths = { '/thing': { get: { operationId: 'getThing', responses } } };
        return written(api(paths));
      }),
    );
    expect(brief(await diff({ before, after }))).toEqual(types[2]);
  });

  test('a moved operation is withdrawn at its old path, and unmatched at the new one', async () => {
    const Thing = A({ type: 'string' });
    const before = await bundle({ Thing }, { '/things/{id}': 'getThing', '/same/{id}': 'getSame' });
    const after = await bundle({ Thing }, { '/v2/things/{thing}': 'getThing', '/same/{key}': 'getSame' });
    const report = await diff({ before, after });
    expect(report.findings.map(({ rule, operationId, actual }) => [rule, operationId, actual])).toEqual([
      ['operation-withdrawn', 'getThing', '404'],
      ['unmatched-exchange', null, 'answered 200'],
    ]);
  });

  describe('recursion and size', () => {
    const told = async (before: JsonObject, after: JsonObject): Promise<[string, number]> => {
      const [{ findings, checks }] = await compared(before, after);
      return [checks.map(({ outcome }) => outcome).join(), findings.length];
    };
    const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
    const chain = (length: number, end: JsonObject): JsonObject =>
      Object.fromEntries(
        ['Thing', ...names(length, 'N')].map((name, index) => [
          name,
          index === length ? end : { type: 'object', properties: { next: ref(`N${index}`) } },
        ]),
      );
    const knot = (size: number, leaf: JsonObject): JsonObject =>
      Object.fromEntries(
        ['Thing', ...names(size, 'N')].map((name) => [
          name,
          {
            type: 'object',
            properties: { leaf, ...Object.fromEntries(names(size, 'N').map((one) => [one, ref(one)])) },
          },
        ]),
      );
    const ladder = (length: number, end: JsonObject): JsonObject =>
      Object.fromEntries(
        ['Thing', ...names(length, 'N')].map((name, index) => [
          name,
          index === length ? end : { type: 'object', properties: { a: ref(`N${index}`), b: ref(`N${index}`) } },
        ]),
      );

    test('a large document gets a finding for each place', async () => {
      const wide = (leaf: JsonObject) => ({ Thing: object(names(400, 'f'), leaf) });
      expect(await told(wide({ type: 'string' }), wide({ type: 'integer' }))).toEqual(['failed', 1]);
      expect(await told(chain(50, { type: 'string' }), chain(50, { type: 'integer' }))).toEqual(['failed', 1]);
    });

    test.each([
      ['deep', (end: JsonObject) => chain(2000, end), 'answer-changed '],
      ['wide', (end: JsonObject) => ladder(30, end), 'answer-widened /a/a/a/a/a'],
      ['fully connected', (end: JsonObject) => knot(12, end), 'answer-widened /N0/N1/N2/leaf'],
    ])('schemas that are too %s for examples are compared by keyword', async (_, schemas, wanted) => {
      const [text, number] = [schemas({ type: 'string' }), schemas({ type: 'integer' })];
      const [{ checks, exitCode }, notices] = await compared(text, text);
      expect([exitCode, checks.map(({ outcome }) => outcome), notices]).toEqual([0, ['passed'], []]);
      expect(brief((await compared(text, number))[0]).some((finding) => finding.startsWith(wanted))).toBe(true);
    });

    test('a recursive schema is compared once for each way into it', async () => {
      expect(await told(knot(1, { type: 'string' }), knot(1, { type: 'integer' }))).toEqual(['failed', 2]);
    });

    test('choices in a recursive schema are compared', async () => {
      const json = (leaf: string): JsonObject => ({
        Thing: { anyOf: [{ type: leaf }, { type: 'array', items: ref('Thing') }] },
      });
      expect(await told(json('string'), json('string'))).toEqual(['passed', 0]);
      expect(await told(json('string'), json('integer'))).toEqual(['failed', 1]);
    });
  });
});
