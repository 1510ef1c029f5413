import { firstWhole, type Kind } from './change.ts';
import { answerOf, type Body, randomFrom } from './world.ts';

/** A card is changed everywhere: by itself, and in a list with at least one card. */
const CHANGES: readonly (readonly [name: string, finding: string, edit: (card: Body) => Body])[] = [
  [
    'a documented number is a text',
    'error type-contradicted null /cardLimitDaily',
    (one) => ({ ...one, cardLimitDaily: 'much' }),
  ],
  ['a recorded flag is a text', 'warning type-contradicted null /active', (one) => ({ ...one, active: 'yes' })],
  [
    'a date is of another form',
    'warning format-contradicted null /cards/*/opened',
    (one) => ({ ...one, opened: '12.12.2012' }),
  ],
  ['a field is gone', 'warning required-missing null /cards/*/opened', ({ opened: _, ...one }) => one],
  ['a field is new', 'warning unrecorded-field null /cards/*/tier', (one) => ({ ...one, tier: 'gold' })],
  [
    'a field deeper in it is a number',
    'warning type-contradicted null /cards/*/reference/code',
    (one) => ({ ...one, reference: { ...one.reference, code: 5 } }),
  ],
  [
    'a field deeper in it is new',
    'warning unrecorded-field null /cards/*/reference/more',
    (one) => ({ ...one, reference: { ...one.reference, more: 5 } }),
  ],
  [
    'a field has another name',
    'warning fields-renamed null ',
    ({ cardDesign, ...one }) => ({ ...one, cardLook: cardDesign }),
  ],
  [
    'an object in it holds something else',
    'warning object-replaced null /cards/*/reference',
    (one) => ({ ...one, reference: { a: 1, b: 2 } }),
  ],
];

export const OBJECTS: Kind = {
  kind: 'one change of an object that a list and a single answer show is one finding',
  changes: firstWhole(
    CHANGES.map(([name, finding, edit]) => ({
      name,
      body: {
        getCard: edit,
        listClientCards: (list) => ({
          ...list,
          cards: (list.cards.length > 0 ? list.cards : [answerOf('getCard', randomFrom(1))]).map(edit),
        }),
      },
      finds: [finding],
    })),
  ),
};
