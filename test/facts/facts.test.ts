import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { askFacts, type Known } from '../../src/facts/facts.ts';
import { compileSchema, type FileSchema } from '../../src/files/schema.ts';
import { loadMerged } from '../../src/learn/load-merged.ts';
import { packageRoot } from '../../src/package-root.ts';
import { renderJson } from '../../src/report/format.ts';
import { command } from '../cli/command.ts';
import { change, folderWith } from '../contract/support.ts';
import { report } from '../support/report-samples.ts';

const CARD = '/wallet/api/customers/{customerId}/cards/{cardId}';

const recorded = change(
  'observed',
  `"$.paths['${CARD}'].get"`,
  `{ responses: { '200': { description: Recorded, x-samples: 3, content: { application/json: { schema: { type: object, properties: { nickname: { type: string }, cardDesign: { type: string } } } } } } } }`,
);

async function published(): Promise<FileSchema> {
  return JSON.parse(await readFile(join(packageRoot, 'schemas/facts.schema.json'), 'utf8')) as FileSchema;
}

async function contracts(...overlays: { file: string; text: string }[]): Promise<Known> {
  return { known: await loadContract({ overlays }), assumed: await loadMerged({ overlays, assumed: true }) };
}

describe('facts about one field', () => {
  test('a documented field names its section, file and line', async () => {
    const { status, facts, gaps } = askFacts(await contracts(), 'getCard', '/cardLimitDaily');
    expect(status).toBe('known');
    expect(facts).toEqual([
      {
        in: 'answer',
        pointer: '/cardLimitDaily',
        provenance: 'documented',
        states: { type: ['integer'] },
        source: {
          reference: 'API reference, Resources, Card',
          file: 'spec/schemas/card.yaml',
          line: expect.any(Number) as number,
        },
        records: null,
        gaps: [],
        filled: [],
      },
    ]);
    expect(gaps).toContain('responseStatus');
  });

  test('an assumed field of the mock is never shown as a documented or observed one', async () => {
    const { facts } = askFacts(await contracts(), 'getCard', '/maskedNumber');
    expect(facts.map(({ provenance, source }) => [provenance, source.reference, source.file])).toEqual([
      ['assumed', null, 'mocks/assumptions.overlay.yaml'],
    ]);
  });

  test('a recorded field has its file and the number of answers', async () => {
    const { facts } = askFacts(await contracts(recorded), 'getCard', 'nickname');
    expect(facts).toMatchObject([{ provenance: 'observed', records: 3, source: { reference: null, line: 6 } }]);
  });

  test('a name in no source is unknown, and a similar name is only a hint', async () => {
    const known = await contracts();
    expect(askFacts(known, 'getCard', '/cardColour')).toMatchObject({ status: 'unknown', facts: [] });
    expect(askFacts(known, 'getCard', '/cardLimitDayly')).toMatchObject({ status: 'unknown', near: '/cardLimitDaily' });
    expect(askFacts(known, 'getCrad')).toMatchObject({ status: 'unknown', facts: [], near: 'getCard' });
  });

  test('the index of an item stands for any item', async () => {
    const known = await contracts();
    expect(askFacts(known, 'listClientCards', '/0/cardDesign')).toMatchObject({
      status: 'known',
      facts: [{ pointer: '/*/cardDesign', provenance: 'documented' }],
    });
  });

  test('the answer about one field has at most 4 kB, even for endless words and names', async () => {
    const long = 'x'.repeat(9_000);
    const wide = change(
      'documented',
      '$.components.schemas.Card.properties',
      `{ wide: { type: string, enum: [${[...Array(400).keys()].map((n) => `${long.slice(0, 200)}${n}`).join(', ')}], pattern: ${long} } }`,
    );
    const known = await contracts(wide);
    const operations = known.assumed.operations.map(({ operationId }) => operationId);
    for (const operationId of operations) {
      const pointers = new Set(askFacts(known, operationId).facts.map(({ pointer }) => pointer));
      for (const pointer of [...pointers, `/${long}`].filter(Boolean)) {
        const text = JSON.stringify(askFacts(known, operationId, pointer), null, 2);
        expect(Buffer.byteLength(text), `${operationId} ${pointer}`).toBeLessThanOrEqual(4096);
      }
    }
  });
});

test('an operation known by name is documented, and its assumed path is marked as such', async () => {
  const [fact] = askFacts(await contracts(), 'getAccounts').facts;
  expect(fact).toMatchObject({ provenance: 'documented', states: { pathFrom: 'assumed' } });
  expect(fact?.gaps).toEqual(expect.arrayContaining(['path', 'method']));
});

test('a recording fills the gaps that it answers, and leaves the others open', async () => {
  const [fact] = askFacts(await contracts(recorded), 'getCard').facts;
  expect(fact?.filled).toEqual(expect.arrayContaining(['responseStatus', 'responseFields', 'mediaType']));
  expect(fact?.gaps).toEqual(expect.arrayContaining(['requestBody', 'parameterTypes']));
});

describe('banking-api facts', () => {
  test('facts prints a field with its source, and exits with 0', async () => {
    const { code, out } = await command(['facts', 'getCard', '/cardLimitDaily']);
    expect(code).toBe(0);
    expect(out).toMatch(
      /^answer \/cardLimitDaily: documented\n {2}type integer\n {2}API reference, Resources, Card, spec\/schemas\/card\.yaml:\d+\n/,
    );
  });

  test('facts exits with 0 for a name that no source states, and says unknown', async () => {
    const { code, out } = await command(['facts', 'getCard', '/cardColour', '--format', 'json']);
    expect([code, JSON.parse(out)]).toMatchObject([0, { factsVersion: 1, status: 'unknown', facts: [] }]);
    const text = await command(['facts', 'getCard', '/cardColour']);
    expect(text.out).toMatch(/^unknown: no source states getCard \/cardColour\.\n/);
  });

  test('facts lists every operation with its source if none is named', async () => {
    const { out } = await command(['facts', '--format', 'json']);
    const { facts } = JSON.parse(out) as { facts: { in: string }[] };
    expect((await compileSchema(await published()))(JSON.parse(out))).toEqual([]);
    expect(facts).toHaveLength((await loadContract()).operations.length);
    expect(new Set(facts.map((fact) => fact.in))).toEqual(new Set(['operation']));
  });

  test('facts takes dates from the history, and none from the reports of a mock', async () => {
    const field = { pointer: '/cardLimitDaily', provenance: 'documented', seen: 1, of: 1 } as const;
    const run = (startedAt: string, kind: 'url' | 'mock') =>
      renderJson(
        report({
          startedAt,
          findings: [],
          target: { kind, baseUrl: 'https://bank.example' },
          coverage: {
            operations: [
              {
                operationId: 'getCard',
                located: 'documented',
                exercised: true,
                goodAnswers: 1,
                fields: [field],
                notShown: [],
              },
            ],
          },
        }),
      );
    const cwd = await folderWith({
      'nights/1.json': run('2026-11-01T02:00:00.000Z', 'url'),
      'nights/2.json': run('2026-11-09T02:00:00.000Z', 'url'),
      'nights/3.json': run('2026-11-20T02:00:00.000Z', 'mock'),
    });
    const { out } = await command(['facts', 'getCard', '/cardLimitDaily', '--history', 'nights'], { cwd });
    expect(out).toContain('seen from 2026-11-01 to 2026-11-09\n');
  });

  test('facts rejects a third argument, and an invalid overlay exits with 3', async () => {
    expect((await command(['facts', 'getCard', '/a', '/b'])).code).toBe(2);
    const cwd = await folderWith({ 'bad.yaml': 'overlay: 1.0.0\nx-provenance: guessed\n' });
    expect((await command(['facts', '--overlay', 'bad.yaml'], { cwd })).code).toBe(3);
  });
});
