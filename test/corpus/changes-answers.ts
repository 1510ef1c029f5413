import { bomb, CREDENTIALS, json, type Seen } from '../run/sandbox.ts';
import { bytes, good, page, reset, silence, status, truncated, typed } from './answers.ts';
import { type Change, firstWhole, type Kind, unrecorded, whole } from './change.ts';
import { OPTIONS } from './drive.ts';
import { answering, drop, edits, set } from './edits.ts';
import type { Answer, Switch } from './stand-in.ts';
import type { Served } from './world.ts';

const noContent: Answer = (response) => {
  response.writeHead(204).end();
  return true;
};
const XML = bytes('<card/>', { 'content-type': 'application/xml' });

export const STATUS: Kind = {
  kind: 'another status, content type or body than recorded',
  changes: [
    whole(answering.getCard('200 is 201', good(201), 'warning status-changed')),
    {
      name: '200 is 201, and a field is gone',
      causes: 2,
      body: { getCard: ({ id: _, ...card }) => card },
      answer: { getCard: good(201) },
      finds: ['warning status-changed getCard ', 'warning required-missing getCard /id'],
    },
    ...['getCard', 'getTransaction', 'getAccounts', 'getBeneficiaries'].map((id, index) => {
      const accepted = status(201 + (index % 3), { jobId: `j-${index}`, state: 'QUEUED' });
      return {
        ...answering[id as Served](
          `200 is ${201 + (index % 3)} with a job in place of its body, in ${id}`,
          accepted,
          'warning status-changed',
        ),
        ...(index === 1 && { whole: true as const }),
        says: [/ with another body; so far it was 200\.$/],
      };
    }),
    answering.getClient(
      '200 is 202 with few of its fields',
      (response, _, { clientId, frozen }) => json(response, 202, { clientId, frozen, queued: true }),
      'warning status-changed',
    ),
    whole(unrecorded(answering.getCard('an empty answer, without a recording', bytes('', {})))),
    whole(unrecorded(answering.getCard('no answer to read, without a recording', noContent))),
    answering.getClient('200 is 202', good(202), 'warning status-changed'),
    answering.getCardFees('200 is 204', noContent, 'warning status-changed'),
    answering.getAvailablePartnerProducts('204 is 200', bytes('', {}), 'warning status-changed'),
    ...[400, 403, 409, 415, 422].map((code) =>
      answering.getCard(`200 is ${code}`, status(code), 'warning status-changed'),
    ),
    answering.getCard('JSON is XML', XML, 'warning content-type-contradicted'),
    answering.getCard('JSON is plain text', typed('text/plain'), 'warning content-type-contradicted'),
    answering.getCard('JSON is another JSON', typed('application/hal+json'), 'warning content-type-contradicted'),
    answering.getCard('the body is gone', bytes('', {}), 'warning body-presence-changed'),
    whole(unrecorded(answering.getCard('XML, without a recording', XML, 'info undocumented-content-type'))),
  ],
};

const sunset = (days: number): Answer =>
  good(200, { deprecation: '@1688169599', sunset: new Date(Date.now() + days * 86_400_000).toUTCString() });

const withdrawn = (operationId: Served, severity: string, code: number): Change =>
  answering[operationId](`${operationId} answers ${code}`, status(code), `${severity} operation-withdrawn`);

export const WITHDRAWN: Kind = {
  kind: 'an operation or a deprecated form is withdrawn',
  changes: [
    whole(withdrawn('getCard', 'error', 410)),
    withdrawn('getClient', 'error', 404),
    withdrawn('listClientCards', 'error', 405),
    withdrawn('getCardFees', 'error', 404),
    withdrawn('getTransactionFees', 'error', 405),
    withdrawn('getCardFeesDeprecated', 'warning', 404),
    withdrawn('getAccountFeesDeprecated', 'warning', 410),
    withdrawn('getTransactionFeesDeprecated', 'warning', 405),
    {
      name: 'all deprecated forms are withdrawn',
      causes: 3,
      answer: {
        getCardFeesDeprecated: status(404),
        getAccountFeesDeprecated: status(404),
        getTransactionFeesDeprecated: status(405),
      },
      finds: ['getCardFeesDeprecated', 'getAccountFeesDeprecated', 'getTransactionFeesDeprecated'].map(
        (id) => `warning operation-withdrawn ${id} `,
      ),
    },
    { ...withdrawn('getCard', 'error', 405), name: 'getCard answers 405, without a recording', unrecorded: true },
    {
      ...withdrawn('getCardFeesDeprecated', 'warning', 404),
      name: 'getCardFeesDeprecated answers 404, without a recording',
      unrecorded: true,
    },
    answering.getCardFeesDeprecated('a Sunset in ten days', sunset(10), 'warning sunset-near'),
    answering.getAccountFeesDeprecated('a Sunset that is over', sunset(-1), 'warning sunset-near'),
    answering.getAccountFeesDeprecated('a Sunset in a year, and a Deprecation', sunset(365)),
    ...edits('warning deprecated-shape-differs', [
      [
        'a deprecated form has another shape than its successor',
        'getCardFeesDeprecated /fees/*/amount',
        set('/fees/*/amount', 'x'),
      ],
      [
        'a deprecated form lacks a field of its successor',
        'getAccountFeesDeprecated /fees/*/amount',
        drop('/fees/*/amount'),
      ],
    ]).map(unrecorded),
    // a change of one form since the recording is one finding, about that form
    ...firstWhole(
      edits('warning type-contradicted', [
        ['the account fees send texts', 'getAccountFees /fees/*/amount', set('/fees/*/amount', '1.00')],
        ['the old transaction fees send codes', 'getTransactionFeesDeprecated /fees/*/name', set('/fees/*/name', 12)],
      ]),
    ),
  ],
};

const JSON_TYPE = { 'content-type': 'application/json' };
const noHttp: Answer = (response) => {
  response.socket?.end('SSH-2.0-none\r\n\r\n');
  return true;
};

export const FAILING: Kind = {
  kind: 'one operation fails while others work',
  changes: [
    ...firstWhole(
      (
        [
          ['500', status(500), 'getCard'],
          ['501', status(501), 'getTransactionFees'],
          ['a truncated body', truncated, 'listClientCards'],
          ['JSON that cannot be parsed', bytes('{"cardLimitDaily": '), 'getCard'],
          ['a body that is not UTF-8', bytes(Buffer.from([0x22, 0xff, 0xfe, 0x22])), 'getClient'],
          ['an invalid gzip body', bytes('{}', { ...JSON_TYPE, 'content-encoding': 'gzip' }), 'getTransaction'],
          ['a reset', reset, 'getCardFees'],
          ['an answer that is not HTTP', noHttp, 'getCard'],
          ['500 from the last operation', status(500), 'getAvailablePartnerProducts'],
        ] satisfies [string, Answer, Served][]
      ).map(([name, answer, operationId]) => answering[operationId](name, answer, 'error operation-failing')),
    ),
    {
      ...answering.getBeneficiaries('silence', silence, 'error operation-failing'),
      options: { timeouts: { ...OPTIONS.timeouts, firstByte: 0.4 } },
    },
    unrecorded(answering.getCard('500, without a recording', status(500), 'error operation-failing')),
  ],
};

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwt = (header: unknown, signature: string, payload: object = {}): string =>
  `${part(header)}.${part(payload)}.${signature}`;

type Token = Record<string, unknown>;
/** Response members that replace the good ones; `undefined` removes a member. */
const ISSUED: readonly (readonly [name: string, members: Token, finding: string])[] = [
  ['expires_in is a string', { expires_in: '3600' }, 'error type-contradicted getToken /expires_in'],
  ['expires_in is gone', { expires_in: undefined }, 'error required-missing getToken /expires_in'],
  ['expires_in is zero', { expires_in: 0 }, 'error token-lifetime-not-positive getToken /expires_in'],
  ['expires_in is negative', { expires_in: -5 }, 'error token-lifetime-not-positive getToken /expires_in'],
  [
    'expires_in is ten times the life of the token',
    { access_token: jwt({ alg: 'HS256' }, 'c2ln', { iat: 1000, exp: 1360 }), expires_in: 3600 },
    'warning token-lifetime-exceeds-exp getToken /expires_in',
  ],
  ['expires_in is null', { expires_in: null }, 'error type-contradicted getToken /expires_in'],
  ['expires_in is a word', { expires_in: 'soon' }, 'error type-contradicted getToken /expires_in'],
  ['jti is gone', { jti: undefined }, 'error required-missing getToken /jti'],
  ['jti is a number', { jti: 7 }, 'error type-contradicted getToken /jti'],
  ['scope is gone', { scope: undefined }, 'error required-missing getToken /scope'],
  ['scope is null', { scope: null }, 'error type-contradicted getToken /scope'],
  ['scope is a list', { scope: ['a'] }, 'error type-contradicted getToken /scope'],
];
/** Responses without a usable token, which end the run. */
const UNUSABLE: readonly (readonly [name: string, edit: (token: Token) => Token, finding: string])[] = [
  [
    'token_type has another value',
    (token) => ({ ...token, token_type: 'mac' }),
    'error value-contradicted getToken /token_type',
  ],
  [
    'the token is opaque',
    (token) => ({ ...token, access_token: 'opaque' }),
    'error token-not-jwt getToken /access_token',
  ],
  ['the response is wrapped', (token) => ({ data: token }), 'error fields-moved getToken '],
  [
    'access_token has another name',
    ({ access_token, ...token }) => ({ ...token, accessToken: access_token }),
    'error fields-renamed getToken ',
  ],
];

export const TOKEN: Kind = {
  kind: 'the token response changed, which may end the run',
  changes: [
    ...firstWhole(UNUSABLE.map(([name, token, finding]) => ({ name, token, finds: [finding], unclear: 'all' }))),
    ...ISSUED.map(([name, members, finding]) => ({
      name,
      token: (token: Token) => ({ ...token, ...members }),
      finds: [finding],
    })),
    {
      name: 'the token is not signed',
      fault: (seen, response) => {
        if (seen.path === '/iam/oauth/token' || !seen.authorization.startsWith('Bearer ey')) return false;
        return status(200, {})(response, 1, null) === true;
      },
      token: (token) => ({ ...token, access_token: jwt({ alg: 'none' }, '') }),
      unrecorded: true,
      finds: ['error token-not-jwt getToken /access_token'],
      // each answer is an empty object
      unclear: ['getCard', 'getClient', 'getTransaction'],
    },
  ],
};

const everyRead =
  (answer: (bad: boolean) => number | null): NonNullable<Switch['fault']> =>
  (seen, response) => {
    if (seen.path === '/iam/oauth/token') return false;
    const code = answer(!seen.authorization.startsWith('Bearer ey'));
    return code === null ? false : status(code)(response, 1, null);
  };
const GOT = { access_token: 'e30.e30.x', expires_in: 9, jti: 'j', scope: '', token_type: 'bearer' };
const CARD_PATH = '/wallet/api/customers/c-1/cards/k-4';
/** Requests that get a 200 and should be rejected. */
const served = (
  name: string,
  isServed: (seen: Seen, count: number) => boolean,
  find: string,
  body: object = {},
): Change => ({
  name,
  fault: (seen, response, count) => isServed(seen, count) && status(200, body)(response, 1, null) === true,
  finds: [find],
});
const probed = (change: Change): Change => ({ ...change, options: { probe: true } });
const forged = (
  part: string,
  isForged: (header: string, signature: string | undefined) => boolean,
  says: RegExp,
): Change => ({
  ...served(
    `a token is accepted whatever its ${part}`,
    ({ authorization }) => {
      const [header = '', , signature] = authorization.replace('Bearer ', '').split('.');
      return isForged(Buffer.from(header, 'base64url').toString(), signature);
    },
    'error token-not-refused getCardFees ',
  ),
  says: [says],
});
const [OPEN, OTHERWISE] = ['error token-not-refused null ', 'error token-refused-otherwise null '];
const onlyAt =
  (prefix: string, code: number): NonNullable<Switch['fault']> =>
  (seen, response, count) =>
    seen.path.startsWith(prefix) && everyRead((bad) => (bad ? code : null))(seen, response, count) === true;

export const ACCESS: Kind = {
  kind: 'requests that must be rejected are served',
  changes: [
    whole({ name: 'any token is accepted', fault: onlyAt('/', 200), finds: [OPEN] }),
    { name: 'a service accepts any token', fault: onlyAt('/core/', 200), finds: [OPEN] },
    { name: 'a service answers a missing token with 403', fault: onlyAt('/wallet/', 403), finds: [OTHERWISE] },
    ...[400, 404, 302, 403].map((code) => ({
      name: `a missing token is answered with ${code}`,
      fault: onlyAt('/', code),
      finds: [OTHERWISE],
    })),
    served(
      'one operation needs no token',
      ({ path, authorization }) => path === CARD_PATH && authorization === '',
      'error token-not-refused getCard ',
    ),
    served(
      'a token that was never issued is accepted by one operation',
      ({ path, authorization }) => path === CARD_PATH && authorization.startsWith('Bearer garbage'),
      'error token-not-refused getCard ',
    ),
    ...[
      forged('alg', (header) => header.includes('"none"'), /forged token \(unsigned\)/),
      forged(
        'signature',
        (_, signature) => signature !== undefined && signature !== 'PLANTEDsignature',
        /forged token \(changed-signature\)/,
      ),
      served(
        'a wrong password gets a token',
        ({ path, authorization }) => {
          const right = Buffer.from(`${CREDENTIALS.username}:${CREDENTIALS.password}`).toString('base64');
          return path === '/iam/oauth/token' && authorization !== `Basic ${right}`;
        },
        'error wrong-credentials-accepted getToken ',
        GOT,
      ),
      served(
        'another grant gets a token',
        ({ path, body }, count) => count > 1 && path === '/iam/oauth/token' && !body.includes('client_credentials'),
        'error wrong-grant-accepted getToken ',
        GOT,
      ),
      served(
        'one form of the transaction fees accepts the method of the second form',
        ({ method, path, authorization }) =>
          method === 'GET' && /^\/billing\/.*\/transactions\/fees$/.test(path) && authorization.startsWith('Bearer ey'),
        'warning method-not-refused getTransactionFees ',
        { fees: [] },
      ),
    ].map(probed),
  ],
};

const login =
  (code: number): Answer =>
  (response) => {
    response.writeHead(code, { location: 'https://login.example/' }).end();
    return true;
  };
const unclear = (name: string, answer: Answer, ...finds: string[]): Change => ({
  ...answering.getCard(name, answer, ...finds),
  unclear: ['getCard'],
});

export const UNCLEAR: Kind = {
  kind: 'ambiguous answers are inconclusive, without a finding',
  changes: [
    whole(unrecorded(unclear('404 without a recording', status(404)))),
    unrecorded(unclear('403 without a recording', status(403))),
    unrecorded(unclear('422 without a recording', status(422), 'info undocumented-status')),
    unrecorded(unclear('an object without any documented field', bytes('{"status":"maintenance"}'))),
    unclear('401 with a fresh token', status(401)),
    unclear('a redirect to another host', login(302), 'info undocumented-status'),
    unclear('a body beyond the limit', (response) => bomb(response)),
    {
      ...unclear('429 that asks for more patience than a run has', status(429, {}, { 'retry-after': '1' })),
      says: [/^it answers 429; a run waits at most 3 s in total/],
    },
    unclear('503 that asks for more patience than a run has', status(503, {}, { 'retry-after': '60' })),
    unclear('408', status(408)),
  ],
};

const out = (name: string, fault: NonNullable<Switch['fault']>): Change => ({ name, fault, finds: [], unclear: 'all' });
const target =
  (answer: Answer): NonNullable<Switch['fault']> =>
  (seen, response) =>
    seen.path !== '/iam/oauth/token' && answer(response, 1, null) === true;
const tokens =
  (answer: Answer): NonNullable<Switch['fault']> =>
  (seen, response) =>
    seen.path === '/iam/oauth/token' && answer(response, 1, null) === true;

export const OUTAGE: Kind = {
  kind: 'an outage of the whole target is inconclusive, without a finding',
  changes: [
    out('500 everywhere', target(status(500))),
    out('HTML everywhere', target(page(200))),
    whole(out('404 everywhere', target(status(404)))),
    out('405 everywhere', target(status(405))),
    out('resets everywhere', target(reset)),
    out('no token is accepted', target(status(401))),
    out('403 everywhere', target(status(403))),
    out('redirects everywhere', target(login(307))),
    out('the token endpoint refuses', tokens(status(401))),
    out('the token endpoint answers 500', tokens(status(500))),
    out('the token endpoint sends HTML', tokens(page(200))),
    out('the token endpoint is reset', tokens(reset)),
  ],
};
