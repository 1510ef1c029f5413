import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Contract, JsonObject } from '../../src/contract/contract.ts';
import { loadContract } from '../../src/contract/load.ts';
import { makeRecording } from '../../src/learn/recording.ts';
import { gather, type Sighting } from '../../src/learn/sightings.ts';

let contract: Contract;
beforeAll(async () => {
  contract = await loadContract();
});

function seen(operationId: string, value: unknown): Sighting {
  return { operationId, status: 200, type: 'application/json', json: { value }, empty: false };
}

/** What is recorded of a card of its own, and of one in a list. */
function learned(
  cards: readonly object[],
  lists: readonly (readonly object[])[],
): { own: JsonObject; listed: JsonObject } {
  const sightings = [
    ...cards.map((card) => seen('getCard', card)),
    ...lists.map((list) => seen('listClientCards', { cards: list })),
  ];
  const { text } = makeRecording(contract, gather(sightings));
  // recording the same again is the same
  expect(makeRecording(contract, gather(sightings), { over: text }).text).toBe(text);
  const [own, list] = parse(text).actions.map(
    ({ update }: { update: { responses: Record<string, { content: Record<string, { schema: JsonObject }> }> } }) =>
      update.responses['200']?.content['application/json']?.schema,
  );
  return { own: own.allOf[1], listed: list.properties.cards.items.allOf[1] };
}

const CARD = { id: 'k', note: 'x', cardProgramme: 'p' };

test('a field that comes and goes in a list may go in the single object', () => {
  const { own } = learned([CARD], [[CARD, { id: 'l', cardProgramme: 'q' }]]);
  expect(own.required).toEqual(['cardProgramme', 'id']);
  expect(own.properties).toMatchObject({ note: { type: 'string', 'x-seen': { in: 1, of: 2 } } });
});

test('null in the list may be null in the single object, and a field that was only ever null there is what it is here', () => {
  const { own, listed } = learned([{ ...CARD, alias: null }], [[CARD, { ...CARD, id: 'l', note: null, alias: 'a' }]]);
  expect(own.properties).toMatchObject({ note: { type: ['string', 'null'] }, alias: { type: ['string', 'null'] } });
  expect(listed.properties).toMatchObject({ alias: { type: ['string', 'null'] } });
});

test('a form is learned of the values of both, and lost where one of them has none', () => {
  const dated = (...days: readonly string[]) => days.map((opened, id) => ({ id: `i${id}`, opened }));
  const both = learned(dated('2025-01-01'), [dated('2025-01-02', '2025-01-03')]);
  expect(both.own.properties).toMatchObject({ opened: { format: 'date', 'x-seen': { values: 3 } } });
  const mixed = learned(dated('2025-01-01'), [dated('2025-01-02', 'soon')]);
  expect(mixed.own.properties).toMatchObject({ opened: { type: 'string' } });
  expect(JSON.stringify(mixed.own)).not.toContain('date');
});

test('a list that shows less takes nothing from the single object, and adds nothing to the list', () => {
  const short = Array.from({ length: 12 }, (_, id) => ({ id: `i${id}` }));
  const { own, listed } = learned([CARD], [short]);
  expect(own.required).toEqual(['cardProgramme', 'id', 'note']);
  expect(JSON.stringify(listed)).not.toContain('note');
});

test('what is a number here and a text there is no field of one sort', () => {
  const { own, listed } = learned([{ id: 1 }], [[{ id: 'a' }, { id: null }]]);
  expect(own.properties).toEqual({ id: { type: 'integer' } });
  expect(listed.properties).toMatchObject({ id: { type: ['string', 'null'] } });
});
