import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject, Notice } from '../../src/contract/contract.ts';
import { loadContract } from '../../src/contract/load.ts';
import { compareContracts } from '../../src/diff/contracts.ts';
import { diff } from '../../src/diff/diff.ts';
import type { Report } from '../../src/model/report.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'diff-'));
});
afterAll(() => rm(folder, { recursive: true }));

const TARGET = "$.paths['/billing/api/customers/{customerId}/client/{clientId}/card/fees/{currency}'].get";
let files = 0;

async function written(content: unknown): Promise<string> {
  files += 1;
  const file = join(folder, `${files}.yaml`);
  await writeFile(file, JSON.stringify(content));
  return file;
}

const recording = (schema: JsonObject): Promise<string> =>
  written({
    overlay: '1.0.0',
    'x-provenance': 'observed',
    info: { title: 'T', version: '1' },
    actions: [
      {
        target: TARGET,
        update: {
          responses: { '200': { description: 'Observed.', content: { 'application/json': { schema } } } },
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

describe('diff cuts nothing', () => {
  test('finds what became optional beside many fields that stay as they are', async () => {
    const kept = names(500, 'kept');
    const loosened = names(20, 'loosened');
    const before = await recording(object([...kept, ...loosened], { type: 'string' }, loosened));
    const after = await recording(object([...kept, ...loosened], { type: 'string' }));
    const report = await diff({ before, after, failOn: 'warning' });
    expect(brief(report)).toEqual(loosened.toSorted().map((name) => `required-missing /${name}`));
    expect([report.verdict, report.exitCode]).toEqual(['drift', 1]);
  });

  test('finds each of 600 changes', async () => {
    const fields = names(600, 'field');
    const before = await recording(object(fields, { type: 'string' }, fields));
    const after = await recording(object(fields, { type: 'string' }));
    expect(brief(await diff({ before, after }))).toEqual(fields.toSorted().map((name) => `required-missing /${name}`));
  });
});

describe('diff ends in time', () => {
  test('reads no file further than any report or recording goes', async () => {
    const before = join(folder, 'endless.yaml');
    await writeFile(before, '');
    await truncate(before, 300 * 1024 * 1024);
    await expect(diff({ before, after: before })).rejects.toMatchObject({ code: 'file-unreadable' });
  });

  test('stops when it is interrupted, and tells what it knew by then', async () => {
    const file = await recording(object(['a'], { type: 'string' }, ['a']));
    const other = await recording(object(['a'], { type: 'string' }));
    const unmatched = await written({
      overlay: '1.0.0',
      info: { title: 'T', version: '1' },
      actions: [{ target: '$.paths.nowhere', update: {} }],
    });
    const interruption = new AbortController();
    const options = { before: file, after: other, overlays: [unmatched], failOn: 'warning' as const };
    // told when both are loaded, and before they are compared
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

  const bundle = (schemas: JsonObject, paths: Readonly<Record<string, string>> = PATHS): Promise<string> =>
    written({
      openapi: '3.1.1',
      info: { title: 'T', version: '1' },
      components: { schemas },
      paths: Object.fromEntries(
        Object.entries(paths).map(([path, operationId]) => [
          path,
          {
            get: {
              operationId,
              'x-effect': 'read',
              responses: {
                '200': {
                  description: 'A thing.',
                  content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
                },
              },
            },
          },
        ]),
      ),
    });
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
  const A = (schema: JsonObject): JsonObject => ({ type: 'object', properties: { a: schema } });

  test.each<[string, JsonObject, JsonObject, string[]]>([
    ['one type more', A({ type: 'string' }), A({ type: ['string', 'null'] }), ['type-contradicted /a']],
    ['one type less', A({ type: ['string', 'null'] }), A({ type: 'string' }), []],
    ['a wider number', A({ type: 'integer' }), A({ type: 'number' }), ['type-contradicted /a']],
    ['a word more', A({ enum: ['x'] }), A({ enum: ['x', 'y'] }), ['value-contradicted /a']],
    ['a word less', A({ enum: ['x', 'y'] }), A({ const: 'y' }), []],
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
    [
      'a pattern that may be narrower',
      A({ type: 'string', pattern: '^A' }),
      A({ type: 'string', pattern: '^A+$' }),
      ['inconclusive'],
    ],
    ['a tighter bound', A({ type: 'number', minimum: 1 }), A({ type: 'number', minimum: 2 }), []],
    ['a looser bound', A({ type: 'number', maximum: 1 }), A({ type: 'number', maximum: 2 }), ['value-contradicted /a']],
    ['no bound', A({ type: 'string', minLength: 1 }), A({ type: 'string' }), ['value-contradicted /a']],
    [
      'the same exotic word',
      A({ type: 'string', not: { const: 'x' } }),
      A({ type: 'string', not: { const: 'x' } }),
      [],
    ],
    [
      'another exotic word',
      A({ type: 'string', not: { const: 'x' } }),
      A({ type: 'string', not: { const: 'y' } }),
      ['inconclusive'],
    ],
    [
      'a field that is not allowed',
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
      'a choice that holds',
      { anyOf: [A({ type: 'string' }), A({ type: 'integer' })] },
      { oneOf: [A({ type: 'integer' }), A({ type: 'string', minLength: 2 })] },
      [],
    ],
    [
      'a choice that does not',
      { anyOf: [A({ type: 'string' }), A({ type: 'integer' })] },
      { oneOf: [A({ type: 'integer' }), A({ type: 'boolean' })] },
      ['structure-contradicted '],
    ],
    ['a choice of types', A({ type: ['string', 'null'] }), A({ anyOf: [{ type: 'string' }, { type: 'null' }] }), []],
    ['nothing said of a type', A({ type: 'string' }), A({}), ['inconclusive']],
  ])('%s', async (_, before, after, wanted) => {
    expect(await found(before, after)).toEqual(wanted);
    expect(await found(before, before)).toEqual([]);
  });

  test('what a place is compared by that cannot be compared is told with its line', async () => {
    const [report, notices] = await compared(
      { Thing: A({ type: 'string', pattern: '^A' }) },
      { Thing: A({ type: 'string', pattern: '^A+$' }) },
    );
    expect([report.exitCode, report.verdict]).toEqual([4, 'inconclusive']);
    expect(notices.map(({ code, place }) => [code, place.line])).toEqual([['not-compared', 1]]);
    expect(notices[0]?.message).toContain('getThing: whether /a is still string that matches ^A');
  });

  test('an operation that moved is withdrawn at its old place, and unknown at the new one', async () => {
    const Thing = A({ type: 'string' });
    const before = await bundle({ Thing }, { '/things/{id}': 'getThing', '/same/{id}': 'getSame' });
    const after = await bundle({ Thing }, { '/v2/things/{thing}': 'getThing', '/same/{key}': 'getSame' });
    const report = await diff({ before, after });
    expect(report.findings.map(({ rule, operationId, actual }) => [rule, operationId, actual])).toEqual([
      ['operation-withdrawn', 'getThing', '404'],
      ['unmatched-exchange', null, 'answered 200'],
    ]);
  });

  describe('ends, in as many steps as there is to read and to tell', () => {
    /** How often the two sides were read, and what was found. */
    const walked = async (before: JsonObject, after: JsonObject): Promise<[steps: number, found: number]> => {
      let steps = 0;
      const [first, second] = await Promise.all(
        [before, after].map(async (schemas) => {
          const contract = await loadContract({ root: await bundle(schemas) });
          const at = (pointer: string) => {
            steps += 1;
            return contract.at(pointer);
          };
          return { contract: { ...contract, at }, recording: false };
        }),
      );
      if (first === undefined || second === undefined) throw new Error('two sides');
      const { differences } = await compareContracts(first, second);
      return [steps, differences.length];
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

    test.each<[string, (size: number, leaf: JsonObject) => JsonObject, found: (size: number) => number]>([
      ['wide', (size, leaf) => ({ Thing: object(names(size, 'f'), leaf) }), (size) => size],
      ['deep', chain, () => 1],
    ])('%s', async (_, make, count) => {
      const walk = (size: number): Promise<[number, number]> =>
        walked(make(size, { type: 'string' }), make(size, { type: 'integer' }));
      const [few, fewFound] = await walk(100);
      const [many, manyFound] = await walk(1000);
      expect([fewFound, manyFound]).toEqual([count(100), count(1000)]);
      expect(many / few).toBeLessThan(11);
    });

    test('deeper than the stack', async () => {
      expect((await walked(chain(2000, { type: 'string' }), chain(2000, { type: 'integer' })))[1]).toBe(1);
    });

    test('what leads back to itself is told once for each way into it, also where all lead to all', async () => {
      const [, one] = await walked(knot(1, { type: 'string' }), knot(1, { type: 'integer' }));
      expect(one).toBe(2);
      const [steps, found] = await walked(knot(12, { type: 'string' }), knot(12, { type: 'integer' }));
      expect(found).toBe(1 + 12 * 12);
      expect(steps).toBeLessThan(200_000);
    });

    test('what is the same is not read again for each way that leads to it', async () => {
      const [steps, found] = await walked(ladder(30, { type: 'string' }), ladder(30, { type: 'string' }));
      expect([found, steps < 5000]).toEqual([0, true]);
    });

    test('choices of a schema that contains itself', async () => {
      const json = (leaf: string): JsonObject => ({
        Thing: { anyOf: [{ type: leaf }, { type: 'array', items: ref('Thing') }] },
      });
      expect((await walked(json('string'), json('string')))[1]).toBe(0);
      expect((await walked(json('string'), json('integer')))[1]).toBe(2);
    });
  });
});
