import { bytes, good, sent } from './answers.ts';
import { type Change, firstWhole, type Kind, twofold, unrecorded, whole } from './change.ts';
import { answering, bodyOf, edits, gone, set, values } from './edits.ts';
import { answerOf, type Body, randomFrom } from './world.ts';

const SETTLED = 'getTransaction /paymentProviderDetails/settlementDate';
const PARTS = 'getCard /reference/parts';
const ACCOUNT = 'getCard /byAccount/acc-9009';
const cards = (edit: (card: Body) => Body): Body[] => [1, 2].map((seed) => edit(answerOf('getCard', randomFrom(seed))));

export const DOCUMENTED: Kind = {
  kind: 'a documented type, format, required field or value is contradicted',
  changes: [
    ...firstWhole(
      values('error type-contradicted', [
        ['an integer is a string', 'getCard /cardLimitDaily', '100'],
        ['an integer has a fraction', 'getCard /cardLimitMonthly', 10.5],
        ['an integer is a boolean', 'getCard /cardLimitTransaction', true],
        ['a string is a number', 'getCard /token', 4711],
        ['a string is null', 'getCard /cardProgramme', null],
        ['a string is an object', 'getCard /cardDesign', { id: 'x' }],
        ['a string is a list', 'getClient /paymentProvider', ['a']],
        ['a boolean is a string', 'getBeneficiaries /*/visible', 'yes'],
        ['a field of some items of a list', 'getAccounts /accounts/0/ibanForSwift', 7, '/accounts/*/ibanForSwift'],
        ['a field of all items of a list', 'getAccounts /accounts/*/wireRoutingNumber', null],
        ['an object is a list', 'getTransaction /paymentProviderDetails', []],
        ['a nested number is a string', 'getTransaction /paymentProviderDetails/rate', '1.5'],
        ['a nested string is a number', 'getTransaction /paymentProviderDetails/shortReference', 7],
        ['a date-time is a number', SETTLED, 1795000000],
      ]),
    ),
    ...values('error format-contradicted', [
      ['a date-time is a local date', SETTLED, '20.11.2026'],
      ['a date-time is a date', SETTLED, '2026-11-20'],
      ['a date-time has no zone', SETTLED, '2026-11-20T10:00:00'],
    ]),
    ...values('error value-contradicted', [['a date-time is not in UTC', SETTLED, '2026-11-20T10:00:00+02:00']]),
    whole(answering.getCard('an object is a text', bytes('"a card"'), 'error type-contradicted')),
    answering.getCard(
      'an answer is a list',
      sent((card) => [card]),
      'error type-contradicted',
    ),
    answering.getClient('an object is null', bytes('null'), 'error type-contradicted'),
    ...values('error type-contradicted', [
      ['an integer is a string, without a recording', 'getCard /cardLimitDaily', '1'],
    ]).map(unrecorded),
  ],
};

export const RECORDED: Kind = {
  kind: 'a recorded field is missing or changed',
  changes: [
    ...firstWhole(
      gone([
        ['a field is gone', 'getCard /id'],
        ['a documented field is gone', 'getCard /cardLimitDaily'],
        ['an object is gone', 'getCard /reference'],
        ['a nested field is gone', 'getCard /reference/code'],
        ['a field of nested items is gone', `${PARTS}/*/n`],
        ['a field of a documented object is gone', 'getTransaction /paymentProviderDetails/rate'],
      ]),
    ),
    ...values('info parameter-echoed-differently', [['another card than asked for', 'getCard /cardId', 'k-5']]).map(
      unrecorded,
    ),
    {
      name: 'a field is gone from every second answer',
      whole: true,
      answer: {
        getCard: (response, count, { id: _, ...card }) => count % 2 === 0 && good(200)(response, count, card),
      },
      finds: ['warning required-missing getCard /id'],
    },
    {
      ...bodyOf.getCardFees(
        'a field of some items is gone',
        ({ fees }) => void fees.push({ name: 'x' }),
        'warning required-missing /fees/*/amount',
      ),
      says: [/there in \d+ of \d+ places/],
    },
    {
      name: 'a field of some answers is gone',
      answer: {
        getCardFees: (response, count, { fees }) => {
          if (count % 2 === 0) return false;
          return bytes(JSON.stringify({ fees: fees.map(({ name }: Body) => ({ name })) }))(response, count, null);
        },
      },
      finds: ['warning required-missing getCardFees /fees/*/amount'],
      says: [/there in \d+ of \d+ places/],
    },
    ...edits('warning required-missing', [
      [
        'a field of all items is gone',
        'listClientCards /cards/*/id',
        (list) => ({ ...list, cards: cards(({ id: _, ...card }) => card) }),
      ],
    ]),
    ...values('warning required-missing', [['a value of a map lost a field', ACCOUNT, {}, '/byAccount/*/balance']]),
    ...values('warning object-replaced', [
      ['all fields of an item are gone', 'listClientCards /cards', [{}], '/cards/*'],
    ]),
    ...values('warning type-contradicted', [
      ['a string is a number', 'getCard /id', 4],
      ['a number is a string', 'getCard /balance', '4.50'],
      ['a boolean is a string', 'getCard /active', 'true'],
      ['a nullable string is a number', 'getCard /alias', 7],
      ['null appeared', 'getCard /opened', null],
      ['null appeared for an object', 'getCard /reference', null],
      ['null appeared for a list', 'getCard /tags', null],
      ['null appeared in a list', 'getCard /tags', ['a', null], '/tags/*'],
      ['a whole number in a string is a number', PARTS, [{ n: 1, rate: '1.25' }], '/reference/parts/*/n'],
      ['a value of a map changed its type', ACCOUNT, { balance: 'x' }, '/byAccount/*/balance'],
      ['a field of list items changed its type', 'getAccountFees /fees/0/name', 7, '/fees/*/name'],
    ]),
    ...values('warning format-contradicted', [
      ['a date has another format', 'getCard /opened', '20/11/2026'],
      ['a date-time has another format', 'getCard /updatedAt', '2026-11-20 10:00'],
      ['a uuid is another id', 'getCard /trace', 'T-4711'],
      ['an email address is a name', 'getCard /contact', 'Ms Doe'],
      ['a link is a word', 'getCard /terms', 'see below'],
      ['the only recorded date-time became a date', 'getClient /memberSince', '2024-05-01'],
      ['the only recorded date-time has a local format', 'getClient /memberSince', '31/01/2029'],
      ['the only recorded date has a local format', 'getClient /birthDate', '31.12.1990'],
    ]),
    ...values('warning value-contradicted', [
      ['the only recorded date-time lost its T', 'getClient /memberSince', '2024-05-01 10:00:00Z'],
      ['the only recorded IBAN became an account number', 'getClient /iban', '20201555555555'],
      ['a whole number in a string has letters', PARTS, [{ n: 'A1', rate: '1.25' }], '/reference/parts/*/n'],
      ['a decimal number in a string has another sign', PARTS, [{ n: '1', rate: '1,25' }], '/reference/parts/*/rate'],
    ]),
    {
      name: 'a format in every second answer only',
      answer: {
        getClient: (response, count, client) =>
          count % 2 === 1 && bytes(JSON.stringify({ ...client, memberSince: 'lately' }))(response, count, client),
      },
      finds: [],
    },
  ],
};

export const STRUCTURE: Kind = {
  kind: 'lists become objects, objects become lists, or both are wrapped',
  changes: [
    ...firstWhole(
      values('warning type-contradicted', [
        ['a list is a string', 'getCard /tags', 'a, b'],
        ['a list is an object', 'getCard /tags', { 0: 'a' }],
        ['items are wrapped', 'getCard /tags', [{ name: 'a' }], '/tags/*'],
      ]),
    ),
    ...edits('warning type-contradicted', [
      ['an object is a list', 'getCard /reference', (card) => ({ ...card, reference: [card.reference] })],
      ['the list of the answer is an object', 'getCardFees /fees', ({ fees }) => ({ fees: { first: fees[0] } })],
    ]),
    answering.getBeneficiaries(
      'a top-level list is wrapped',
      sent((list) => ({ items: list })),
      'warning fields-moved',
    ),
    answering.listClientCards(
      'the envelope of a documented list is gone',
      sent((list) => list.cards),
      'warning type-contradicted',
    ),
    answering.getCardFees(
      'an envelope is gone',
      sent((list) => list.fees),
      'warning type-contradicted',
    ),
    ...edits('warning fields-renamed', [
      ['the list of the answer has another name', 'getAccountFees', ({ fees }) => ({ items: fees })],
    ]),
    ...firstWhole(
      edits('warning fields-moved', [
        ['an answer is wrapped', 'getCard', (card) => ({ data: card })],
        ['a small object is wrapped', 'getCardFees', (list) => ({ data: list })],
        ['an answer of a deprecated form is wrapped', 'getCardFeesDeprecated', (list) => ({ data: list })],
        [
          'an answer is wrapped twice, beside what else the envelope holds',
          'getCard',
          (card) => ({ data: { card }, meta: {} }),
        ],
        [
          'a nested list is wrapped',
          PARTS,
          ({ reference, ...card }) => ({ ...card, reference: { ...reference, parts: { items: reference.parts } } }),
        ],
        [
          'each item is wrapped',
          'listClientCards /cards/*',
          (list) => ({ ...list, cards: cards((card) => ({ node: card })) }),
        ],
        [
          'some fields are put together',
          'getCard',
          ({ contact, terms, trace, ...card }) => ({ ...card, links: { contact, terms, trace } }),
        ],
        ['the object around some fields is gone', 'getCard', ({ reference, ...card }) => ({ ...card, ...reference })],
      ]),
    ),
    twofold(
      bodyOf.getTransaction(
        'an object is removed, and one of its fields is moved: two changes',
        ({ id, ...one }) => ({ ...one, about: { id } }),
        'warning required-missing /id',
        'warning unrecorded-field /about',
      ),
    ),
    ...edits('warning object-replaced', [
      ['an error is sent as a success', 'getCard', () => ({ code: 17, message: 'no such card' })],
      ['an answer is an empty object', 'getCard', () => ({})],
      ['a notice that has the name of one field', 'getCard', () => ({ alias: 'maintenance' })],
    ]),
  ],
};

const refreshed = (issued: Record<string, unknown>): Record<string, unknown> => ({ ...issued, refresh: 'x' });

export const NEW: Kind = {
  kind: 'a new field',
  changes: [
    ...firstWhole(
      values('warning unrecorded-field', [
        ['a new field', 'getCard /fresh', 1],
        ['a new object', 'getCard /fresh', { a: { b: 1 } }],
        ['a new field of a nested object', 'getCard /reference/fresh', 1],
        ['a new field of nested items', PARTS, [{ n: '1', rate: '1.25', fresh: 1 }], '/reference/parts/*/fresh'],
        ['a new field of list items', 'getCardFees /fees/0/fresh', 1, '/fees/*/fresh'],
        ['a new field of a map’s values', ACCOUNT, { balance: 1, fresh: 1 }, '/byAccount/*/fresh'],
        ['a new field of a documented object', 'getTransaction /paymentProviderDetails/fresh', 'x'],
        ['a new field beside a list', 'listClientCards /total', 3],
      ]),
    ),
    {
      ...bodyOf.getCard(
        'a new field that the configuration calls harmless',
        set('/fresh', 1),
        'info unrecorded-field /fresh',
      ),
      options: { severity: { 'unrecorded-field': { severity: 'info', reason: 'new fields are harmless' } } },
      says: [/The configuration makes it info, not warning: new fields are harmless/],
    },
    {
      ...bodyOf.getCard(
        'an error that the configuration cannot lower',
        set('/cardDesign', 1),
        'error type-contradicted /cardDesign',
      ),
      options: { severity: { 'type-contradicted': { severity: 'info', reason: 'wrong' } } },
    },
    answering.getCardFees(
      'a new field that is sometimes null, and otherwise has two types',
      sent(({ fees: [fee] }) => ({ fees: [null, { id: 'x' }, 'x'].map((fresh) => ({ ...fee, fresh })) })),
      'warning unrecorded-field /fees/*/fresh',
    ),
    ...values('info undocumented-field', [
      ['an undocumented field, without a recording', 'getTransaction /fresh', 1],
    ]).map(unrecorded),
    {
      name: 'an undocumented field of the token response',
      unrecorded: true,
      token: refreshed,
      finds: ['info undocumented-field getToken /refresh'],
    },
    {
      name: 'a new field of the token response',
      token: refreshed,
      finds: ['warning unrecorded-field getToken /refresh'],
    },
  ],
};

const structured = ({ fees }: Body): Body => ({ fees: { first: fees[0] } });

export const ASSUMED: Kind = {
  kind: 'an assumption of the mock is contradicted',
  changes: firstWhole([
    ...values('info type-contradicted', [['a field has another type than the mock assumes', 'getCard /cardId', 4711]]),
    ...values('info value-contradicted', [['a state unknown to the mock', 'getClient /status', 'DORMANT']]),
    ...values('info format-contradicted', [['a time in another format', 'getTransaction /createdAt', 'yesterday']]),
    {
      name: 'fees in another structure',
      body: { getAccountFees: structured, getAccountFeesDeprecated: structured },
      finds: ['info type-contradicted getAccountFees /fees', 'info type-contradicted getAccountFeesDeprecated /fees'],
    },
  ]).map(
    (change): Change => ({
      ...change,
      unrecorded: true,
      says: [/The mock assumes otherwise: change .*assumptions\.overlay\.yaml:\d+/],
    }),
  ),
};
