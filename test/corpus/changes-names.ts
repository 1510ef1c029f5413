import { bytes } from './answers.ts';
import { type Change, type Kind, twofold, whole } from './change.ts';
import { body, bodyOf, renamed, STYLES, set } from './edits.ts';
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
      bodyOf.getTransaction(
        `a nested object is in ${style}`,
        (one) => {
          one.paymentProviderDetails = renamed(one.paymentProviderDetails, (name) => as(name, style));
        },
        'error fields-renamed /paymentProviderDetails',
      ),
    ),
    ...styles.map((style) =>
      bodyOf.getAccounts(
        `the items of a list are in ${style}`,
        ({ accounts }) => {
          if (accounts.length === 0) accounts.push({ accountId: 'x', wireRoutingNumber: '1', ibanForSwift: 'x' });
          accounts.forEach((item: Body, index: number) => {
            accounts[index] = renamed(item, (name) => as(name, style));
          });
        },
        'error fields-renamed /accounts/*',
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
    bodyOf.getCard(
      'two fields are spelled otherwise',
      (card) => {
        rename('cardLimitDaily', 'card_limit_daily')(card);
        rename('updatedAt', 'updated_at')(card);
      },
      'error fields-renamed',
    ),
    bodyOf.getCard(
      'a field of nested items is spelled otherwise',
      rename('rate', 'Rate', ({ reference }) => reference.parts),
      'warning fields-renamed /reference/parts/*',
    ),
    bodyOf.listClientCards(
      'a field of the items of a list is spelled otherwise',
      rename('updatedAt', 'updated-at', ({ cards }) => full(cards)),
      'warning fields-renamed /cards/*',
    ),
    twofold(
      bodyOf.getCard(
        'a field is spelled otherwise, and another has gone',
        (card) => {
          rename('cardProgramme', 'card_programme')(card);
          delete card.active;
        },
        'error fields-renamed',
        'warning required-missing /active',
      ),
    ),
    twofold(
      bodyOf.getCard(
        'a field is spelled otherwise, and another is new',
        (card) => {
          rename('cardProgramme', 'card_programme')(card);
          card.fresh = 1;
        },
        'error fields-renamed',
        'warning unrecorded-field /fresh',
      ),
    ),
    twofold(
      bodyOf.getCard(
        'a field is spelled otherwise, and another has another type',
        (card) => {
          rename('cardProgramme', 'card_programme')(card);
          card.balance = 'x';
        },
        'error fields-renamed',
        'warning type-contradicted /balance',
      ),
    ),
    bodyOf.getCard(
      'a field is there in both spellings',
      set('card_programme')('x'),
      'warning unrecorded-field /card_programme',
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
    whole(envelope('getCardFees', 'fees', 'data')),
    envelope('getAccountFees', 'fees', 'results'),
    envelope('getTransactionFees', 'fees', 'content'),
    envelope('getCardFeesDeprecated', 'fees', '_embedded'),
    envelope('getTransactionFeesDeprecated', 'fees', 'charges'),
    // the reference says where it stands
    envelope('getTransaction', 'paymentProviderDetails', 'providerInfo', 'error'),
    envelope('getCard', 'reference', 'ref'),
    bodyOf.getCardFees(
      'the envelope has another name, and its list is empty',
      () => ({ items: [] }),
      'warning fields-renamed',
    ),
    twofold(
      bodyOf.getCardFees(
        'the envelope has another name, beside something new',
        ({ fees }) => ({ items: fees, total: fees.length }),
        'warning fields-renamed',
        'warning unrecorded-field /total',
      ),
    ),
    bodyOf.getCard(
      'a nested list has another name',
      rename('parts', 'pieces', ({ reference }) => reference),
      'warning fields-renamed /reference',
    ),
    twofold(
      bodyOf.getCard(
        'an object has gone, and another one is new: two things',
        ({ reference: _, ...card }) => ({ ...card, owner: { name: 'n', email: 'e' } }),
        'warning required-missing /reference',
        'warning unrecorded-field /owner',
      ),
    ),
    twofold(
      bodyOf.getCard(
        'a list of texts has another name: two things',
        rename('tags', 'labels'),
        'warning required-missing /tags',
        'warning unrecorded-field /labels',
      ),
    ),
    bodyOf.getCard(
      'an object moved into a new one',
      ({ reference, ...card }) => ({ ...card, details: { reference } }),
      'warning fields-moved',
    ),
    bodyOf.getCard(
      'an object moved two levels down',
      ({ reference, ...card }) => ({ ...card, details: { more: { reference } } }),
      'warning fields-moved',
    ),
    bodyOf.getCard(
      'a list of objects moved up',
      (card) => {
        card.parts = card.reference.parts;
        delete card.reference.parts;
      },
      'warning fields-moved',
    ),
    bodyOf.getClient(
      'an object moved into one that is known',
      (client) => {
        client.audit.holder = { name: 'n' };
      },
      'warning unrecorded-field /audit/holder',
    ),
    bodyOf.getTransaction(
      'an object moved beside what is documented',
      ({ paymentProviderDetails, ...one }) => ({ ...one, provider: { paymentProviderDetails, name: 'n' } }),
      'warning fields-moved',
    ),
    bodyOf.listClientCards(
      'a list of objects moved into a new object',
      ({ cards, ...rest }) => ({ ...rest, result: { cards: full(cards) } }),
      'warning fields-moved',
    ),
    bodyOf.listClientCards(
      'the object of each item moved',
      (list) => {
        list.cards = full(list.cards).map(({ reference, ...card }: Body) => ({ ...card, more: { reference } }));
      },
      'warning fields-moved /cards/*',
    ),
    ...(['getCard', 'getTransaction', 'getClient', 'getAccounts', 'listClientCards'] as const).map((id) => ({
      ...body(`${id} is wrapped`, id, (all) => ({ payload: all }), `warning fields-moved ${id} `),
    })),
    ...(['getAccountFees', 'getTransactionFees'] as const).map((id) =>
      body(`${id} is wrapped twice`, id, (all) => ({ response: { data: all } }), `warning fields-moved ${id} `),
    ),
  ],
};
