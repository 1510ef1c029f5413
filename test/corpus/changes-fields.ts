import { bytes } from './answers.ts';
import { type Change, drop, type Kind } from './change.ts';
import { body, gone, items, set, values } from './edits.ts';
import { answerOf, type Body, randomFrom, type Served } from './world.ts';

export const DOCUMENTED: Kind = {
  kind: 'a documented type, format, required field or value is contradicted',
  changes: [
    {
      ...body(
        'an integer is a string',
        'getCard',
        set('cardLimitDaily')('100'),
        'error type-contradicted getCard /cardLimitDaily',
      ),
      whole: true,
    },
    ...values('error type-contradicted', 'getCard', [
      ['an integer has a fraction', '/cardLimitMonthly', 10.5],
      ['an integer is a boolean', '/cardLimitTransaction', true],
      ['a string is a number', '/token', 4711],
      ['a string is null', '/cardProgramme', null],
      ['a string is an object', '/cardDesign', { id: 'x' }],
    ]),
    body(
      'a boolean is a string',
      'getBeneficiaries',
      items('', 'visible', 'yes'),
      'error type-contradicted getBeneficiaries /*/visible',
    ),
    body(
      'a field of some items of a list',
      'getAccounts',
      items('accounts', 'ibanForSwift', 7, (index) => index === 0),
      'error type-contradicted getAccounts /accounts/*/ibanForSwift',
    ),
    body(
      'a field of all items of a list',
      'getAccounts',
      items('accounts', 'wireRoutingNumber', null),
      'error type-contradicted getAccounts /accounts/*/wireRoutingNumber',
    ),
    body(
      'a string is a list',
      'getClient',
      set('paymentProvider')(['a']),
      'error type-contradicted getClient /paymentProvider',
    ),
    ...values('error type-contradicted', 'getTransaction', [
      ['an object is a list', '/paymentProviderDetails', []],
      ['a nested number is a string', '/paymentProviderDetails/rate', '1.5'],
      ['a nested string is a number', '/paymentProviderDetails/shortReference', 7],
    ]),
    ...values('error format-contradicted', 'getTransaction', [
      ['a date-time is a local date', '/paymentProviderDetails/settlementDate', '20.11.2026'],
      ['a date-time is a date', '/paymentProviderDetails/settlementDate', '2026-11-20'],
      ['a date-time has no zone', '/paymentProviderDetails/settlementDate', '2026-11-20T10:00:00'],
    ]),
    body(
      'a date-time is not in UTC',
      'getTransaction',
      set('paymentProviderDetails', 'settlementDate')('2026-11-20T10:00:00+02:00'),
      'error value-contradicted getTransaction /paymentProviderDetails/settlementDate',
    ),
    body(
      'a date-time is a number',
      'getTransaction',
      set('paymentProviderDetails', 'settlementDate')(1795000000),
      'error type-contradicted getTransaction /paymentProviderDetails/settlementDate',
    ),
    {
      name: 'an object is a text',
      answer: { getCard: bytes('"a card"') },
      finds: ['error type-contradicted getCard '],
      whole: true,
    },
    {
      name: 'an answer is a list',
      answer: { getCard: (response, count, card) => bytes(JSON.stringify([card]))(response, count, card) },
      finds: ['error type-contradicted getCard '],
    },
    { name: 'an object is null', answer: { getClient: bytes('null') }, finds: ['error type-contradicted getClient '] },
    {
      ...body(
        'an integer is a string, without a recording',
        'getCard',
        set('cardLimitDaily')('1'),
        'error type-contradicted getCard /cardLimitDaily',
      ),
      unrecorded: true,
    },
  ],
};

export const RECORDED: Kind = {
  kind: 'a field that was recorded has gone or changed',
  changes: [
    {
      ...body('a field is gone', 'getCard', (card) => drop(card, 'id'), 'warning required-missing getCard /id'),
      whole: true,
    },
    ...gone('getCard', [
      ['a documented field is gone', '/cardLimitDaily'],
      ['an object is gone', '/reference'],
      ['a nested field is gone', '/reference/code'],
    ]),
    body(
      'a field of nested items is gone',
      'getCard',
      (card) =>
        card.reference.parts.forEach((part: Body) => {
          drop(part, 'n');
        }),
      'warning required-missing getCard /reference/parts/*/n',
    ),
    body(
      'a field of a documented object is gone',
      'getTransaction',
      (one) => drop(one.paymentProviderDetails, 'rate'),
      'warning required-missing getTransaction /paymentProviderDetails/rate',
    ),
    {
      ...body(
        'a field of some items is gone',
        'getCardFees',
        ({ fees }) => {
          fees.push({ name: 'x' });
        },
        'warning required-missing getCardFees /fees/*/amount',
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
    body(
      'all fields of an item are gone',
      'listClientCards',
      (list) => {
        list.cards = [{}];
      },
      'warning object-replaced listClientCards /cards/*',
    ),
    body(
      'a field of all items is gone',
      'listClientCards',
      (list) => {
        list.cards = [answerOf('getCard', randomFrom(1)), answerOf('getCard', randomFrom(2))];
        for (const card of list.cards) drop(card, 'id');
      },
      'warning required-missing listClientCards /cards/*/id',
    ),
    ...values('warning type-contradicted', 'getCard', [
      ['a string is a number', '/id', 4],
      ['a number is a string', '/balance', '4.50'],
      ['a boolean is a string', '/active', 'true'],
      ['a nullable string is a number', '/alias', 7],
      ['null appeared', '/opened', null],
      ['null appeared for an object', '/reference', null],
      ['null appeared for a list', '/tags', null],
    ]),
    body('null appeared in a list', 'getCard', set('tags')(['a', null]), 'warning type-contradicted getCard /tags/*'),
    ...values('warning format-contradicted', 'getCard', [
      ['a date has another form', '/opened', '20/11/2026'],
      ['a date-time has another form', '/updatedAt', '2026-11-20 10:00'],
      ['a uuid is another id', '/trace', 'T-4711'],
      ['an email address is a name', '/contact', 'Ms Doe'],
      ['a link is a word', '/terms', 'see below'],
    ]),
    body(
      'a whole number in a string has letters',
      'getCard',
      set('reference', 'parts')([{ n: 'A1', rate: '1.25' }]),
      'warning value-contradicted getCard /reference/parts/*/n',
    ),
    body(
      'a decimal number in a string has another sign',
      'getCard',
      set('reference', 'parts')([{ n: '1', rate: '1,25' }]),
      'warning value-contradicted getCard /reference/parts/*/rate',
    ),
    body(
      'a whole number in a string is a number',
      'getCard',
      set('reference', 'parts')([{ n: 1, rate: '1.25' }]),
      'warning type-contradicted getCard /reference/parts/*/n',
    ),
    body(
      'a value of a map changed its type',
      'getCard',
      set('byAccount', 'acc-9009')({ balance: 'x' }),
      'warning type-contradicted getCard /byAccount/*/balance',
    ),
    body(
      'a value of a map lost a field',
      'getCard',
      set('byAccount', 'acc-9009')({}),
      'warning required-missing getCard /byAccount/*/balance',
    ),
    body(
      'a field of list items changed its type',
      'getAccountFees',
      ({ fees }) => {
        fees[0].name = 7;
      },
      'warning type-contradicted getAccountFees /fees/*/name',
    ),
  ],
};

export const STRUCTURE: Kind = {
  kind: 'lists and objects turned into each other, or were wrapped',
  changes: [
    body('a list is an object', 'getCard', set('tags')({ 0: 'a' }), 'warning type-contradicted getCard /tags'),
    {
      ...body('a list is a text', 'getCard', set('tags')('a, b'), 'warning type-contradicted getCard /tags'),
      whole: true,
    },
    body(
      'an object is a list',
      'getCard',
      (card) => {
        card.reference = [card.reference];
      },
      'warning type-contradicted getCard /reference',
    ),
    body(
      'a nested list is wrapped',
      'getCard',
      (card) => {
        card.reference.parts = { items: card.reference.parts };
      },
      'warning fields-moved getCard /reference/parts',
    ),
    body('items are wrapped', 'getCard', set('tags')([{ name: 'a' }]), 'warning type-contradicted getCard /tags/*'),
    body(
      'the list of the answer is an object',
      'getCardFees',
      ({ fees }) => ({ fees: { first: fees[0] } }),
      'warning type-contradicted getCardFees /fees',
    ),
    {
      name: 'a top-level list is wrapped',
      answer: {
        getBeneficiaries: (response, count, list) => bytes(JSON.stringify({ items: list }))(response, count, list),
      },
      finds: ['warning fields-moved getBeneficiaries '],
    },
    {
      name: 'the envelope of a documented list is gone',
      answer: { listClientCards: (response, count, list) => bytes(JSON.stringify(list.cards))(response, count, list) },
      finds: ['warning type-contradicted listClientCards '],
    },
    {
      name: 'an envelope is gone',
      answer: { getCardFees: (response, count, list) => bytes(JSON.stringify(list.fees))(response, count, list) },
      finds: ['warning type-contradicted getCardFees '],
    },
    body(
      'the list of the answer has another name',
      'getAccountFees',
      ({ fees }) => ({ items: fees }),
      'warning fields-renamed getAccountFees ',
    ),
    body('a small object is wrapped', 'getCardFees', (list) => ({ data: list }), 'warning fields-moved getCardFees '),
    {
      ...body('an answer is wrapped', 'getCard', (card) => ({ data: card }), 'warning fields-moved getCard '),
      whole: true,
    },
    body(
      'an answer is wrapped twice, beside what else the envelope holds',
      'getCard',
      (card) => ({ data: { card }, meta: {} }),
      'warning fields-moved getCard ',
    ),
    body(
      'an answer of a deprecated form is wrapped',
      'getCardFeesDeprecated',
      (list) => ({ data: list }),
      'warning fields-moved getCardFeesDeprecated ',
    ),
    body(
      'each item is wrapped',
      'listClientCards',
      (list) => {
        list.cards = [{ node: answerOf('getCard', randomFrom(1)) }, { node: answerOf('getCard', randomFrom(2)) }];
      },
      'warning fields-moved listClientCards /cards/*',
    ),
    body(
      'some fields are put together',
      'getCard',
      ({ contact, terms, trace, ...card }) => ({ ...card, links: { contact, terms, trace } }),
      'warning fields-moved getCard ',
    ),
    body(
      'the object around some fields is gone',
      'getCard',
      ({ reference, ...card }) => ({ ...card, ...reference }),
      'warning fields-moved getCard ',
    ),
    {
      ...body(
        'an object is gone and one of its fields is elsewhere: two things',
        'getTransaction',
        ({ id, ...one }) => ({ ...one, about: { id } }),
        'warning required-missing getTransaction /id',
        'warning unrecorded-field getTransaction /about',
      ),
      causes: 2,
    },
    body(
      'an error is sent as a success',
      'getCard',
      () => ({ code: 17, message: 'no such card' }),
      'warning object-replaced getCard ',
    ),
    body('an answer is an empty object', 'getCard', () => ({}), 'warning object-replaced getCard '),
  ],
};

export const NEW: Kind = {
  kind: 'a field that is new',
  changes: [
    { ...body('a new field', 'getCard', set('fresh')(1), 'warning unrecorded-field getCard /fresh'), whole: true },
    {
      name: 'a new field that is null at times, and of two types at others',
      answer: {
        getCardFees: (response, _, list) => {
          const [fee] = list.fees;
          const fresh = [null, { id: 'x' }, 'x'];
          const fees = fresh.map((value) => ({ ...fee, fresh: value }));
          return bytes(JSON.stringify({ fees }))(response, 1, list);
        },
      },
      finds: ['warning unrecorded-field getCardFees /fees/*/fresh'],
    },
    ...values('warning unrecorded-field', 'getCard', [
      ['a new object', '/fresh', { a: { b: 1 } }],
      ['a new field of a nested object', '/reference/fresh', 1],
    ]),
    body(
      'a new field of nested items',
      'getCard',
      set('reference', 'parts')([{ n: '1', rate: '1.25', fresh: 1 }]),
      'warning unrecorded-field getCard /reference/parts/*/fresh',
    ),
    body(
      'a new field of list items',
      'getCardFees',
      ({ fees }) => {
        fees[0].fresh = 1;
      },
      'warning unrecorded-field getCardFees /fees/*/fresh',
    ),
    body(
      'a new field of a map’s values',
      'getCard',
      set('byAccount', 'acc-9009')({ balance: 1, fresh: 1 }),
      'warning unrecorded-field getCard /byAccount/*/fresh',
    ),
    body(
      'a new field of a documented object',
      'getTransaction',
      set('paymentProviderDetails', 'fresh')('x'),
      'warning unrecorded-field getTransaction /paymentProviderDetails/fresh',
    ),
    body(
      'a new field beside a list',
      'listClientCards',
      set('total')(3),
      'warning unrecorded-field listClientCards /total',
    ),
    {
      ...body(
        'an undocumented field, without a recording',
        'getTransaction',
        set('fresh')(1),
        'info undocumented-field getTransaction /fresh',
      ),
      unrecorded: true,
    },
    {
      name: 'an undocumented field of the token response',
      unrecorded: true,
      token: (issued) => ({ ...issued, refresh: 'x' }),
      finds: ['info undocumented-field getToken /refresh'],
    },
    {
      name: 'a new field of the token response',
      token: (issued) => ({ ...issued, refresh: 'x' }),
      finds: ['warning unrecorded-field getToken /refresh'],
    },
  ],
};

const assumed = (name: string, operationId: Served, edit: (body: Body) => unknown, ...finds: string[]): Change => ({
  ...body(name, operationId, edit, ...finds),
  unrecorded: true,
  says: [/The mock assumes otherwise: change .*assumptions\.overlay\.yaml:\d+/],
});

export const ASSUMED: Kind = {
  kind: 'an assumption of the mock is refuted',
  changes: [
    {
      ...assumed(
        'a field has another type than the mock assumes',
        'getCard',
        set('cardId')(4711),
        'info type-contradicted getCard /cardId',
      ),
      whole: true,
    },
    assumed(
      'a state that the mock does not know',
      'getClient',
      set('status')('DORMANT'),
      'info value-contradicted getClient /status',
    ),
    assumed(
      'a time in another form',
      'getTransaction',
      set('createdAt')('yesterday'),
      'info format-contradicted getTransaction /createdAt',
    ),
    {
      ...assumed('fees in another structure', 'getAccountFees', () => undefined),
      body: {
        getAccountFees: ({ fees }) => ({ fees: { first: fees[0] } }),
        getAccountFeesDeprecated: ({ fees }) => ({ fees: { first: fees[0] } }),
      },
      finds: ['info type-contradicted getAccountFees /fees', 'info type-contradicted getAccountFeesDeprecated /fees'],
    },
  ],
};
