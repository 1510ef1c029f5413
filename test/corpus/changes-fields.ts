import { bytes, good } from './answers.ts';
import { type Change, drop, type Kind, twofold, unrecorded, whole } from './change.ts';
import { body, bodyOf, gone, items, set, values } from './edits.ts';
import { answerOf, type Body, randomFrom, type Served } from './world.ts';

export const DOCUMENTED: Kind = {
  kind: 'a documented type, format, required field or value is contradicted',
  changes: [
    whole(
      bodyOf.getCard('an integer is a string', set('cardLimitDaily')('100'), 'error type-contradicted /cardLimitDaily'),
    ),
    ...values('error type-contradicted', 'getCard', [
      ['an integer has a fraction', '/cardLimitMonthly', 10.5],
      ['an integer is a boolean', '/cardLimitTransaction', true],
      ['a string is a number', '/token', 4711],
      ['a string is null', '/cardProgramme', null],
      ['a string is an object', '/cardDesign', { id: 'x' }],
    ]),
    bodyOf.getBeneficiaries('a boolean is a string', items('', 'visible', 'yes'), 'error type-contradicted /*/visible'),
    bodyOf.getAccounts(
      'a field of some items of a list',
      items('accounts', 'ibanForSwift', 7, (index) => index === 0),
      'error type-contradicted /accounts/*/ibanForSwift',
    ),
    bodyOf.getAccounts(
      'a field of all items of a list',
      items('accounts', 'wireRoutingNumber', null),
      'error type-contradicted /accounts/*/wireRoutingNumber',
    ),
    bodyOf.getClient('a string is a list', set('paymentProvider')(['a']), 'error type-contradicted /paymentProvider'),
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
    bodyOf.getTransaction(
      'a date-time is not in UTC',
      set('paymentProviderDetails', 'settlementDate')('2026-11-20T10:00:00+02:00'),
      'error value-contradicted /paymentProviderDetails/settlementDate',
    ),
    bodyOf.getTransaction(
      'a date-time is a number',
      set('paymentProviderDetails', 'settlementDate')(1795000000),
      'error type-contradicted /paymentProviderDetails/settlementDate',
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
    unrecorded(
      bodyOf.getCard(
        'an integer is a string, without a recording',
        set('cardLimitDaily')('1'),
        'error type-contradicted /cardLimitDaily',
      ),
    ),
  ],
};

export const RECORDED: Kind = {
  kind: 'a field that was recorded has gone or changed',
  changes: [
    whole(bodyOf.getCard('a field is gone', (card) => drop(card, 'id'), 'warning required-missing /id')),
    unrecorded(
      bodyOf.getCard(
        'another card than asked for',
        (card) => ({ ...card, cardId: 'k-5' }),
        'info parameter-echoed-differently /cardId',
      ),
    ),
    {
      name: 'a field is gone from every second answer',
      whole: true,
      answer: {
        getCard: (response, count, { id: _, ...card }) => count % 2 === 0 && good(200)(response, count, card),
      },
      finds: ['warning required-missing getCard /id'],
    },
    ...gone('getCard', [
      ['a documented field is gone', '/cardLimitDaily'],
      ['an object is gone', '/reference'],
      ['a nested field is gone', '/reference/code'],
    ]),
    bodyOf.getCard(
      'a field of nested items is gone',
      (card) =>
        card.reference.parts.forEach((part: Body) => {
          drop(part, 'n');
        }),
      'warning required-missing /reference/parts/*/n',
    ),
    bodyOf.getTransaction(
      'a field of a documented object is gone',
      (one) => drop(one.paymentProviderDetails, 'rate'),
      'warning required-missing /paymentProviderDetails/rate',
    ),
    {
      ...bodyOf.getCardFees(
        'a field of some items is gone',
        ({ fees }) => {
          fees.push({ name: 'x' });
        },
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
    bodyOf.listClientCards(
      'all fields of an item are gone',
      (list) => {
        list.cards = [{}];
      },
      'warning object-replaced /cards/*',
    ),
    bodyOf.listClientCards(
      'a field of all items is gone',
      (list) => {
        list.cards = [answerOf('getCard', randomFrom(1)), answerOf('getCard', randomFrom(2))];
        for (const card of list.cards) drop(card, 'id');
      },
      'warning required-missing /cards/*/id',
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
    bodyOf.getCard('null appeared in a list', set('tags')(['a', null]), 'warning type-contradicted /tags/*'),
    ...values('warning format-contradicted', 'getCard', [
      ['a date has another form', '/opened', '20/11/2026'],
      ['a date-time has another form', '/updatedAt', '2026-11-20 10:00'],
      ['a uuid is another id', '/trace', 'T-4711'],
      ['an email address is a name', '/contact', 'Ms Doe'],
      ['a link is a word', '/terms', 'see below'],
    ]),
    ...values('warning format-contradicted', 'getClient', [
      ['the only date-time that was seen became a date', '/memberSince', '2024-05-01'],
      ['the only date-time that was seen has a local form', '/memberSince', '31/01/2029'],
      ['the only date that was seen has a local form', '/birthDate', '31.12.1990'],
    ]),
    ...values('warning value-contradicted', 'getClient', [
      ['the only date-time that was seen lost its T', '/memberSince', '2024-05-01 10:00:00Z'],
      ['the only IBAN that was seen became an account number', '/iban', '20201555555555'],
    ]),
    {
      name: 'a form that only every other answer has',
      answer: {
        getClient: (response, count, client) =>
          count % 2 === 1 && bytes(JSON.stringify({ ...client, memberSince: 'lately' }))(response, count, client),
      },
      finds: [],
    },
    bodyOf.getCard(
      'a whole number in a string has letters',
      set('reference', 'parts')([{ n: 'A1', rate: '1.25' }]),
      'warning value-contradicted /reference/parts/*/n',
    ),
    bodyOf.getCard(
      'a decimal number in a string has another sign',
      set('reference', 'parts')([{ n: '1', rate: '1,25' }]),
      'warning value-contradicted /reference/parts/*/rate',
    ),
    bodyOf.getCard(
      'a whole number in a string is a number',
      set('reference', 'parts')([{ n: 1, rate: '1.25' }]),
      'warning type-contradicted /reference/parts/*/n',
    ),
    bodyOf.getCard(
      'a value of a map changed its type',
      set('byAccount', 'acc-9009')({ balance: 'x' }),
      'warning type-contradicted /byAccount/*/balance',
    ),
    bodyOf.getCard(
      'a value of a map lost a field',
      set('byAccount', 'acc-9009')({}),
      'warning required-missing /byAccount/*/balance',
    ),
    bodyOf.getAccountFees(
      'a field of list items changed its type',
      ({ fees }) => {
        fees[0].name = 7;
      },
      'warning type-contradicted /fees/*/name',
    ),
  ],
};

export const STRUCTURE: Kind = {
  kind: 'lists and objects turned into each other, or were wrapped',
  changes: [
    bodyOf.getCard('a list is an object', set('tags')({ 0: 'a' }), 'warning type-contradicted /tags'),
    whole(bodyOf.getCard('a list is a text', set('tags')('a, b'), 'warning type-contradicted /tags')),
    bodyOf.getCard(
      'an object is a list',
      (card) => {
        card.reference = [card.reference];
      },
      'warning type-contradicted /reference',
    ),
    bodyOf.getCard(
      'a nested list is wrapped',
      (card) => {
        card.reference.parts = { items: card.reference.parts };
      },
      'warning fields-moved /reference/parts',
    ),
    bodyOf.getCard('items are wrapped', set('tags')([{ name: 'a' }]), 'warning type-contradicted /tags/*'),
    bodyOf.getCardFees(
      'the list of the answer is an object',
      ({ fees }) => ({ fees: { first: fees[0] } }),
      'warning type-contradicted /fees',
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
    bodyOf.getAccountFees(
      'the list of the answer has another name',
      ({ fees }) => ({ items: fees }),
      'warning fields-renamed',
    ),
    bodyOf.getCardFees('a small object is wrapped', (list) => ({ data: list }), 'warning fields-moved'),
    whole(bodyOf.getCard('an answer is wrapped', (card) => ({ data: card }), 'warning fields-moved')),
    bodyOf.getCard(
      'an answer is wrapped twice, beside what else the envelope holds',
      (card) => ({ data: { card }, meta: {} }),
      'warning fields-moved',
    ),
    bodyOf.getCardFeesDeprecated(
      'an answer of a deprecated form is wrapped',
      (list) => ({ data: list }),
      'warning fields-moved',
    ),
    bodyOf.listClientCards(
      'each item is wrapped',
      (list) => {
        list.cards = [{ node: answerOf('getCard', randomFrom(1)) }, { node: answerOf('getCard', randomFrom(2)) }];
      },
      'warning fields-moved /cards/*',
    ),
    bodyOf.getCard(
      'some fields are put together',
      ({ contact, terms, trace, ...card }) => ({ ...card, links: { contact, terms, trace } }),
      'warning fields-moved',
    ),
    bodyOf.getCard(
      'the object around some fields is gone',
      ({ reference, ...card }) => ({ ...card, ...reference }),
      'warning fields-moved',
    ),
    twofold(
      bodyOf.getTransaction(
        'an object is gone and one of its fields is elsewhere: two things',
        ({ id, ...one }) => ({ ...one, about: { id } }),
        'warning required-missing /id',
        'warning unrecorded-field /about',
      ),
    ),
    bodyOf.getCard(
      'an error is sent as a success',
      () => ({ code: 17, message: 'no such card' }),
      'warning object-replaced',
    ),
    ...(['getCard', 'getCardFees', 'getClient'] as const).map((id) =>
      bodyOf[id](`a notice in place of ${id} alone`, () => ({ status: 'maintenance' }), 'warning object-replaced'),
    ),
    bodyOf.getCard('an answer is an empty object', () => ({}), 'warning object-replaced'),
  ],
};

export const NEW: Kind = {
  kind: 'a field that is new',
  changes: [
    whole(bodyOf.getCard('a new field', set('fresh')(1), 'warning unrecorded-field /fresh')),
    {
      ...bodyOf.getCard(
        'a new field that the configuration calls harmless',
        set('fresh')(1),
        'info unrecorded-field /fresh',
      ),
      options: { severity: { 'unrecorded-field': { severity: 'info', reason: 'new fields are harmless' } } },
      says: [/The configuration makes it info, not warning: new fields are harmless/],
    },
    {
      ...bodyOf.getCard(
        'an error that the configuration cannot lower',
        set('cardDesign')(1),
        'error type-contradicted /cardDesign',
      ),
      options: { severity: { 'type-contradicted': { severity: 'info', reason: 'wrong' } } },
    },
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
    bodyOf.getCard(
      'a new field of nested items',
      set('reference', 'parts')([{ n: '1', rate: '1.25', fresh: 1 }]),
      'warning unrecorded-field /reference/parts/*/fresh',
    ),
    bodyOf.getCardFees(
      'a new field of list items',
      ({ fees }) => {
        fees[0].fresh = 1;
      },
      'warning unrecorded-field /fees/*/fresh',
    ),
    bodyOf.getCard(
      'a new field of a map’s values',
      set('byAccount', 'acc-9009')({ balance: 1, fresh: 1 }),
      'warning unrecorded-field /byAccount/*/fresh',
    ),
    bodyOf.getTransaction(
      'a new field of a documented object',
      set('paymentProviderDetails', 'fresh')('x'),
      'warning unrecorded-field /paymentProviderDetails/fresh',
    ),
    bodyOf.listClientCards('a new field beside a list', set('total')(3), 'warning unrecorded-field /total'),
    unrecorded(
      bodyOf.getTransaction(
        'an undocumented field, without a recording',
        set('fresh')(1),
        'info undocumented-field /fresh',
      ),
    ),
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
    whole(
      assumed(
        'a field has another type than the mock assumes',
        'getCard',
        set('cardId')(4711),
        'info type-contradicted getCard /cardId',
      ),
    ),
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
