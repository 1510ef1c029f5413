import { sent } from './answers.ts';
import { type Change, firstWhole, type Kind, twofold } from './change.ts';
import { answering, bodyOf, edits, rename, renamed, STYLES, set, values } from './edits.ts';
import { answerOf, type Body, randomFrom, type Served } from './world.ts';

const as = (name: string, style: string): string => STYLES[style]?.(name) ?? name;
const full = (list: Body[]): Body[] => (list.length > 0 ? list : [answerOf('getCard', randomFrom(1))]);
const styles = Object.keys(STYLES);
const styled = (style: string) => (body: Body) => renamed(body, (name) => as(name, style));
const throughout = (operationId: Served): Change[] =>
  styles.map((style) =>
    answering[operationId](`all names of ${operationId} are in ${style}`, sent(styled(style)), 'error fields-renamed'),
  );

const ACCOUNT = { accountId: 'x', wireRoutingNumber: '1', ibanForSwift: 'x' };

export const RENAMED: Kind = {
  kind: 'names in another style, in one field, one object or a whole answer',
  changes: [
    ...firstWhole(throughout('getCard')),
    ...throughout('getTransaction'),
    ...throughout('getClient'),
    ...edits('error fields-renamed', [
      ...styles.map((style) => {
        const edit = ({ paymentProviderDetails: details, ...one }: Body): Body => ({
          ...one,
          paymentProviderDetails: styled(style)(details),
        });
        return [`a nested object is in ${style}`, 'getTransaction /paymentProviderDetails', edit] as const;
      }),
      ...styles.map((style) => {
        const edit = ({ accounts }: Body): Body => ({
          accounts: (accounts.length > 0 ? accounts : [ACCOUNT]).map(styled(style)),
        });
        return [`the items of a list are in ${style}`, 'getAccounts /accounts/*', edit] as const;
      }),
      ['a documented field has another style', 'getCard', rename('/cardLimitDaily', 'card_limit_daily')],
      [
        'a documented field with another capital has another style',
        'getCard',
        rename('/cardProgramme', 'cardprogramme'),
      ],
      [
        'two fields have another style',
        'getCard',
        (card) => {
          rename('/cardLimitDaily', 'card_limit_daily')(card);
          rename('/updatedAt', 'updated_at')(card);
        },
      ],
    ]),
    ...edits('warning fields-renamed', [
      ['a recorded field has another style', 'getCard', rename('/updatedAt', 'updated_at')],
      ['a recorded field of one word has another style', 'getCard', rename('/balance', 'Balance')],
      ['a nullable field has another style', 'getCard', rename('/alias', 'ALIAS')],
      ['an object has another style', 'getCard', rename('/reference', 'Reference')],
      ['a list has another style', 'getCard', rename('/tags', 'TAGS')],
      ['a map has another style', 'getCard', rename('/byAccount', 'by_account')],
      [
        'a field of nested items has another style',
        'getCard /reference/parts/*',
        rename('/reference/parts/*/rate', 'Rate'),
      ],
      [
        'a field of list items has another style',
        'listClientCards /cards/*',
        rename('/cards/*/updatedAt', 'updated-at'),
      ],
    ]),
    ...(
      [
        ['has gone', 'warning required-missing /active', ({ active: _, ...card }) => card],
        ['is new', 'warning unrecorded-field /fresh', (card) => ({ ...card, fresh: 1 })],
        ['has another type', 'warning type-contradicted /balance', (card) => ({ ...card, balance: 'x' })],
      ] satisfies [string, string, (card: Body) => Body][]
    ).map(([what, finding, edit]) =>
      twofold(
        bodyOf.getCard(
          `a field has another style, and another ${what}`,
          ({ cardProgramme, ...card }) => edit({ ...card, card_programme: cardProgramme }),
          'error fields-renamed',
          finding,
        ),
      ),
    ),
    ...values('warning unrecorded-field', [['a field is there in both spellings', 'getCard /card_programme', 'x']]),
    ...(['snake_case', 'PascalCase', 'kebab-case'] as const).map(
      (style): Change => ({
        name: `documented names are in ${style}, without a recording`,
        unrecorded: true,
        body: { getCard: styled(style) },
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

const envelope = (operationId: Served, from: string, to: string) =>
  [`${from} of ${operationId} is called ${to}`, operationId, rename(`/${from}`, to)] as const;

export const CONTENTS: Kind = {
  kind: 'a list or an object is renamed or moved',
  changes: [
    ...firstWhole(
      edits('warning fields-renamed', [
        envelope('getCardFees', 'fees', 'data'),
        envelope('getAccountFees', 'fees', 'results'),
        envelope('getTransactionFees', 'fees', 'content'),
        envelope('getCardFeesDeprecated', 'fees', '_embedded'),
        envelope('getTransactionFeesDeprecated', 'fees', 'charges'),
        envelope('getCard', 'reference', 'ref'),
        ['the envelope has another name, and its list is empty', 'getCardFees', () => ({ items: [] })],
        ['a nested list has another name', 'getCard /reference', rename('/reference/parts', 'pieces')],
      ]),
    ),
    // the reference gives its place
    ...edits('error fields-renamed', [envelope('getTransaction', 'paymentProviderDetails', 'providerInfo')]),
    twofold(
      bodyOf.getCardFees(
        'the envelope has another name, beside something new',
        ({ fees }) => ({ items: fees, total: fees.length }),
        'warning fields-renamed',
        'warning unrecorded-field /total',
      ),
    ),
    twofold(
      bodyOf.getCard(
        'an object is removed, and another one is added: two changes',
        ({ reference: _, ...card }) => ({ ...card, owner: { name: 'n', email: 'e' } }),
        'warning required-missing /reference',
        'warning unrecorded-field /owner',
      ),
    ),
    twofold(
      bodyOf.getCard(
        'a list of strings has another name: two changes',
        rename('/tags', 'labels'),
        'warning required-missing /tags',
        'warning unrecorded-field /labels',
      ),
    ),
    ...edits('warning fields-moved', [
      ['an object moved into a new one', 'getCard', ({ reference, ...card }) => ({ ...card, details: { reference } })],
      [
        'an object moved two levels down',
        'getCard',
        ({ reference, ...card }) => ({ ...card, details: { more: { reference } } }),
      ],
      [
        'a list of objects moved up',
        'getCard',
        ({ reference: { parts, ...reference }, ...card }) => ({ ...card, reference, parts }),
      ],
      [
        'an object moved next to documented fields',
        'getTransaction',
        ({ paymentProviderDetails, ...one }) => ({ ...one, provider: { paymentProviderDetails, name: 'n' } }),
      ],
      [
        'a list of objects moved into a new object',
        'listClientCards',
        ({ cards, ...rest }) => ({ ...rest, result: { cards: full(cards) } }),
      ],
      [
        'the object of each item moved',
        'listClientCards /cards/*',
        ({ cards, ...rest }) => ({
          ...rest,
          cards: full(cards).map(({ reference, ...card }: Body) => ({ ...card, more: { reference } })),
        }),
      ],
      ...['getCard', 'getTransaction', 'getClient', 'getAccounts', 'listClientCards'].map(
        (id) => [`${id} is wrapped`, id, (all: Body) => ({ payload: all })] as const,
      ),
      ...['getAccountFees', 'getTransactionFees'].map(
        (id) => [`${id} is wrapped twice`, id, (all: Body) => ({ response: { data: all } })] as const,
      ),
    ]),
    ...edits('warning unrecorded-field', [
      ['an object moved into a known object', 'getClient /audit/holder', set('/audit/holder', { name: 'n' })],
    ]),
  ],
};
