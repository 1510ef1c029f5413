import type { Compatibility } from '../../src/model/finding.ts';
import { status } from './answers.ts';
import { type Change, firstWhole, type Kind, unrecorded } from './change.ts';
import { answering, edits } from './edits.ts';
import type { Body } from './world.ts';

const recordingCut = (cut: number): Change => ({ name: `cut at ${cut} %`, cut, finds: [], unclear: [] });

export const CUT: Kind = {
  kind: 'only the remaining part of a truncated recording counts',
  changes: [
    ...firstWhole([37, 20, 52, 75, 99].map(recordingCut)),
    {
      ...recordingCut(95),
      name: 'a truncated recording, and drift in its remaining part',
      body: { getCard: ({ cardDesign: _, ...card }: Body) => card },
      finds: ['warning required-missing getCard /cardDesign'],
    },
  ],
};

/** List items in a place that neither the structure nor a recording reveals. */
export const PLACES: Kind = {
  kind: 'list items are located by their documented fields',
  changes: firstWhole(
    edits('error type-contradicted', [
      [
        'cards by their ids',
        'listClientCards /cards/*/cardLimitDaily',
        () => ({ page: 1, cards: { a1: { cardDesign: 'd', cardLimitDaily: 'x' } } }),
      ],
      [
        'accounts in an envelope, beside a list of links',
        'getAccounts /data/accounts/*/ibanForSwift',
        () => ({ links: [{ rel: 'x' }], data: { accounts: [{ accountId: 'a', ibanForSwift: 7 }] } }),
      ],
    ]),
  ).map(unrecorded),
};

const means = (compatibility: Compatibility, change: Change): Change => ({
  ...change,
  says: [new RegExp(`: ${compatibility}$`)],
});

/** Facts of answers that no sample teaches. */
const limited = (path: string, field: string, schema: string): string =>
  `  - target: $.paths['${path}'].get.responses['200'].content['application/json'].schema
    update: { properties: { ${field}: ${schema} } }
`;
const LIMITED =
  limited('/core/api/customers/{customerId}/clients/{clientId}', 'paymentProvider', '{ enum: [Nord, Süd] }') +
  limited('/wallet/api/customers/{customerId}/cards/{cardId}', 'cardLimitDaily', '{ maximum: 1000 }');

export const COMPATIBILITY: Kind = {
  kind: 'the compatibility of a change',
  changes: firstWhole([
    ...edits('warning required-missing', [
      ['a field is gone', 'getCard /cardDesign', ({ cardDesign: _, ...card }) => card],
    ]).map((change) => means('breaking', change)),
    ...edits('warning unrecorded-field', [['a field is new', 'getCard /tier', (card) => ({ ...card, tier: 1 })]]).map(
      (change) => means('additive', change),
    ),
    ...edits('warning value-contradicted', [
      ['an enum has a new word', 'getClient /paymentProvider', (client) => ({ ...client, paymentProvider: 'West' })],
      ['a limit is wider', 'getCard /cardLimitDaily', (card) => ({ ...card, cardLimitDaily: 1001 })],
    ]).map((change) => means('breaking', { ...change, overlay: LIMITED })),
    ...edits('warning type-contradicted', [
      ['null is new', 'getClient /frozen', (client) => ({ ...client, frozen: null })],
      ['a type changed', 'getCard /active', (card) => ({ ...card, active: 'yes' })],
    ]).map((change) => means('breaking', change)),
    means('breaking', answering.getCard('a refusal', status(403), 'warning status-changed')),
    means('unknown', answering.getCard('an operation fails', status(500), 'error operation-failing')),
  ]),
};
