import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ownFolder } from '../../src/contract/folder.ts';
import { loadContract } from '../../src/contract/load.ts';
import { assertRecording, makeRecording, type RecordingOptions } from '../../src/learn/recording.ts';
import { gather, type Sighting, sightingsOf } from '../../src/learn/sightings.ts';
import type { JsonObject } from '../../src/schema/json.ts';
import { call } from '../judge/calls.ts';
import { overlayOf } from '../support/overlay.ts';

const contract = await loadContract();

function seen(operationId: string, value: unknown, over: Partial<Sighting> = {}): Sighting {
  return { operationId, status: 200, type: 'application/json', json: { value }, empty: false, ...over };
}

function recorded(sightings: readonly Sighting[], options: RecordingOptions = {}): string {
  return makeRecording(contract, gather(sightings), options).text;
}

/** Schema of an operation without documented fields. */
function schemaOf(values: readonly unknown[], options: RecordingOptions = {}): JsonObject {
  const sightings = values.map((value) => seen('getCardFees', value));
  const [action] = makeRecording(contract, gather(sightings), options).actions;
  const update = action?.update as {
    responses: Record<string, { content: Record<string, { schema: JsonObject }> }>;
  };
  return withoutRecords(update.responses['200']?.content['application/json']?.schema ?? {}) as JsonObject;
}

function mapped<T, R>(record: Readonly<Record<string, T>>, change: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

/** Separate tests cover the number of objects. */
function withoutRecords(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, one: unknown) => {
    if (key !== 'x-seen' || typeof one !== 'object' || one === null) return one;
    const { records: _, ...rest } = one as Record<string, unknown>;
    return Object.keys(rest).length === 0 ? undefined : rest;
  });
}

const field = (values: readonly unknown[], name = 'x', options: RecordingOptions = {}): unknown =>
  (
    schemaOf(
      values.map((value) => ({ [name]: value })),
      options,
    ).properties as JsonObject
  )[name];

describe('learned shapes', () => {
  test('types, null, nesting and lists are learned', () => {
    expect(schemaOf([{ a: 'x', b: null, c: [{ d: true }], e: { f: 1 } }])).toEqual({
      type: 'object',
      required: ['a', 'b', 'c', 'e'],
      properties: {
        a: { type: 'string' },
        b: { 'x-only-null': true },
        c: { type: 'array', items: { type: 'object', required: ['d'], properties: { d: { type: 'boolean' } } } },
        e: { type: 'object', required: ['f'], properties: { f: { type: 'integer' } } },
      },
    });
    expect(field(['x', null])).toEqual({ type: ['string', 'null'] });
    expect(field([1, { a: 1 }])).toMatchObject({ type: ['integer', 'object'] });
  });

  test('a recording states how often an optional field was present', () => {
    const schema = schemaOf([{ a: 1, b: 'x' }, { a: 2 }, { a: 3, b: 'y' }]);
    expect(schema.required).toEqual(['a']);
    expect(schema.properties).toMatchObject({ b: { type: 'string', 'x-seen': { in: 2, of: 3 } } });
  });

  test('a documented field is listed without additions, even if it is optional', () => {
    const values = [{ cardProgramme: 'a', cardDesign: 'b' }, { cardDesign: 'b' }];
    const text = recorded(values.map((value) => seen('getCard', value)));
    expect(text).toContain('required: [ cardDesign ]');
    expect(text).toContain('cardProgramme: { x-seen: { in: 1, of: 2 } }');
    expect(text).not.toContain('cardDesign:');
  });

  test('a text format is learned if every sample matches, with the number of different samples', () => {
    expect(field(['2025-01-01T10:00:00Z', '2026-01-01T10:00:00.5+02:00'])).toEqual({
      type: 'string',
      format: 'date-time',
      'x-seen': { values: 2 },
    });
    expect(field(['2025-01-01', '2025-02-30'])).toEqual({ type: 'string' });
    expect(field(['2025-01-01', '2025-01-02'])).toMatchObject({ format: 'date' });
    expect(field(['2025-01-01T10:00:00', '2025-01-01T10:00:01'])).toMatchObject({
      pattern: expect.stringContaining('T'),
    });
    const uuid = (n: number): string => `123e4567-e89b-42d3-a456-42661417400${n}`;
    expect(field([1, 2, 3].map(uuid))).toMatchObject({ format: 'uuid', 'x-seen': { values: 3 } });
    expect(field([1, 2, 3].map((n) => `https://bank.example/${n}`))).toMatchObject({ format: 'uri' });
    expect(field([1, 2, 3].map((n) => `${n}@bank.example`))).toMatchObject({ format: 'email' });
    const numbers = Array.from({ length: 10 }, (_, index) => `${index - 5}`);
    expect(field(numbers)).toEqual({ type: 'string', pattern: '^-?\\d+$', 'x-seen': { values: 10 } });
    expect(field([...numbers, '7.50'])).toMatchObject({ pattern: '^-?\\d+(\\.\\d+)?$' });
    expect(field([...numbers, ''])).toEqual({ type: 'string' });
  });

  test('five equal values count once: a format needs enough different values', () => {
    const five = (value: string): string[] => Array.from({ length: 5 }, () => value);
    expect(field(five('2025-01-01'))).toEqual({ type: 'string', format: 'date', 'x-seen': { values: 1 } });
    expect(field(['GB33BUKB20201555555555'])).toMatchObject({ pattern: expect.stringContaining('[A-Z]{2}') });
    expect(field(['GB34BUKB20201555555555'])).toEqual({ type: 'string' });
    expect(field(five('a@bank.example'))).toEqual({ type: 'string', 'x-seen': { values: 1, form: 'email' } });
    expect(field(five('12345'), 'reference2')).toEqual({
      type: 'string',
      'x-seen': { values: 1, form: 'integer-like' },
    });
    const nine = Array.from({ length: 9 }, (_, index) => `${index}`);
    expect(field([...nine, ...nine])).toEqual({ type: 'string', 'x-seen': { values: 9, form: 'integer-like' } });
  });

  test('five answers with the same body are one record, in any field order', () => {
    const card = { id: 'a', list: [{ x: 1 }, { x: 2 }, { x: 1 }] };
    const { list, id } = card;
    const text = recorded([card, card, { list, id }, card].map((value) => seen('getCardFees', value)));
    expect(text).toContain('x-samples: 4');
    expect(text.match(/x-seen: .*/g)).toEqual(['x-seen: { records: 1 }', 'x-seen: { records: 2 }']);
    const [action] = makeRecording(
      contract,
      gather([card, { ...card, id: 'b' }].map((value) => seen('getCardFees', value))),
    ).actions;
    expect(JSON.stringify(action)).toContain('"x-seen":{"records":2}');
  });

  test('an amount is a number even if all samples are integers, and a name of digits is a string', () => {
    expect(field([100], 'amount')).toEqual({ type: 'number' });
    expect(field(['100', '200', '300'], 'feeAmount')).toMatchObject({ pattern: '^-?\\d+(\\.\\d+)?$' });
    expect(field(['42'], 'alias')).toEqual({ type: 'string' });
    expect(field([100], 'count')).toEqual({ type: 'integer' });
  });

  test('a currency is a map key, even next to names', () => {
    expect(
      schemaOf([
        { total: 1, GBP: 1 },
        { total: 2, EUR: 1, JPY: 3 },
      ]),
    ).toEqual({
      type: 'object',
      required: ['total'],
      properties: { total: { type: 'number' } },
      additionalProperties: { type: 'integer' },
    });
  });

  test('keys that are ids, codes or values become keys of a map', () => {
    const map = { type: 'object', additionalProperties: { type: 'integer' } };
    expect(schemaOf([{ 'acc-5001': 1, 'acc-5002': 2 }])).toEqual(map);
    expect(schemaOf([{ '123e4567-e89b-42d3-a456-426614174000': 1 }])).toEqual(map);
    expect(schemaOf([{ 'Jane Doe': 1 }, { 'jane@bank.example': 2 }])).toEqual(map);
    expect(schemaOf([{ GBP: 1, EUR: 2 }])).toEqual(map);
    expect(schemaOf([{ mine: 1 }], { isValue: (key) => key === 'mine' })).toEqual(map);
    expect(schemaOf([{ total: 1, 'acc-5001': 2 }])).toEqual({
      type: 'object',
      required: ['total'],
      properties: { total: { type: 'number' } },
      additionalProperties: { type: 'integer' },
    });
    for (const name of ['line1', 'sha256', 'addressLine2', 'iso8601Date', 'oauth2']) {
      expect(schemaOf([{ [name]: 'x' }]).properties, name).toHaveProperty(name);
    }
  });

  test('a hostile key cannot produce an invalid recording', async () => {
    const hostile = JSON.parse(
      '{"__proto__":{"a":1},"x-provenance":{"a":1},"constructor":{"a":1},"<<":{"a":1},"ok":1}',
    );
    const text = recorded([seen('getCardFees', hostile)]);
    const loaded = await loadContract({ overlays: [{ file: 'r.yaml', text }] });
    expect(loaded.notices).toEqual([]);
    expect(text).toContain('constructor:');
    expect(({} as { a?: number }).a).toBeUndefined();
  });

  test('a name with a digit is a field; a number after a separator is a map key', () => {
    const of = (...keys: readonly string[]) => schemaOf([Object.fromEntries(keys.map((key) => [key, 1]))]);
    const names = ['3ds', '2fa', 'line_2', 'iso-4217', 'sha_256', 'v2'];
    expect(of(...names)).toMatchObject({ required: [...names].sort() });
    expect(of(...names)).not.toHaveProperty('additionalProperties');
    for (const key of ['17', 'acc-18', 'item:24', 'pocket_31', 'acc-1001']) {
      expect(of(key), key).toMatchObject({ additionalProperties: { type: 'integer' } });
      expect(of(key), key).not.toHaveProperty('properties');
    }
  });

  describe('a map with changing keys', () => {
    const fee = (...codes: readonly string[]) => ({
      products: Object.fromEntries(codes.map((code, n) => [code, { rate: n, ...(n > 0 && { until: '2027-01-01' }) }])),
    });
    const CODES = Array.from({ length: 9 }, (_, n) => fee(`P0${28 + 3 * n}`, `P4${71 + 3 * n}`));
    const NAMES = ['alice bob', 'carol dave', 'erin frank', 'grace heidi'].map((names) => fee(...names.split(' ')));
    const nightly = (values: readonly unknown[]): Sighting[] =>
      values.map((value, n) => seen('getCardFees', value, { night: `2026-11-0${1 + n}` }));
    /** Recorded once with all nights, night after night over the last recording, and with the nights learned beside it. */
    function everyWay(values: readonly unknown[]): Record<string, unknown>[] {
      const nights = nightly(values);
      const [first = '', ...rest] = nights.map((night) => recorded([night]));
      const merged = nights.reduce<string | undefined>((over, night) => recorded([night], { over }), undefined);
      const learned = rest.reduce<string | undefined>((beside, _, n) => {
        const [night = seen('getCardFees', {})] = nights.slice(n + 1);
        return recorded([night], { over: first, beside: beside === undefined ? [] : [beside] });
      }, undefined);
      const texts = [recorded(nights), merged, learned, recorded([], { over: first, beside: rest })];
      return texts.map((text) => {
        const [{ update }] = parse(text ?? '').actions;
        return withoutCounts(update.responses['200'].content['application/json'].schema);
      });
    }
    /** A recording of all nights adds up its counts, a merged one has the largest. */
    const withoutCounts = (value: unknown) =>
      JSON.parse(JSON.stringify(value), (key, one: unknown) => (key === 'x-seen' ? undefined : one));

    test.each([
      ['codes', CODES],
      ['names', NAMES],
      ['the least nights', CODES.slice(0, 3)],
      ['lists', NAMES.map(({ products }) => ({ products: mapped(products, (one) => [one]) }))],
      ['codes of numbers', CODES.map(({ products }) => ({ products: mapped(products, () => 7) }))],
    ])('is recognised without its keys, however its nights are recorded: %s', (_, values) => {
      const schemas = everyWay(values);
      expect(schemas[0]).toMatchObject({
        properties: { products: { type: 'object', additionalProperties: expect.anything() } },
      });
      expect(JSON.stringify(schemas)).not.toMatch(/P0|P4|alice|frank/);
      for (const schema of schemas) expect(schema).toEqual(schemas[0]);
    });

    test.each([
      ['two nights', CODES.slice(0, 2)],
      ['most keys stay', [...'abcdef'].map((code) => fee('P100', 'P200', 'P300', `P4${code}`))],
      [
        'values of two shapes',
        NAMES.map(({ products }, n) => ({ products: { ...products, [`n${n}`]: { other: 1 } } })),
      ],
      ['plain values under words', [...'abcdef'].map((word) => ({ products: { [`by${word}`]: 1 } }))],
    ])('needs three nights that share fewer than half of alike keys: %s', (_, values) => {
      const schemas = everyWay(values);
      expect(JSON.stringify(schemas)).not.toContain('additionalProperties');
      for (const schema of schemas) expect(schema).toEqual(schemas[0]);
    });

    test('keys that differ between the answers of one night are fields', () => {
      expect(recorded(NAMES.map((value) => seen('getCardFees', value)))).not.toContain('additionalProperties');
    });

    test('a documented name among the keys makes them fields', () => {
      const cards = CODES.map(({ products }) => ({ ...products, cardDesign: { rate: 1 } }));
      const sightings = nightly(cards).map((one) => ({ ...one, operationId: 'getCard' }));
      expect(recorded(sightings)).not.toContain('additionalProperties');
    });
  });

  test('enums are learned only on request, from frequent words, never from secrets, names or long texts', () => {
    const states = ['ACTIVE', 'FROZEN', 'ACTIVE', 'FROZEN', 'ACTIVE', 'FROZEN'];
    // of different records, because a repeated one is not a further sample
    const field = (values: readonly string[], name: string, options: RecordingOptions = {}): unknown =>
      (
        schemaOf(
          values.map((value, id) => ({ id, [name]: value })),
          options,
        ).properties as JsonObject
      )[name];
    expect(field(states, 'status')).toEqual({ type: 'string' });
    expect(field(states, 'status', { enums: true })).toEqual({ type: 'string', enum: ['ACTIVE', 'FROZEN'] });
    expect(field(states.slice(0, 4), 'status', { enums: true })).toEqual({ type: 'string' });
    expect(field(states, 'securityAnswer', { enums: true })).toEqual({ type: 'string' });
    expect(field(['Jane', 'John', 'Jane', 'John', 'Jane', 'John'], 'firstName', { enums: true })).toEqual({
      type: 'string',
    });
    const long = ['x'.repeat(40), 'y'.repeat(40)];
    expect(field([...long, ...long, ...long], 'status', { enums: true })).toEqual({ type: 'string' });
  });
});

describe('a recording', () => {
  const CARD = { id: 'k', cardProgramme: 'p', cardLimitDaily: 5, token: 'abc' };

  test('a recording does not repeat documented facts, so that one change gives one finding', () => {
    const overlay = parse(recorded([seen('getCard', CARD)]));
    const { schema } = overlay.actions[0].update.responses['200'].content['application/json'];
    expect(withoutRecords(schema)).toEqual({
      allOf: [
        { $ref: '#/components/schemas/Card' },
        // token is documented for physical cards only: it is not required, but known for this card
        {
          required: ['cardLimitDaily', 'cardProgramme', 'id'],
          properties: { id: { type: 'string' }, token: { 'x-always-there': true } },
        },
      ],
    });
  });

  test('a recording loads without a notice and changes no documented fact', async () => {
    const text = recorded([
      seen('getCard', CARD),
      seen('getCard', { title: 'x' }, { status: 404, type: 'application/problem+json' }),
      seen('listClientCards', { cards: [CARD], others: [] }),
      seen('suspendCard', undefined, { status: 204, type: null, empty: true }),
    ]);
    const loaded = await loadContract({ overlays: [{ file: 'recording.yaml', text }] });
    expect(loaded.notices).toEqual([]);
    expect(loaded.provenanceOf('/components/schemas/Card/properties/token')).toBe('documented');
    const card = loaded.operation('getCard');
    expect(card?.responses.map(({ status, pointer }) => [status, loaded.provenanceOf(pointer)])).toEqual([
      ['200', 'observed'],
      ['401', 'documented'],
      ['404', 'observed'],
      ['2XX', 'documented'],
    ]);
  });

  test('a recording states the place of list items, even in an envelope with several lists', () => {
    const overlay = parse(
      recorded([seen('listClientCards', { links: [{ rel: 'x' }], data: { cards: [CARD] }, tags: [] })]),
    );
    const { properties } = overlay.actions[0].update.responses['200'].content['application/json'].schema;
    expect(properties.data.properties.cards.items.allOf[0]).toEqual({ $ref: '#/components/schemas/Card' });
    expect(properties.links.items).not.toHaveProperty('allOf');
  });

  test('a recording leaves the documented fields of a name-only operation to the loader', async () => {
    const located = overlayOf([
      { target: '$.paths', update: { '/v2/accounts': { get: { operationId: 'getAccounts' } } } },
    ]);
    const known = await loadContract({ overlays: [located] });
    const { text } = makeRecording(known, gather([seen('getAccounts', [{ id: 'a', achRoutingNumber: '1' }])]));
    const both = await loadContract({ overlays: [located, { file: 'r.yaml', text }] });
    const pointer = '/paths/~1v2~1accounts/get/responses/200/content/application~1json/schema/items/allOf/0';
    expect(both.at(pointer)).toEqual({ $ref: '#/components/schemas/Account' });
    expect(both.notices).toEqual([]);
  });

  test('transient failures, rejected tokens and unexpected successes are not learned', () => {
    const calls = [
      call('getCard', { status: 401, json: { a: 1 } }),
      call('getCard', { status: 503, json: { a: 1 } }),
      call('getCard', { status: 429, json: { a: 1 } }),
      call('getCard', { json: { open: 'door' } }, { purpose: 'refuse-token' }),
      call('getCard', { text: '<html>', type: 'text/html' }),
      call('getCard', { text: '{"a"', state: 'truncated' }),
    ];
    expect([...gather(sightingsOf(calls))]).toEqual([]);
  });

  test('the same answers give the same text, in any order', () => {
    const some = [seen('getCard', CARD), seen('getCardFees', { b: 1, a: 2 }), seen('getCard', { ...CARD, z: 1 })];
    expect(recorded(some.toReversed())).toBe(recorded(some));
    const text = recorded(some);
    expect(recorded(some, { over: text })).toBe(text);
    expect(text).not.toMatch(/20\d\d-\d\d/);
  });

  test('an operation with an assumed path is not recorded', async () => {
    const mock = await loadContract({ overlays: ['mocks/assumptions.overlay.yaml'] });
    expect(makeRecording(mock, gather([seen('getAccounts', [])])).actions).toEqual([]);
  });
});

describe('updating an existing recording', () => {
  const first = [seen('getCardFees', { a: 1, b: 'x' }), seen('suspendCard', { ok: true })];

  test('an update reports the changes', () => {
    const options = { over: recorded(first), fresh: true };
    const { text, changes } = makeRecording(contract, gather([seen('getCardFees', { a: 'now', c: null })]), options);
    expect(changes.map(({ sign, place, what }) => `${sign} ${place}: ${what}`)).toEqual([
      '~ 200 /a: integer → string',
      '- 200 /b: string',
      '+ 200 /c: null so far',
      '- 200: application/json',
    ]);
    expect(text).not.toContain('suspendCard');
  });

  test('missing facts stay in an updated recording, and disappear from a fresh one', () => {
    const before = recorded([seen('getCard', { id: 'x' }), seen('getCard', {}, { status: 404 }), ...first]);
    const statuses = (fresh: boolean): string[][] =>
      parse(recorded([seen('getCard', { id: 'x' }, { status: 203 })], { over: before, fresh })).actions.map(
        ({ update }: { update: { responses: object } }) => Object.keys(update.responses),
      );
    expect(statuses(false).toSorted()).toEqual([['200'], ['200'], ['200', '203', '404']]);
    expect(statuses(true)).toEqual([['203']]);
  });

  test('a new operation is inserted in its place, and the rest is unchanged', () => {
    const text = recorded([seen('getAccountFees', { a: 1 })], { over: recorded(first) });
    expect(text).toBe(recorded([...first, seen('getAccountFees', { a: 1 })]));
  });

  test('manual additions and removals survive an update', () => {
    const values = (from: number): Sighting[] =>
      Array.from({ length: 12 }, (_, index) =>
        seen('getCardFees', {
          a: `${from + index}`,
          at: `2025-01-01T00:00:${from + index}Z`,
          code: `C-${index}`,
          n: 1,
        }),
      );
    const text = recorded(values(10));
    const edited = text
      .replace(/(a: \{ type: string), pattern: [^,]+, x-seen: \{[^}]*\}/, '$1')
      .replace('n: { type: integer }', "n: { type: [ integer, 'null' ] }");
    expect(edited).not.toBe(text);
    const again = makeRecording(contract, gather(values(30)), { over: edited });
    expect([again.text, again.changes]).toEqual([edited, []]);
    // a format does not become a narrower one
    expect(again.text).toMatch(/format: date-time\n *pattern: .*Z\$/);
  });

  test('enums are kept, and new enums are added only on request', () => {
    const states = (...words: readonly string[]): Sighting[] =>
      words.map((status, id) => seen('getCardFees', { id, status }));
    const text = recorded(states('A', 'B', 'A', 'B', 'A', 'B'), { enums: true });
    expect(text).toContain('enum: [ A, B ]');
    expect(recorded(states('A'), { over: text })).toContain('enum: [ A, B ]');
    const other = recorded(states('A', 'C'), { over: text });
    expect(other).not.toContain('enum');
    expect(other).not.toMatch(/\bC\b/);
    expect(recorded(states('A', 'C'), { over: text, enums: true })).toContain('enum: [ A, B, C ]');
  });

  test('a file that is not a recording is rejected', async () => {
    const foreign = 'overlay: 1.0.0\ninfo: { title: T, version: "1" }\nactions: [{ target: $, update: { x-a: 1 } }]\n';
    await expect(assertRecording('a.yaml', foreign, ownFolder)).rejects.toMatchObject({ code: 'usage', exitCode: 2 });
    await expect(assertRecording('a.yaml', 'a: [', ownFolder)).rejects.toMatchObject({ code: 'usage', exitCode: 2 });
    await assertRecording('a.yaml', recorded(first), ownFolder);
  });
});
