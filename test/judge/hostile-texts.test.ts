import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { createSchemas } from '../../src/judge/schemas.ts';
import { describe } from '../../src/schema/schema-facts.ts';
import { walk } from '../../src/schema/walk.ts';
import { CATASTROPHIC } from '../patterns/catastrophic.ts';
import { cpuTime } from '../support/growth.ts';
import { overlayOf } from '../support/overlay.ts';

const FORMATS = [
  'email',
  'uri',
  'uri-reference',
  'uri-template',
  'url',
  'hostname',
  'regex',
  'json-pointer',
  'byte',
  'time',
];
const SCHEMA = {
  type: 'object',
  properties: {
    ...Object.fromEntries(CATASTROPHIC.map(([pattern], index) => [`pattern${index}`, { type: 'string', pattern }])),
    ...Object.fromEntries(FORMATS.map((format) => [format, { type: 'string', format }])),
  },
  patternProperties: { '^(?:key|ke+y)+$': { type: 'string' } },
};

const FORMS = overlayOf([{ target: '$.components.schemas', update: { Forms: SCHEMA } }], 'observed');

test('megabytes of text made to slow down patterns and formats are checked in time', async () => {
  const contract = await loadContract({ overlays: [FORMS] });
  const schemas = createSchemas(contract);
  const started = cpuTime();
  for (const [fill, end] of [
    ['a.', '\u0000'],
    ['/a', '\u0000'],
    ['http://', ''],
    ['A=', '!'],
    ['P', '\u0000'],
  ] as const) {
    const body = Object.fromEntries(FORMATS.map((format) => [format, fill.repeat(1_000_000) + end]));
    const wrong = new Set(schemas.problems('/components/schemas/Forms', body).map(({ at }) => at.slice(1)));
    expect(FORMATS.filter((format) => !wrong.has(format))).toEqual([]);
  }
  const body = Object.fromEntries(
    CATASTROPHIC.map(([, fill, end], index) => [`pattern${index}`, fill.repeat(300_000) + end]),
  );
  expect(schemas.problems('/components/schemas/Forms', body)).toHaveLength(CATASTROPHIC.length);
  expect(cpuTime() - started).toBeLessThan(10_000);
});

test('a long base64 text is valid base64', async () => {
  const schemas = createSchemas(await loadContract({ overlays: [FORMS] }));
  const byte = Buffer.alloc(3_000_000, 'x').toString('base64');
  expect(schemas.problems('/components/schemas/Forms', { byte })).toEqual([]);
});

test('only own members of an answer count, even if a field has the name of an inherited one', async () => {
  const type = 'string';
  const Optional = { type: 'object', properties: { constructor: { type }, toString: { type } } };
  const Required = { ...Optional, required: ['constructor', 'toString'] };
  const overlay = overlayOf([{ target: '$.components.schemas', update: { Optional, Required } }], 'observed');
  const schemas = createSchemas(await loadContract({ overlays: [overlay] }));
  expect(schemas.problems('/components/schemas/Optional', { v: 1 })).toEqual([]);
  const missing = schemas.problems('/components/schemas/Required', { v: 1 });
  expect(missing.map(({ at, keyword }) => `${at} ${keyword}`)).toEqual(['/constructor required', '/toString required']);
});

test('field names made to slow down patterns are matched in time', async () => {
  const contract = await loadContract({ overlays: [FORMS] });
  const started = cpuTime();
  const unknown: string[] = [];
  const body = { [`${'key'.repeat(100_000)}!`]: 1, keykeey: 'known' };
  walk(describe(contract, ['/components/schemas/Forms']), body, ({ kind, at }) => {
    if (kind === 'unknown') unknown.push(at);
  });
  expect(unknown).toEqual([`/${'key'.repeat(100_000)}!`]);
  expect(cpuTime() - started).toBeLessThan(5_000);
});
