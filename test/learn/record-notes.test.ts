import { beforeAll, expect, test } from 'vitest';
import type { Contract } from '../../src/contract/contract.ts';
import { loadContract } from '../../src/contract/load.ts';
import { makeRecording, type Recording } from '../../src/learn/recording.ts';
import { gather, type Sighting } from '../../src/learn/sightings.ts';

let contract: Contract;
beforeAll(async () => {
  contract = await loadContract();
});

const BODY = { list: [{ b: { x: 1 }, c: 1 }], z: 1 };
const JSON_TYPE = 'application/json';

function seen(value: unknown, over: Partial<Sighting> = {}): Sighting {
  return { operationId: 'getCardFees', status: 200, type: JSON_TYPE, json: { value }, empty: false, ...over };
}

/** Begun anew: only then does anything go that a note can stand on. */
function again(over: string, ...sightings: Sighting[]): Recording {
  return makeRecording(contract, gather(sightings), { over, fresh: true });
}

const linesOf = ({ changes }: Recording): string[] =>
  changes.map(({ sign, place, what }) => `${sign} ${place}: ${what}`);

/** A recording in which a person has written. */
function noted(): string {
  const plain = makeRecording(contract, gather([seen(BODY)])).text;
  // each keeps the indentation of its line
  const edits: [RegExp, string][] = [
    [/^( *)description: Observed\.$/m, '$1description: My own text\n$1x-note: on the status # of the night'],
    [
      /^( *)z: \{ type: integer \}$/m,
      '$1# asked on Monday\n$1z: { type: integer, description: cents, x-note: [1, 2] } # eol',
    ],
    [/^( *)c: \{ type: integer \}$/m, '$1c: { type: integer, x-note: keep } # of an item'],
  ];
  return edits.reduce((text, [from, to]) => {
    expect(text).toMatch(from);
    return text.replace(from, to);
  }, plain);
}

test('the description of a response that a person wrote stays', () => {
  const { text } = again(noted(), seen({ ...BODY, z: 'now' }));
  expect(text).toContain('description: My own text');
  expect(text).not.toContain('Observed.');
});

test('notes go along where the one recorded success becomes another status, or its type another type', () => {
  for (const over of [
    { status: 201 },
    { type: 'application/hal+json' },
    { status: 202, type: 'application/hal+json' },
  ]) {
    const moved = again(noted(), seen(BODY, over));
    for (const note of ['My own text', 'on the status', 'of the night', 'asked on Monday', 'cents', 'keep', '# eol']) {
      expect([over, moved.text.includes(note)]).toEqual([over, true]);
    }
    expect(linesOf(moved).filter((line) => line.includes('note'))).toEqual([]);
    expect(moved.text).toContain(`'${over.status ?? 200}':`);
    expect(moved.text).toContain(`${over.type ?? JSON_TYPE}:`);
    expect(moved.text).not.toMatch(over.status === undefined ? /application\/json/ : /'200':/);
  }
});

test('a note that goes with its field is told, each once, in full and with its place', () => {
  const gone = again(noted(), seen({ list: [{ b: { x: 1 } }] }));
  expect(linesOf(gone)).toEqual([
    '- 200 /list/*/c: integer',
    '- 200 /list/*/c: note gone, # of an item',
    '- 200 /list/*/c: note gone, x-note: keep',
    '- 200 /z: integer',
    '- 200 /z: note gone, # asked on Monday',
    '- 200 /z: note gone, # eol',
    '- 200 /z: note gone, description: cents',
    '- 200 /z: note gone, x-note: [1,2]',
  ]);
  expect(gone.changes.every(({ target }) => target.includes('/card/fees/'))).toBe(true);
});

test('a note that goes with its list, its body or one of two successes is told too', () => {
  const told = (...sightings: Sighting[]): string => linesOf(again(noted(), ...sightings)).join('\n');
  expect(told(seen({ z: 1, list: 'none' }))).toContain('- 200 /list/*/c: note gone, x-note: keep');
  expect(told(seen('', { type: null, empty: true }))).toContain('- 200 /z: note gone, description: cents');
  const both = told(seen({ a: 1 }, { status: 201 }), seen({ a: 1 }, { status: 202 }));
  expect(both).toContain('- 200: note gone, x-note: on the status');
  expect(both).toContain('- 200: note gone, description: My own text');
});

test('what was not touched by hand is no note', () => {
  const plain = makeRecording(contract, gather([seen({ a: 1, b: 2 })])).text;
  const both = linesOf(again(plain, seen({ a: 1 }, { status: 201 }), seen({ a: 1 }, { status: 202 })));
  expect(both.filter((line) => line.includes('note'))).toEqual([]);
  expect(again(noted(), seen(BODY)).changes).toEqual([]);
});

test('uniting loses no note', () => {
  for (const value of [{ a: 1 }, '', { list: 'none', z: null }, [1]]) {
    const { text, changes } = makeRecording(contract, gather([seen(value)]), { over: noted() });
    for (const note of ['My own text', 'on the status', 'of the night', 'asked on Monday', 'cents', 'keep', '# eol']) {
      expect([value, text.includes(note)]).toEqual([value, true]);
    }
    expect(changes.filter(({ what }) => what.includes('note'))).toEqual([]);
  }
});
