import { bytes, good } from './answers.ts';
import { type Change, firstWhole, type Kind, twofold, unrecorded, whole } from './change.ts';
import { bodyOf, gone, values } from './edits.ts';
import type { Answer } from './stand-in.ts';
import type { Served } from './world.ts';

const DAY = 86_400_000;
const inDays = (days: number): Date => new Date(Date.now() + days * DAY);
const seconds = (days: number): number => Math.floor(inDays(days).getTime() / 1000);
const YEAR = inDays(365);

const headed = (name: string, operationId: Served, headers: Record<string, string>, ...finds: string[]): Change => ({
  name,
  answer: { [operationId]: good(200, headers) },
  finds,
});
const announced = (name: string, operationId: Served, headers: Record<string, string>, says?: RegExp): Change => ({
  ...headed(name, operationId, headers, `warning deprecation-announced ${operationId} `),
  ...(says === undefined ? {} : { says: [says] }),
});
const malformed = (name: string, headers: Record<string, string>): Change =>
  headed(name, 'getCardFeesDeprecated', headers, 'info announcement-malformed getCardFeesDeprecated ');
const dated = new RegExp(YEAR.toISOString().slice(0, 10));

export const ANNOUNCED: Kind = {
  kind: 'the removal of an operation is announced',
  changes: [
    whole(announced('a Deprecation with a date', 'getCard', { deprecation: `@${seconds(365)}` }, dated)),
    announced('a Deprecation that has begun', 'getClient', { deprecation: '@1688169599' }, /2023-06-30/),
    announced('a Deprecation with an HTTP date', 'getAccounts', { deprecation: YEAR.toUTCString() }, dated),
    announced('a Deprecation with an ISO date', 'getTransaction', { deprecation: YEAR.toISOString() }, dated),
    announced('a Deprecation in seconds without @', 'getCard', { deprecation: String(seconds(365)) }, dated),
    announced('a Deprecation in milliseconds', 'getCard', { deprecation: String(YEAR.getTime()) }, dated),
    announced('Deprecation: true', 'getCardFees', { deprecation: 'true' }, /without a date/),
    announced('Deprecation: ?1', 'getCardFees', { deprecation: '?1' }, /without a date/),
    announced('a Deprecation with an invalid date', 'getCard', { deprecation: 'next summer' }, /without a date/),
    announced('a Deprecation with a version', 'getCard', { deprecation: 'version="v1"' }, /without a date/),
    announced('a list of Deprecations', 'getCard', { deprecation: `@${seconds(900)}, @${seconds(365)}` }, dated),
    announced('a Sunset', 'getBeneficiaries', { sunset: YEAR.toUTCString() }, dated),
    announced('a Sunset with an ISO date', 'listClientCards', { sunset: YEAR.toISOString() }, dated),
    announced('a Sunset in seconds', 'getTransactionFees', { sunset: `@${seconds(365)}` }, dated),
    announced('a Sunset with an invalid date', 'getAccountFees', { sunset: 'soon' }, /without a date/),
    announced('a Sunset that is near', 'getCard', { sunset: inDays(10).toUTCString() }, /Sunset on/),
    announced('both headers, with a link', 'getCard', {
      deprecation: '@1688169599',
      sunset: YEAR.toUTCString(),
      link: '<https://bank.example/v2>; rel="successor-version"',
    }),
    announced('both headers on an operation without a body', 'getAvailablePartnerProducts', {
      deprecation: 'true',
      sunset: 'x',
    }),
    unrecorded(announced('a Deprecation, without a recording', 'getCard', { deprecation: `@${seconds(365)}` }, dated)),
    {
      name: 'a Deprecation in every second answer',
      answer: {
        getCard: (response, count, body) =>
          count % 2 === 1 ? good(200, { deprecation: '@1688169599' })(response, count, body) : false,
      },
      finds: ['warning deprecation-announced getCard '],
    },
    {
      name: 'Deprecations of two operations are two announcements',
      causes: 2,
      answer: { getCard: good(200, { deprecation: 'true' }), getClient: good(200, { deprecation: 'true' }) },
      finds: ['warning deprecation-announced getCard ', 'warning deprecation-announced getClient '],
    },
    malformed('a deprecated form with Deprecation: true', { deprecation: 'true' }),
    malformed('a deprecated form with an HTTP date as Deprecation', { deprecation: YEAR.toUTCString() }),
    malformed('a deprecated form with a Deprecation that is no date', { deprecation: 'yes, since spring' }),
    malformed('a deprecated form with an ISO date as Sunset', { sunset: YEAR.toISOString() }),
    malformed('a deprecated form with a Sunset that is no date', { sunset: 'some day' }),
    headed('a deprecated form as the RFCs ask for', 'getAccountFeesDeprecated', {
      deprecation: '@1688169599',
      sunset: YEAR.toUTCString(),
    }),
    headed('Deprecation: false says nothing', 'getCard', { deprecation: 'false' }),
    headed('a Link alone says nothing', 'getCard', { link: '<https://bank.example/v2>; rel="deprecation"' }),
  ],
};

const text = (name: string, operationId: Served, edit: (text: string) => string, ...finds: string[]): Change => {
  const answer: Answer = (response, count, good) => bytes(edit(JSON.stringify(good)))(response, count, good);
  return { name, answer: { [operationId]: answer }, finds };
};
const large = (name: string, field: string, raw: string, finds: boolean): Change =>
  text(
    name,
    'getCard',
    (json) => json.replace(new RegExp(`"${field}":\\d+`), `"${field}":${raw}`),
    ...(finds ? [`warning integer-too-large getCard /${field}`] : []),
  );

const marked = (name: string, operationId: Served): Change =>
  text(name, operationId, (json) => `\ufeff${json}`, `info byte-order-mark ${operationId} `);
const repeated = (
  name: string,
  operationId: Served,
  [from, to]: readonly [string | RegExp, string],
  ...places: string[]
): Change =>
  text(
    name,
    operationId,
    (json) => json.replace(from, to),
    ...places.map((place) => `warning key-twice ${operationId} ${place}`),
  );

export const TEXTS: Kind = {
  kind: 'JSON with several interpretations',
  changes: [
    whole(marked('a byte order mark', 'getCard')),
    marked('a byte order mark before a list', 'getBeneficiaries'),
    unrecorded(marked('a byte order mark, without a recording', 'getClient')),
    repeated('a field twice, alike', 'getCard', ['{', '{"cardDesign":"x",'], '/cardDesign'),
    repeated('a field twice, of two types', 'getCard', ['{', '{"cardLimitDaily":"x",'], '/cardLimitDaily'),
    repeated('a field three times', 'getCard', ['{', '{"id":"x","id":"y",'], '/id'),
    repeated('a field twice, once escaped', 'getClient', ['{', '{"frozen":true,"\\u0066rozen":true,'], '/frozen'),
    repeated(
      'a field of a nested object twice',
      'getCard',
      ['"reference":{', '"reference":{"code":"x",'],
      '/reference/code',
    ),
    repeated('a field of items twice', 'getCardFees', [/"name":/g, '"name":"x","name":'], '/fees/*/name'),
    repeated('an object twice', 'getTransaction', ['{', '{"paymentProviderDetails":{},'], '/paymentProviderDetails'),
    twofold(
      repeated('two fields twice', 'getClient', ['{', '{"clientId":"x","frozen":false,'], '/clientId', '/frozen'),
    ),
    text('one key in two objects is no repetition', 'getCardFees', (json) => json),
    large('an integer of twenty digits', 'cardLimitDaily', '12345678901234567890', true),
    large('the first integer beyond 2^53', 'cardLimitMonthly', '9007199254740993', true),
    large('a large negative integer', 'cardLimitTransaction', '-9007199254740993', true),
    large('an integer with an exponent', 'cardLimitDaily', '1e22', true),
    large('the largest integer that all read', 'cardLimitDaily', '9007199254740991', false),
    unrecorded(
      large('an integer of twenty digits, without a recording', 'cardLimitDaily', '12345678901234567890', true),
    ),
  ],
};

const SETTLED = 'getTransaction /paymentProviderDetails/settlementDate';
const unfound = (rows: Parameters<typeof values>[1]): Change[] =>
  values('', rows).map((change) => ({ ...change, finds: [] }));

export const FIRST: Kind = {
  kind: 'another offset, and the first contents of an empty field',
  changes: [
    ...firstWhole(
      values('warning value-contradicted', [
        ['Z became an offset', 'getCard /updatedAt', '2026-11-20T10:00:00+02:00'],
        ['Z became an offset in the west, with a fraction', 'getCard /updatedAt', '2026-11-20T10:00:00.125-05:00'],
        ['Z became +00:00', 'getCard /updatedAt', '2026-11-20T10:00:00+00:00'],
        ['Z became half an hour', 'getCard /updatedAt', '2026-11-20T10:00:00+05:30'],
      ]),
    ),
    ...values('error value-contradicted', [
      ['a documented Z became an offset', SETTLED, '2026-11-20T10:00:00+01:00'],
      ['a documented Z became an offset in the west', SETTLED, '2026-11-20T10:00:00.5-08:00'],
    ]),
    ...unfound([
      ['Z with more digits', 'getCard /updatedAt', '2026-11-20T10:00:00.123456789Z'],
      ['a documented Z became +00:00, which is UTC', SETTLED, '2026-11-20T10:00:00+00:00'],
      ['a documented Z became +0000, which is UTC', SETTLED, '2026-11-20T10:00:00+0000'],
      ['a documented date-time has no seconds, as ISO 8601 allows', SETTLED, '2026-02-28T00:00Z'],
      ['a documented date-time is in the basic form of ISO 8601', SETTLED, '20260228T100000Z'],
    ]),
    ...values('info contents-new', [
      ['a field that was always null is a string', 'getClient /frozenBy', 'somebody'],
      ['a field that was always null is an object', 'getClient /frozenBy', { id: 'x' }],
      ['a field that was always null is a list', 'getClient /frozenBy', [1]],
      ['a field that was always null is false', 'getClient /frozenBy', false],
      ['a list that was always empty has strings', 'getClient /restrictions', ['a']],
      ['a list that was always empty has objects', 'getClient /restrictions', [{ id: 1 }]],
      ['a nested field that was always null is a number', 'getClient /audit/closedAt', 5],
      ['a nested list that was always empty has items', 'getClient /audit/entries', [[]]],
    ]),
    twofold(
      bodyOf.getClient(
        'two fields have contents for the first time',
        (client) => ({ ...client, frozenBy: 'x', restrictions: [null] }),
        'info contents-new /frozenBy',
        'info contents-new /restrictions',
      ),
    ),
    ...values('warning type-contradicted', [
      ['a list that was always empty is an object', 'getClient /restrictions', {}],
      ['a list that was always empty is null', 'getClient /restrictions', null],
    ]),
    ...gone([['a field that was always null is missing', 'getClient /frozenBy']]),
  ],
};

/** Values of another type, for each documented field. */
const WRONG: readonly (readonly [at: string, type: string, wrong: readonly unknown[]])[] = [
  ['getCard /cardLimitDaily', 'integer', [null, [], {}, 'x', 0.5]],
  ['getCard /cardLimitMonthly', 'integer', [false, '', [5]]],
  ['getCard /cardLimitTransaction', 'integer', [null, '10', { amount: 1 }]],
  ['getCard /cardProgramme', 'string', [1, true, ['x'], { id: 'x' }]],
  ['getCard /cardDesign', 'string', [null, 0, []]],
  ['getClient /paymentProvider', 'string', [null, 7, { name: 'n' }]],
  ['getTransaction /purposeCode', 'string', [null, 12, ['SALA'], { code: 'SALA' }]],
  ['getAccounts /accounts/*/wireRoutingNumber', 'string', [null, 5, ['x']]],
  ['getBeneficiaries /*/visible', 'boolean', [null, 1, 'true']],
  ...['shortReference', 'internalReference', 'paymentId', 'conversionId'].map(
    (field) => [`getTransaction /paymentProviderDetails/${field}`, 'string', [{ id: 'x' }]] as const,
  ),
];

export const TYPES: Kind = {
  kind: 'a documented field has each other type',
  changes: firstWhole(
    values(
      'error type-contradicted',
      WRONG.flatMap(([at, type, wrong]) =>
        wrong.map((value) => [`${at} is ${JSON.stringify(value)}, no ${type}`, at, value] as const),
      ),
    ),
  ),
};
