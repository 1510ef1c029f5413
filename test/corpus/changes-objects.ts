import { firstWhole, type Kind } from './change.ts';
import { answerOf, type Body, randomFrom } from './world.ts';

/** A card is changed everywhere: by itself, and in a list with at least one card. */
const CHANGES: readonly (readonly [name: string, finding: string, edit: (card: Body) => Body])[] = [
  [
    'a documented number is a string',
    'error type-contradicted null /cardLimitDaily',
    (one) => ({ ...one, cardLimitDaily: 'much' }),
  ],
  ['a recorded flag is a string', 'warning type-contradicted null /active', (one) => ({ ...one, active: 'yes' })],
  [
    'a date has another format',
    'warning format-contradicted null /cards/*/opened',
    (one) => ({ ...one, opened: '12.12.2012' }),
  ],
  ['a field is gone', 'warning required-missing null /cards/*/opened', ({ opened: _, ...one }) => one],
  ['a field is new', 'warning unrecorded-field null /cards/*/tier', (one) => ({ ...one, tier: 'gold' })],
  [
    'a deeper field is a number',
    'warning type-contradicted null /cards/*/reference/code',
    (one) => ({ ...one, reference: { ...one.reference, code: 5 } }),
  ],
  [
    'a deeper field is new',
    'warning unrecorded-field null /cards/*/reference/more',
    (one) => ({ ...one, reference: { ...one.reference, more: 5 } }),
  ],
  [
    'a field has another name',
    'warning fields-renamed null ',
    ({ cardDesign, ...one }) => ({ ...one, cardLook: cardDesign }),
  ],
  [
    'an object inside has other contents',
    'warning object-replaced null /cards/*/reference',
    (one) => ({ ...one, reference: { a: 1, b: 2 } }),
  ],
];

export const OBJECTS: Kind = {
  kind: 'a change of an object in a list and in a single answer is one finding',
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

const withoutNulls = (body: Body): Body =>
  JSON.parse(JSON.stringify(body, (_, value) => (value === null ? undefined : value)));

export const NULLS: Kind = {
  kind: 'fields with null that are left out are one finding',
  changes: firstWhole([
    {
      name: 'a client without nulls',
      body: { getClient: withoutNulls },
      finds: ['warning required-missing getClient '],
      says: [/^null became no such field in 2 places: getClient\.$/],
    },
    {
      name: 'no answer has nulls',
      body: { getClient: withoutNulls, getCard: ({ alias: _, ...card }) => card },
      finds: ['warning required-missing null '],
    },
    {
      name: 'one field with null is gone, the other one is still null',
      body: { getClient: ({ frozenBy: _, ...client }) => client },
      finds: ['warning required-missing getClient /frozenBy'],
    },
  ]),
};
