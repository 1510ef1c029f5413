import { bytes } from './answers.ts';
import type { Change, Kind } from './change.ts';
import { body, renamed, STYLES, set } from './edits.ts';
import type { Answer } from './stand-in.ts';
import { answerOf, type Body, randomFrom, type Served } from './world.ts';

const as = (name: string, style: string): string => STYLES[style]?.(name) ?? name;
/** Gives a field another name. */
const rename =
  (from: string, to: string, at: (body: Body) => Body = (all) => all) =>
  (target: Body): void => {
    const object = at(target);
    for (const one of Array.isArray(object) ? object : [object]) {
      if (!Object.hasOwn(one, from)) continue;
      one[to] = one[from];
      delete one[from];
    }
  };
const full = (list: Body[]): Body[] => {
  if (list.length === 0) list.push(answerOf('getCard', randomFrom(1)));
  return list;
};
const styles = Object.keys(STYLES);
const throughout = (operationId: Served, severity: string, place: (style: string) => string): Change[] =>
  styles.map((style) => ({
    name: `all names of ${operationId} are in ${style}`,
    answer: {
      [operationId]: ((response, count, good) =>
        bytes(JSON.stringify(renamed(good, (name) => as(name, style))))(response, count, good)) satisfies Answer,
    },
    finds: [`${severity} fields-renamed ${operationId} ${place(style)}`],
  }));

export const RENAMED: Kind = {
  kind: 'names that are spelled otherwise, in one field, one object or a whole answer',
  changes: [
    ...throughout('getCard', 'error', () => '').map((change, index) =>
      index === 0 ? { ...change, whole: true as const } : change,
    ),
    ...throughout('getTransaction', 'error', () => ''),
    ...throughout('getClient', 'error', () => ''),
    ...styles.map((style) =>
      body(
        `a nested object is in ${style}`,
        'getTransaction',
        (one) => {
          one.paymentProviderDetails = renamed(one.paymentProviderDetails, (name) => as(name, style));
        },
        'error fields-renamed getTransaction /paymentProviderDetails',
      ),
    ),
    ...styles.map((style) =>
      body(
        `the items of a list are in ${style}`,
        'getAccounts',
        ({ accounts }) => {
          if (accounts.length === 0) accounts.push({ accountId: 'x', wireRoutingNumber: '1', ibanForSwift: 'x' });
          accounts.forEach((item: Body, index: number) => {
            accounts[index] = renamed(item, (name) => as(name, style));
          });
        },
        'error fields-renamed getAccounts /accounts/*',
      ),
    ),
    ...(
      [
        ['a documented field', 'cardLimitDaily', 'card_limit_daily', 'error'],
        ['a documented field, with another capital', 'cardProgramme', 'cardprogramme', 'error'],
        ['a recorded field', 'updatedAt', 'updated_at', 'warning'],
        ['a recorded field of one word', 'balance', 'Balance', 'warning'],
        ['a field that may be null', 'alias', 'ALIAS', 'warning'],
        ['an object', 'reference', 'Reference', 'warning'],
        ['a list', 'tags', 'TAGS', 'warning'],
        ['a map', 'byAccount', 'by_account', 'warning'],
      ] as const
    ).map(([what, from, to, severity]) =>
      body(`${what} is spelled otherwise`, 'getCard', rename(from, to), `${severity} fields-renamed getCard `),
    ),
    body(
      'two fields are spelled otherwise',
      'getCard',
      (card) => {
        rename('cardLimitDaily', 'card_limit_daily')(card);
        rename('updatedAt', 'updated_at')(card);
      },
      'error fields-renamed getCard ',
    ),
    body(
      'a field of nested items is spelled otherwise',
      'getCard',
      rename('rate', 'Rate', ({ reference }) => reference.parts),
      'warning fields-renamed getCard /reference/parts/*',
    ),
    body(
      'a field of the items of a list is spelled otherwise',
      'listClientCards',
      rename('updatedAt', 'updated-at', ({ cards }) => full(cards)),
      'warning fields-renamed listClientCards /cards/*',
    ),
    {
      ...body(
        'a field is spelled otherwise, and another has gone',
        'getCard',
        (card) => {
          rename('cardProgramme', 'card_programme')(card);
          delete card.active;
        },
        'error fields-renamed getCard ',
        'warning required-missing getCard /active',
      ),
      causes: 2,
    },
    {
      ...body(
        'a field is spelled otherwise, and another is new',
        'getCard',
        (card) => {
          rename('cardProgramme', 'card_programme')(card);
          card.fresh = 1;
        },
        'error fields-renamed getCard ',
        'warning unrecorded-field getCard /fresh',
      ),
      causes: 2,
    },
    {
      ...body(
        'a field is spelled otherwise, and another has another type',
        'getCard',
        (card) => {
          rename('cardProgramme', 'card_programme')(card);
          card.balance = 'x';
        },
        'error fields-renamed getCard ',
        'warning type-contradicted getCard /balance',
      ),
      causes: 2,
    },
    body(
      'a field is there in both spellings',
      'getCard',
      set('card_programme')('x'),
      'warning unrecorded-field getCard /card_programme',
    ),
    ...(['snake_case', 'PascalCase', 'kebab-case'] as const).map(
      (style): Change => ({
        name: `documented names are in ${style}, without a recording`,
        unrecorded: true,
        body: { getCard: (card) => renamed(card, (name) => as(name, style)) },
        finds: ['error fields-renamed getCard '],
      }),
    ),
    {
      name: 'the names of the token response are in camelCase, and the run ends',
      token: ({ access_token, expires_in, token_type, ...rest }) => ({
        ...{ accessToken: access_token, expiresIn: expires_in, tokenType: token_type },
        ...rest,
      }),
      finds: ['error fields-renamed getToken '],
      unclear: 'all',
    },
    {
      name: 'one name of the token response is in camelCase',
      token: ({ expires_in, ...rest }) => ({ ...rest, expiresIn: expires_in }),
      finds: ['error fields-renamed getToken '],
    },
  ],
};

const envelope = (operationId: Served, from: string, to: string, severity = 'warning'): Change =>
  body(
    `${from} of ${operationId} is called ${to}`,
    operationId,
    rename(from, to),
    `${severity} fields-renamed ${operationId} `,
  );

export const CONTENTS: Kind = {
  kind: 'a list or an object that has another name, or stands elsewhere',
  changes: [
    { ...envelope('getCardFees', 'fees', 'data'), whole: true },
    envelope('getAccountFees', 'fees', 'results'),
    envelope('getTransactionFees', 'fees', 'content'),
    envelope('getCardFeesDeprecated', 'fees', '_embedded'),
    envelope('getTransactionFeesDeprecated', 'fees', 'charges'),
    // the reference says where it stands
    envelope('getTransaction', 'paymentProviderDetails', 'providerInfo', 'error'),
    envelope('getCard', 'reference', 'ref'),
    body(
      'the envelope has another name, and its list is empty',
      'getCardFees',
      () => ({ items: [] }),
      'warning fields-renamed getCardFees ',
    ),
    {
      ...body(
        'the envelope has another name, beside something new',
        'getCardFees',
        ({ fees }) => ({ items: fees, total: fees.length }),
        'warning fields-renamed getCardFees ',
        'warning unrecorded-field getCardFees /total',
      ),
      causes: 2,
    },
    body(
      'a nested list has another name',
      'getCard',
      rename('parts', 'pieces', ({ reference }) => reference),
      'warning fields-renamed getCard /reference',
    ),
    {
      ...body(
        'an object has gone, and another one is new: two things',
        'getCard',
        ({ reference: _, ...card }) => ({ ...card, owner: { name: 'n', email: 'e' } }),
        'warning required-missing getCard /reference',
        'warning unrecorded-field getCard /owner',
      ),
      causes: 2,
    },
    {
      ...body(
        'a list of texts has another name: two things',
        'getCard',
        rename('tags', 'labels'),
        'warning required-missing getCard /tags',
        'warning unrecorded-field getCard /labels',
      ),
      causes: 2,
    },
    body(
      'an object moved into a new one',
      'getCard',
      ({ reference, ...card }) => ({ ...card, details: { reference } }),
      'warning fields-moved getCard ',
    ),
    body(
      'an object moved two levels down',
      'getCard',
      ({ reference, ...card }) => ({ ...card, details: { more: { reference } } }),
      'warning fields-moved getCard ',
    ),
    body(
      'a list of objects moved up',
      'getCard',
      (card) => {
        card.parts = card.reference.parts;
        delete card.reference.parts;
      },
      'warning fields-moved getCard ',
    ),
    body(
      'an object moved into one that is known',
      'getClient',
      (client) => {
        client.audit.holder = { name: 'n' };
      },
      'warning unrecorded-field getClient /audit/holder',
    ),
    body(
      'an object moved beside what is documented',
      'getTransaction',
      ({ paymentProviderDetails, ...one }) => ({ ...one, provider: { paymentProviderDetails, name: 'n' } }),
      'warning fields-moved getTransaction ',
    ),
    body(
      'a list of objects moved into a new object',
      'listClientCards',
      ({ cards, ...rest }) => ({ ...rest, result: { cards: full(cards) } }),
      'warning fields-moved listClientCards ',
    ),
    body(
      'the object of each item moved',
      'listClientCards',
      (list) => {
        list.cards = full(list.cards).map(({ reference, ...card }: Body) => ({ ...card, more: { reference } }));
      },
      'warning fields-moved listClientCards /cards/*',
    ),
    ...(['getCard', 'getTransaction', 'getClient', 'getAccounts', 'listClientCards'] as const).map((id) => ({
      ...body(`${id} is wrapped`, id, (all) => ({ payload: all }), `warning fields-moved ${id} `),
    })),
    ...(['getAccountFees', 'getTransactionFees'] as const).map((id) =>
      body(`${id} is wrapped twice`, id, (all) => ({ response: { data: all } }), `warning fields-moved ${id} `),
    ),
  ],
};
