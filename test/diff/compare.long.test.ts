import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { Contract } from '../../src/contract/contract.ts';
import { loadContract } from '../../src/contract/load.ts';
import { answersOf } from '../../src/diff/contracts.ts';
import { judge } from '../../src/judge/judge.ts';
import { makeRecording } from '../../src/learn/recording.ts';
import { gather } from '../../src/learn/sightings.ts';
import type { Json } from '../../src/schema/json.ts';
import { call } from '../judge/calls.ts';
import { documentedFolder } from './documented.ts';

const directory = await mkdtemp(join(tmpdir(), 'compare-'));
afterAll(() => rm(directory, { recursive: true }));
const own = await loadContract();
const documented = await loadContract({ folder: await documentedFolder(directory) });

async function learned(contract: Contract, operationId: string, values: readonly Json[]): Promise<Contract> {
  const sightings = values.map((value) => ({
    operationId,
    status: 200,
    type: 'application/json',
    json: { value },
    empty: false,
  }));
  const { text } = makeRecording(contract, gather(sightings));
  return loadContract({ folder: contract.folder, overlays: [{ file: 'recording.yaml', text }] });
}

const name = fc.constantFrom(
  'alpha',
  'beta',
  'gamma',
  'kind',
  'cardProgramme',
  'cardLimitDaily',
  'token',
  'serial',
  'part',
);
const scalar = fc.constantFrom<Json[]>(
  ...['abc', '2025-01-01', '2025-01-01T00:00:00Z', '2025-01-01T00:00:00', '12', '12.5', 'x@bank.example'],
  ...['https://bank.example', '00000000-0000-4000-8000-000000000000', 1, 1.5, true, null],
);
const objectOf = (depth: number): fc.Arbitrary<Record<string, Json>> =>
  fc.dictionary(name, someOf(depth - 1), { minKeys: 1, maxKeys: 5 });
// One item is enough: a recording of two items does not show which members occur together.
const someOf = (depth: number): fc.Arbitrary<Json> =>
  depth === 0
    ? scalar
    : fc.oneof(scalar, objectOf(depth), fc.tuple(someOf(depth - 1)) as unknown as fc.Arbitrary<Json>);
const body = fc.oneof(objectOf(3), fc.tuple(objectOf(2)) as unknown as fc.Arbitrary<Json>);

const isObject = (value: Json): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const ofObject = (edit: (entries: [string, Json][]) => [string, Json][]) => (value: Json) =>
  isObject(value) ? Object.fromEntries(edit(Object.entries(value))) : value;
const renamed = (value: Json, by: (key: string) => string): Json => {
  if (Array.isArray(value)) return value.map((item: Json) => renamed(item, by));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [by(key), renamed(child, by)]));
};
const withoutFirst = ofObject((entries) => entries.slice(1));
const edits: ((value: Json) => Json)[] = [
  (value) => value,
  (value) => ({ data: value }),
  withoutFirst,
  ofObject((entries) => [...entries, ['fresh', { code: 'A', list: [1] }]]),
  ofObject((entries) => entries.map(([key, value]) => [key, typeof value === 'string' ? 7 : value])),
  ofObject((entries) => entries.map(([key, value]) => [key, withoutFirst(value)])),
  ofObject((entries) => entries.flatMap(([key, value]) => (isObject(value) ? Object.entries(value) : [[key, value]]))),
  ofObject((entries) => [...entries, ['alpha', null]]),
  (value) => renamed(value, (key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
  (value) => renamed(value, (key) => key.toUpperCase()),
  ofObject((entries) => entries.map(([key, child]) => [typeof child === 'object' ? `${key}Of` : key, child])),
  ofObject(([first, ...others]) => (first === undefined ? [] : [...others, ['about', Object.fromEntries([first])]])),
];

test.each([
  ['getCardFees', own],
  ['getCard', own],
  ['listClientCards', own],
  ['getItem', documented],
  ['showItem', documented],
  ['listItems', documented],
] as const)(
  'diff of two recordings equals the judgement of the answers behind the second recording: %s',
  async (operationId, contract) => {
    const samples = fc.array(body, { minLength: 1, maxLength: 3 });
    const edit = fc.constantFrom(...edits);
    await fc.assert(
      fc.asyncProperty(samples, fc.option(body), edit, async (seen, another, change) => {
        const now = change(another ?? seen[0] ?? null);
        const before = await learned(contract, operationId, seen);
        const after = await learned(contract, operationId, [now]);
        const recording = true;
        const answers = await answersOf({ contract: before, recording }, { contract: after, recording });
        const by = { contract: before, redact: (text: string) => text };
        const told = judge({ ...by, ...answers, occasion: 'diff' });
        // a recorded format counts once two reads contradict it
        const live = judge({ ...by, calls: [now, now].map((json) => call(operationId, { json })) });
        const identities = ({ findings }: typeof told) =>
          findings.map(
            ({ fingerprint, severity, rule, pointer, expected, location }) =>
              `${fingerprint} ${severity} ${rule} ${pointer} ${expected} ${location?.line}`,
          );
        expect(identities(told)).toEqual(identities(live));
      }),
      {
        numRuns: 40,
        examples: [
          [[{ alpha: ['2025-01-01T00:00:00Z'] }, { alpha: 'abc' }], null, (value) => value],
          [[{ alpha: 1, part: '2025-01-01T00:00:00' }], null, (value) => value],
        ],
      },
    );
  },
  60_000,
);
