import { type Change, type Kind, whole } from './change.ts';
import { answerOf, type Body, randomFrom } from './world.ts';

/** A card is changed wherever it is shown: by itself, and in a list that has one at least. */
const card = (name: string, edit: (card: Body) => Body, ...finds: string[]): Change => ({
  name,
  body: {
    getCard: edit,
    listClientCards: (list) => ({
      ...list,
      cards: (list.cards.length > 0 ? list.cards : [answerOf('getCard', randomFrom(1))]).map(edit),
    }),
  },
  finds,
});

export const OBJECTS: Kind = {
  kind: 'one change of an object that a list and a single answer show is one finding',
  changes: [
    whole(
      card(
        'a documented number is a text',
        (one) => ({ ...one, cardLimitDaily: 'much' }),
        'error type-contradicted null /cardLimitDaily',
      ),
    ),
    card('a recorded flag is a text', (one) => ({ ...one, active: 'yes' }), 'warning type-contradicted null /active'),
    card(
      'a date is of another form',
      (one) => ({ ...one, opened: '12.12.2012' }),
      'warning format-contradicted null /cards/*/opened',
    ),
    card('a field is gone', ({ opened: _, ...one }) => one, 'warning required-missing null /cards/*/opened'),
    card('a field is new', (one) => ({ ...one, tier: 'gold' }), 'warning unrecorded-field null /cards/*/tier'),
    card(
      'a field deeper in it is a number',
      (one) => ({ ...one, reference: { ...one.reference, code: 5 } }),
      'warning type-contradicted null /cards/*/reference/code',
    ),
    card(
      'a field deeper in it is new',
      (one) => ({ ...one, reference: { ...one.reference, more: 5 } }),
      'warning unrecorded-field null /cards/*/reference/more',
    ),
    card(
      'a field has another name',
      ({ cardDesign, ...one }) => ({ ...one, cardLook: cardDesign }),
      'warning fields-renamed null ',
    ),
    card(
      'an object in it holds something else',
      (one) => ({ ...one, reference: { a: 1, b: 2 } }),
      'warning object-replaced null /cards/*/reference',
    ),
  ],
};
