import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { pack, unpack } from '../../page/link.ts';

const SNAPSHOT = {
  clock: '2031-05-01T00:00:00.000Z',
  scenarios: [{ name: 'slow ✓', rules: [] }],
  state: { 'cust-1001': { cards: [{ cardId: 'card-1' }] } },
};

function packed(text: string): string {
  return deflateRawSync(text).toString('base64url');
}

test('a link holds a snapshot as base64url', async () => {
  const text = await pack(SNAPSHOT);
  expect(text).toMatch(/^[\w-]+$/);
  expect(await unpack(text)).toEqual(SNAPSHOT);
  expect(await unpack(await pack({}))).toEqual({ clock: null, scenarios: [], state: {} });
});

test('a state that needs more than 100 kB gets no link', async () => {
  const noise = Array.from({ length: 20_000 }, (_, index) => Math.sin(index));
  await expect(pack({ state: { all: { noise } } })).rejects.toThrow(/at most 100 kB; this state needs \d{3} kB/);
});

test.for([
  ['text that is not base64url', '%%%', /damaged/],
  ['bytes that are not deflated', 'AAAA', /damaged/],
  ['a link that was cut', packed(JSON.stringify(SNAPSHOT)).slice(0, -9), /damaged/],
  ['text that is not JSON', packed('hello'), /damaged/],
  ['a list', packed('[]'), /damaged/],
  ['an unknown member', packed('{"token":"x"}'), /damaged/],
  ['a clock without a time', packed('{"clock":"soon"}'), /damaged/],
  ['a scenario that is no object', packed('{"scenarios":["slow"]}'), /damaged/],
  ['a state that is a list', packed('{"state":[]}'), /damaged/],
  ['records that are no object', packed('{"state":{"a":null}}'), /damaged/],
  ['deep nesting', packed(`{"state":{"a":${'{"b":'.repeat(50_000)}1${'}'.repeat(50_000)}}}`), /damaged/],
  ['100,001 characters', 'A'.repeat(100_001), /larger than 100 kB/],
  ['60 MB of zeros', packed('0'.repeat(60_000_000)), /more than 1 MB/],
])('a link that is damaged or too large is refused: %s', async ([, link, message]) => {
  await expect(unpack(link as string)).rejects.toThrow(message as RegExp);
});
