import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadContract } from '../../src/contract/load.ts';
import { judge } from '../../src/judge/judge.ts';
import { createSchemas } from '../../src/judge/schemas.ts';
import { makeRecording } from '../../src/learn/recording.ts';
import { gather, type Sighting, sightingsOf } from '../../src/learn/sightings.ts';
import type { JsonObject } from '../../src/schema/json.ts';
import { make } from '../../src/schema/make.ts';
import { call } from '../judge/calls.ts';

const contract = await loadContract();

/** Texts with a mark that a recording never contains. */
const text = fc.oneof(
  fc.string({ maxLength: 12 }).map((part) => `§${part}§value`),
  fc.constantFrom(
    '2025-01-01',
    '2025-01-01T00:00:00Z',
    '§12',
    '77.50',
    '991',
    'j.doe@bank.example',
    'https://bank.example/§',
  ),
  fc.uuid(),
);
const name = fc.oneof(
  fc.constantFrom(
    'id',
    'amount',
    'status',
    'items',
    'type',
    'properties',
    'x-seen',
    'required',
    '$ref',
    'description',
    'a/b~c',
    'first name',
    'größe',
    '名前',
  ),
  fc.stringMatching(/^[a-z][a-zA-Z]{0,8}$/),
  fc.uuid(),
  fc.string({ maxLength: 8 }).map((part) => `§${part}§key`),
);
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 5 }),
  ),
})).value;

const sightings = fc.array(json, { minLength: 1, maxLength: 5 }).map((values) =>
  values.map(
    (value): Sighting => ({
      operationId: 'getCardFees',
      status: 200,
      type: 'application/json',
      // as it comes from the wire
      json: { value: JSON.parse(JSON.stringify(value)) },
      empty: false,
    }),
  ),
);

const schemaPointer =
  '/paths/~1billing~1api~1customers~1{customerId}~1client~1{clientId}~1card~1fees~1{currency}/get/responses/200/content/application~1json/schema';

test('a learned schema accepts every sample behind it', async () => {
  await fc.assert(
    fc.asyncProperty(sightings, fc.boolean(), async (samples, enums) => {
      const { text } = makeRecording(contract, gather(samples), { enums });
      const loaded = await loadContract({ overlays: [{ file: 'r.yaml', text }] });
      expect(loaded.notices).toEqual([]);
      const schemas = createSchemas(loaded);
      for (const { json } of samples) expect(schemas.problems(schemaPointer, json?.value)).toEqual([]);
      // and it accepts generated values, so the mock agrees with the recording
      const made = make(loaded, schemaPointer, { seed: 7 });
      expect(schemas.problems(schemaPointer, made)).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

test('the union of two recordings accepts every sample of both', async () => {
  await fc.assert(
    fc.asyncProperty(sightings, sightings, async (first, second) => {
      const over = makeRecording(contract, gather(first)).text;
      const { text } = makeRecording(contract, gather(second), { over });
      const loaded = await loadContract({ overlays: [{ file: 'r.yaml', text }] });
      const schemas = createSchemas(loaded);
      for (const { json } of [...first, ...second]) expect(schemas.problems(schemaPointer, json?.value)).toEqual([]);
    }),
    { numRuns: 40 },
  );
});

test('the text of a recording contains no sampled value, not even one used as a key', () => {
  fc.assert(
    fc.property(sightings, (samples) => {
      const { text } = makeRecording(contract, gather(samples));
      expect(text).not.toContain('§');
      for (const { json } of samples) {
        for (const value of textsIn(json?.value)) if (value.length >= 4) expect(text).not.toContain(value);
      }
      expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
    }),
    { numRuns: 300 },
  );
});

test('recording again changes nothing, and an updated recording gains only new facts', () => {
  fc.assert(
    fc.property(sightings, sightings, (samples, others) => {
      const { text } = makeRecording(contract, gather(samples));
      expect(makeRecording(contract, gather(samples)).text).toBe(text);
      const again = makeRecording(contract, gather(samples), { over: text });
      expect([again.text, again.changes]).toEqual([text, []]);
      const moved = makeRecording(contract, gather(others), { over: text }).text;
      const settled = makeRecording(contract, gather(others), { over: moved });
      expect([settled.text, settled.changes]).toEqual([moved, []]);
      const anew = makeRecording(contract, gather(others), { over: moved, fresh: true });
      expect(anew.actions).toEqual(makeRecording(contract, gather(others)).actions as unknown as JsonObject[]);
      expect(parse(anew.text)).toEqual(parse(makeRecording(contract, gather(others)).text));
    }),
    { numRuns: 150 },
  );
});

test('a whole number as a map value does not become a named field', () => {
  const fees = (value: object): Sighting => ({
    operationId: 'getCardFees',
    status: 200,
    type: 'application/json',
    json: { value },
    empty: false,
  });
  const id = '00000000-0000-1000-8000-000000000000';
  const { text } = makeRecording(contract, gather([fees({ [id]: 0 })]));
  const others = gather([fees({ [id]: 0.5 }), fees({ a: 0 })]);
  const moved = makeRecording(contract, others, { over: text }).text;
  expect(makeRecording(contract, others, { over: moved }).text).toBe(moved);
});

/** Values only: a recording is expected to contain field names. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

test('a recording agrees with its samples, even with documented fields beside map keys', async () => {
  const documented = fc.record(
    {
      cardProgramme: fc.string(),
      cardDesign: fc.string(),
      cardLimitDaily: fc.integer(),
      cardLimitMonthly: fc.integer(),
      token: fc.string(),
    },
    { requiredKeys: [] },
  );
  const others = fc.dictionary(fc.oneof(name, fc.constantFrom('3ds', '2fa', 'acc-1001', 'GBP', 'id123456')), json, {
    maxKeys: 3,
  });
  const cards = fc.array(fc.tuple(others, documented), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(cards, async (bodies) => {
      const calls = bodies.map(([more, card]) =>
        call('getCard', { json: JSON.parse(JSON.stringify({ ...more, ...card })) as unknown }),
      );
      const { text } = makeRecording(contract, gather(sightingsOf(calls)));
      const recorded = await loadContract({ overlays: [{ file: 'r.yaml', text }] });
      const { findings } = judge({ contract: recorded, calls, redact: (text) => text });
      expect(findings.map(({ rule, pointer }) => `${rule} ${pointer}`)).toEqual([]);
    }),
    {
      numRuns: 60,
      examples: [
        [
          [
            [{ id123456: { '§§key': [] }, 'acc-1001': ['00000000-0000-1000-8000-000000000000'] }, {}],
            [{}, {}],
          ],
        ],
      ],
    },
  );
});
