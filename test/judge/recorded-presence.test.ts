import { describe, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { judge } from '../../src/judge/judge.ts';
import { makeRecording } from '../../src/learn/recording.ts';
import { gather, sightingsOf } from '../../src/learn/sightings.ts';
import type { Call } from '../../src/model/call.ts';
import { call } from './calls.ts';

const bare = await loadContract();

const card = (id: string, more: object = {}) => ({ id, cardDesign: 'd', ...more });
const NICK = { nickname: 'x' };
const cards = (...list: object[]): Call => call('listClientCards', { json: { page: 1, cards: list } });
const ofCard = (...list: object[]): Call[] => list.map((json) => call('getCard', { json }));

/** Findings of later answers, compared with a recording of earlier ones. */
async function found(earlier: readonly Call[], later: readonly Call[]): Promise<string[]> {
  const { text } = makeRecording(bare, gather(sightingsOf(earlier)));
  const contract = await loadContract({ overlays: [{ file: 'recording.yaml', text }] });
  const { findings } = judge({ contract, calls: later, redact: (one) => one });
  return findings.map(({ rule, operationId, pointer }) => `${rule} ${operationId} ${pointer}`);
}

const MISSING = ['required-missing getCard /nickname'];

describe('a recorded field is always there', () => {
  test.each<[title: string, earlier: readonly Call[], found: readonly string[]]>([
    ['not after one record, however often it was asked', ofCard(card('a', NICK), card('a', NICK)), []],
    ['after two different records', ofCard(card('a', NICK), card('b', NICK)), MISSING],
    [
      'not if a list shows the same resource without it',
      [...ofCard(card('a', NICK), card('b', NICK)), cards(card('c', NICK), card('d'))],
      [],
    ],
    [
      'if a list shows it in further records',
      [...ofCard(card('a', NICK)), cards(card('b', NICK), card('c', NICK))],
      MISSING,
    ],
    ['if a list never shows it', [...ofCard(card('a', NICK), card('b', NICK)), cards(card('c'), card('d'))], MISSING],
    [
      'not if an operation of another resource shows its name in two records',
      [...ofCard(card('a', NICK)), call('getCardFees', { json: [NICK, { nickname: 'y' }] })],
      [],
    ],
  ])('%s', async (_, earlier, wanted) => {
    expect(await found(earlier, ofCard(card('z'), card('z')))).toEqual(wanted);
  });

  test.each<[title: string, body: object, found: readonly string[]]>([
    ['a list of objects is no field of a record', { page: 1 }, ['required-missing listClientCards /cards']],
    ['another member of the envelope is', { cards: [card('a')] }, []],
  ])('in an envelope: %s', async (_, body, wanted) => {
    expect(await found([cards(card('a'))], [call('listClientCards', { json: body })])).toEqual(wanted);
  });

  test('a requirement that a person wrote needs no record', async () => {
    const { text } = makeRecording(bare, gather(sightingsOf(ofCard(card('a', NICK)))));
    const overlays = [{ file: 'r.yaml', text: text.replace('x-seen: { records: 1 }', 'x-note: checked') }];
    const contract = await loadContract({ overlays });
    const { findings } = judge({ contract, calls: ofCard(card('z')), redact: (one) => one });
    expect(findings.map(({ pointer }) => pointer)).toEqual(['/nickname']);
  });
});
