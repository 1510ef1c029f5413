import { bomb, CREDENTIALS } from '../run/sandbox.ts';
import { bytes, good, page, reset, silence, status, truncated, typed } from './answers.ts';
import { type Change, type Kind, unrecorded, whole } from './change.ts';
import { OPTIONS } from './drive.ts';
import { answering, ofOperation } from './edits.ts';
import type { Answer, Switch } from './stand-in.ts';
import type { Served } from './world.ts';

const one = (name: string, operationId: Served, answer: Answer, ...finds: string[]): Change => ({
  name,
  answer: { [operationId]: answer },
  finds,
});

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
    whole(unrecorded(answering.getCard('an empty answer, without a recording', bytes('', {})))),
    whole(
      unrecorded(
        answering.getCard('no answer to read, without a recording', (response) => {
          response.writeHead(204).end();
          return true;
        }),
      ),
    ),
    answering.getClient('200 is 202', good(202), 'warning status-changed'),
    answering.getCardFees(
      '200 is 204',
      (response) => {
        response.writeHead(204).end();
        return true;
      },
      'warning status-changed',
    ),
    answering.getAvailablePartnerProducts('204 is 200', bytes('', {}), 'warning status-changed'),
    ...[400, 403, 409, 415, 422].map((code) =>
      answering.getCard(`200 is ${code}`, status(code), 'warning status-changed'),
    ),
    answering.getCard(
      'JSON is XML',
      bytes('<card/>', { 'content-type': 'application/xml' }),
      'warning content-type-contradicted',
    ),
    answering.getCard('JSON is plain text', typed('text/plain'), 'warning content-type-contradicted'),
    answering.getCard('JSON is another JSON', typed('application/hal+json'), 'warning content-type-contradicted'),
    answering.getCard('the body is gone', bytes('', {}), 'warning body-presence-changed'),
    whole(
      unrecorded(
        answering.getCard(
          'XML, without a recording',
          bytes('<card/>', { 'content-type': 'application/xml' }),
          'info undocumented-content-type',
        ),
      ),
    ),
  ],
};

const sunset =
  (days: number): Answer =>
  (response, count, body) =>
    good(200, { deprecation: '@1688169599', sunset: new Date(Date.now() + days * 86_400_000).toUTCString() })(
      response,
      count,
      body,
    );

const withdrawn = (operationId: Served, severity: string, code: number): Change =>
  one(`${operationId} answers ${code}`, operationId, status(code), `${severity} operation-withdrawn ${operationId} `);

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
    {
      name: 'a deprecated form has another shape than its successor',
      unrecorded: true,
      body: { getCardFeesDeprecated: ({ fees }) => ({ fees: fees.map((fee: object) => ({ ...fee, amount: 'x' })) }) },
      finds: ['warning deprecated-shape-differs getCardFeesDeprecated /fees/*/amount'],
    },
    {
      name: 'a deprecated form lacks a field of its successor',
      unrecorded: true,
      body: {
        getAccountFeesDeprecated: ({ fees }) => ({ fees: fees.map(({ name }: { name: string }) => ({ name })) }),
      },
      finds: ['warning deprecated-shape-differs getAccountFeesDeprecated /fees/*/amount'],
    },
  ],
};

export const FAILING: Kind = {
  kind: 'one operation gives no usable answer while others do',
  changes: [
    ...(
      [
        ['500', status(500), 'getCard'],
        ['503 without Retry-After', status(503), 'getTransactionFees'],
        ['a page of a gateway with 502', page(502), 'getAccounts'],
        ['a page of a gateway with 200', page(200), 'getCard'],
        ['a body that is cut off', truncated, 'listClientCards'],
        ['JSON that cannot be parsed', bytes('{"cardLimitDaily": '), 'getCard'],
        ['a body that is not UTF-8', bytes(Buffer.from([0x22, 0xff, 0xfe, 0x22])), 'getClient'],
        [
          'gzip that is none',
          bytes('{}', { 'content-type': 'application/json', 'content-encoding': 'gzip' }),
          'getTransaction',
        ],
        ['a reset', reset, 'getCardFees'],
        ['silence', silence, 'getBeneficiaries'],
        [
          'an answer that is no HTTP',
          (response) => {
            response.socket?.end('SSH-2.0-none\r\n\r\n');
            return true;
          },
          'getCard',
        ],
        ['500 from the last operation', status(500), 'getAvailablePartnerProducts'],
      ] satisfies [string, Answer, Served][]
    ).map(
      ([name, answer, operationId]): Change => ({
        ...one(name, operationId, answer, `error operation-failing ${operationId} `),
        ...(name === '500' ? { whole: true as const } : {}),
        ...(name === 'silence' ? { options: { timeouts: { ...OPTIONS.timeouts, firstByte: 0.4 } } } : {}),
      }),
    ),
    {
      name: '500, without a recording',
      unrecorded: true,
      answer: { getCard: status(500) },
      finds: ['error operation-failing getCard '],
    },
  ],
};

const issued = (
  name: string,
  edit: (token: Record<string, unknown>) => Record<string, unknown>,
  ...finds: string[]
): Change => ({ name, token: edit, finds: ofOperation('getToken', finds) });
const endsRun = (change: Change): Change => ({ ...change, unclear: 'all' });
const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwt = (header: unknown, signature: string, payload: object = {}): string =>
  `${part(header)}.${part(payload)}.${signature}`;

export const TOKEN: Kind = {
  kind: 'the token response changed, which may end the run',
  changes: [
    whole(
      endsRun(
        issued(
          'token_type is another',
          (token) => ({ ...token, token_type: 'mac' }),
          'error value-contradicted /token_type',
        ),
      ),
    ),
    issued(
      'expires_in is a string',
      (token) => ({ ...token, expires_in: '3600' }),
      'error type-contradicted /expires_in',
    ),
    issued('expires_in is gone', ({ expires_in: _, ...token }) => token, 'error required-missing /expires_in'),
    issued(
      'expires_in is zero',
      (token) => ({ ...token, expires_in: 0 }),
      'error token-lifetime-not-positive /expires_in',
    ),
    issued(
      'expires_in is negative',
      (token) => ({ ...token, expires_in: -5 }),
      'error token-lifetime-not-positive /expires_in',
    ),
    issued(
      'expires_in is ten times the life of the token',
      (token) => ({
        ...token,
        access_token: jwt({ alg: 'HS256' }, 'c2ln', { iat: 1000, exp: 1360 }),
        expires_in: 3600,
      }),
      'warning token-lifetime-exceeds-exp /expires_in',
    ),
    issued('jti is gone', ({ jti: _, ...token }) => token, 'error required-missing /jti'),
    issued('jti is a number', (token) => ({ ...token, jti: 7 }), 'error type-contradicted /jti'),
    issued('scope is gone', ({ scope: _, ...token }) => token, 'error required-missing /scope'),
    issued('scope is null', (token) => ({ ...token, scope: null }), 'error type-contradicted /scope'),
    issued('scope is a list', (token) => ({ ...token, scope: ['a'] }), 'error type-contradicted /scope'),
    issued('expires_in is null', (token) => ({ ...token, expires_in: null }), 'error type-contradicted /expires_in'),
    issued(
      'expires_in is a word',
      (token) => ({ ...token, expires_in: 'soon' }),
      'error type-contradicted /expires_in',
    ),
    endsRun(
      issued(
        'the token is opaque',
        (token) => ({ ...token, access_token: 'opaque' }),
        'error token-not-jwt /access_token',
      ),
    ),
    endsRun(issued('the response is wrapped', (token) => ({ data: token }), 'error fields-moved')),
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
    endsRun(
      issued(
        'access_token has another name',
        ({ access_token, ...token }) => ({ ...token, accessToken: access_token }),
        'error fields-renamed',
      ),
    ),
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

export const ACCESS: Kind = {
  kind: 'what must be refused is served',
  changes: [
    {
      name: 'any token is accepted',
      fault: everyRead((bad) => (bad ? 200 : null)),
      finds: ['error token-not-refused null '],
      whole: true,
    },
    ...(['signature', 'alg'] as const).map((part) => ({
      name: `a token is accepted whatever its ${part}`,
      options: { probe: true },
      fault: ((seen, response) => {
        const [header = '', , signature] = seen.authorization.replace('Bearer ', '').split('.');
        const isUnsigned = Buffer.from(header, 'base64url').toString().includes('"none"');
        const isForged = part === 'alg' ? isUnsigned : signature !== undefined && signature !== 'PLANTEDsignature';
        return isForged && status(200, {})(response, 1, null) === true;
      }) satisfies Switch['fault'],
      finds: ['error token-not-refused getCardFees '],
      says: [part === 'alg' ? /forged token \(unsigned\)/ : /forged token \(changed-signature\)/],
    })),
    {
      name: 'a service accepts any token',
      fault: (seen, response, count) =>
        seen.path.startsWith('/core/') && everyRead((bad) => (bad ? 200 : null))(seen, response, count) === true,
      finds: ['error token-not-refused null '],
    },
    {
      name: 'a service answers a missing token with 403',
      fault: (seen, response, count) =>
        seen.path.startsWith('/wallet/') && everyRead((bad) => (bad ? 403 : null))(seen, response, count) === true,
      finds: ['error token-refused-otherwise null '],
    },
    ...[400, 404, 302].map((code) => ({
      name: `a missing token is answered with ${code}`,
      fault: everyRead((bad) => (bad ? code : null)),
      finds: ['error token-refused-otherwise null '],
    })),
    {
      name: 'one operation needs no token',
      fault: (seen, response) =>
        seen.path === CARD_PATH && seen.authorization === '' && status(200, {})(response, 1, null) === true,
      finds: ['error token-not-refused getCard '],
    },
    {
      name: 'a token that was never issued is accepted by one operation',
      fault: (seen, response) =>
        seen.path === CARD_PATH &&
        seen.authorization.startsWith('Bearer garbage') &&
        status(200, {})(response, 1, null) === true,
      finds: ['error token-not-refused getCard '],
    },
    {
      name: 'a missing token is answered with 403',
      fault: everyRead((bad) => (bad ? 403 : null)),
      finds: ['error token-refused-otherwise null '],
    },
    {
      name: 'a wrong password gets a token',
      options: { probe: true },
      fault: (seen, response) => {
        const right = Buffer.from(`${CREDENTIALS.username}:${CREDENTIALS.password}`).toString('base64');
        if (seen.path !== '/iam/oauth/token' || seen.authorization === `Basic ${right}`) return false;
        return status(200, GOT)(response, 1, null) === true;
      },
      finds: ['error wrong-credentials-accepted getToken '],
    },
    {
      name: 'another grant gets a token',
      options: { probe: true },
      fault: (seen, response, count) =>
        count > 1 &&
        seen.path === '/iam/oauth/token' &&
        !seen.body.includes('client_credentials') &&
        status(200, GOT)(response, 1, null) === true,
      finds: ['error wrong-grant-accepted getToken '],
    },
    {
      name: 'a form of the transaction fees takes the method of the other',
      options: { probe: true },
      fault: (seen, response) =>
        seen.method === 'GET' &&
        seen.path.startsWith('/billing/') &&
        seen.path.endsWith('/transactions/fees') &&
        seen.authorization.startsWith('Bearer ey') &&
        status(200, { fees: [] })(response, 1, null) === true,
      finds: ['warning method-not-refused getTransactionFees '],
    },
  ],
};

const unclear = (name: string, answer: Answer, ...finds: string[]): Change => ({
  ...one(name, 'getCard', answer, ...finds),
  unclear: ['getCard'],
});

export const UNCLEAR: Kind = {
  kind: 'what says nothing for certain is inconclusive, no finding',
  changes: [
    whole(unrecorded(unclear('404 where nothing was recorded', status(404)))),
    unrecorded(unclear('403 where nothing was recorded', status(403))),
    unrecorded(unclear('422 where nothing was recorded', status(422), 'info undocumented-status getCard ')),
    unrecorded(unclear('an object without any documented field', bytes('{"status":"maintenance"}'))),
    unclear('401 with a fresh token', status(401)),
    unclear(
      'a redirect to another host',
      (response) => {
        response.writeHead(302, { location: 'https://login.example/' }).end();
        return true;
      },
      'info undocumented-status getCard ',
    ),
    unclear('a body beyond the limit', (response) => {
      bomb(response);
      return true;
    }),
    unclear('429 that asks for more patience than a run has', status(429, {}, { 'retry-after': '60' })),
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
  kind: 'a target that is out as a whole is inconclusive, no finding',
  changes: [
    out('500 everywhere', target(status(500))),
    out('HTML everywhere', target(page(200))),
    whole(out('404 everywhere', target(status(404)))),
    out('405 everywhere', target(status(405))),
    out('resets everywhere', target(reset)),
    out('no token is accepted', target(status(401))),
    out('403 everywhere', target(status(403))),
    out(
      'redirects everywhere',
      target((response) => {
        response.writeHead(307, { location: 'https://login.example/' }).end();
        return true;
      }),
    ),
    out('the token endpoint refuses', tokens(status(401))),
    out('the token endpoint answers 500', tokens(status(500))),
    out('the token endpoint sends HTML', tokens(page(200))),
    out('the token endpoint is reset', tokens(reset)),
  ],
};
