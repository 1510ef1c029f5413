import type { ServerResponse } from 'node:http';
import type { Fault } from '../run/sandbox.ts';
import { bytes, good, once, page, reset, silence, status } from './answers.ts';
import { type Change, type Kind, whole } from './change.ts';
import { OPTIONS } from './drive.ts';
import type { Answer } from './stand-in.ts';
import { type Body, SERVED, type Served } from './world.ts';

const TOKEN = '/iam/oauth/token';
const isGoodToken = (authorization: string): boolean => authorization.startsWith('Bearer ey');

/** Replaces all or some answers of a target. */
interface Where {
  /** Number of requests before it begins. */
  readonly after?: number;
  /** Number of requests before it ends. */
  readonly until?: number;
  /** Calls without a good token still get their 401. */
  readonly behindToken?: true;
  /** Includes the token endpoint. */
  readonly all?: true;
  readonly prefixes?: readonly string[];
}

const instead =
  (answer: Answer, { after = 0, until = 1e9, behindToken, all, prefixes = ['/'] }: Where = {}): Fault =>
  (seen, response, count) => {
    if (count <= after || count > until) return false;
    if (seen.path === TOKEN) return all === true && answer(response, count, null) === true;
    if (behindToken === true && !isGoodToken(seen.authorization)) return false;
    return prefixes.some((prefix) => seen.path.startsWith(prefix)) && answer(response, count, null) === true;
  };

/** A new answer each time. */
const made =
  (make: (count: number, response: ServerResponse) => unknown, code = 200): Answer =>
  (response, count) =>
    status(code, make(count, response))(response, count, null);

const MAINTENANCE = made(() => ({ status: 'maintenance' }));
const EMPTY = bytes('', {});

/** Notices that a gateway or a platform sends instead of any operation's answer. */
const NOTICES: readonly (readonly [string, Answer])[] = [
  ['{"status":"maintenance"}', MAINTENANCE],
  [
    'a notice with an id, a time and an estimate',
    made((count) => ({
      status: 'DOWN',
      requestId: `9f${count}c1-a0${count}`,
      timestamp: new Date(count * 1000).toISOString(),
      retryInSeconds: 100 - count,
      message: `Back at 0${count % 10}:30, reference AB-${count}`,
    })),
  ],
  ['an empty 200', EMPTY],
  ['plain text', bytes('Scheduled maintenance in progress', { 'content-type': 'text/plain' })],
  ['XML', bytes('<fault><code>SVC0001</code></fault>', { 'content-type': 'text/xml' })],
  ['an error in a 200', made(() => ({ error: { code: 'UPSTREAM', message: 'no healthy upstream' } }))],
];

const FEES = (Object.keys(SERVED) as Served[]).filter((id) => id.includes('Fees'));

const out = (name: string, fault: Fault, more: Partial<Change> = {}): Change => ({
  name,
  fault,
  finds: [],
  unclear: 'all',
  ...more,
});

export const FOREIGN: Kind = {
  kind: 'the same foreign answer from every operation is an outage, without a finding',
  changes: [
    ...NOTICES.flatMap(([name, answer], index) => [
      out(`${name}, from the start`, instead(answer), index === 0 ? { whole: true } : {}),
      out(`${name}, behind authentication`, instead(answer, { behindToken: true })),
      out(`${name}, without a recording`, instead(answer), { unrecorded: true }),
      out(`${name}, from mid-run`, instead(answer, { after: 34 }), { unclear: 'some' }),
    ]),
    out('a notice, behind authentication, without a recording', instead(MAINTENANCE, { behindToken: true }), {
      unrecorded: true,
    }),
    out('a notice, from mid-run, behind authentication', instead(MAINTENANCE, { after: 34, behindToken: true }), {
      unclear: 'some',
      whole: true,
    }),
    out('a notice, the token endpoint too', instead(MAINTENANCE, { all: true }), { whole: true }),
    out('an empty 200, the token endpoint too', instead(EMPTY, { all: true })),
    out('a gateway that has no routes from the start', instead(made(() => ({ message: 'no Route matched' }), 404))),
    out('a page that is not found, from the start', instead(page(404))),
    out('a page of maintenance with 503', instead(page(503))),
    {
      name: 'a notice that ends during the run',
      fault: instead(MAINTENANCE, { after: 34, until: 38 }),
      finds: [],
    },
    {
      name: 'a notice from one operation, to requests without a token too',
      fault: ({ path }, response, count) => path.endsWith('/cards/k-4') && MAINTENANCE(response, count, null),
      finds: [],
      unclear: ['getCard'],
    },
    {
      name: 'empty lists from everything that sends lists',
      finds: [],
      body: {
        listClientCards: (body) => ({ ...body, cards: [] }),
        getAccounts: () => ({ accounts: [] }),
        getBeneficiaries: () => [],
        getCardFees: () => ({ fees: [] }),
        getAccountFees: () => ({ fees: [] }),
      },
    },
    {
      name: 'equal answers of operations with an unknown payload',
      unrecorded: true,
      finds: [],
      answer: Object.fromEntries(FEES.map((id) => [id, MAINTENANCE])),
    },
  ],
};

const lost = (name: string, answer: Answer, after: number): Change =>
  out(`${name}, from request ${after}`, instead(answer, { after }), { unclear: 'some' });
const passing = (name: string, operationId: Served, answer: Answer): Change => ({
  name,
  answer: { [operationId]: answer },
  finds: [],
});
const times =
  (most: number, answer: Answer): Answer =>
  (response, count, body) =>
    count <= most ? answer(response, count, body) : false;

export const PASSING: Kind = {
  kind: 'a short absence, or one at a gateway, is not a withdrawal',
  changes: [
    ...[404, 405, 410].flatMap((code) =>
      (['getCard', 'getClient', 'getTransactionFees', 'getCardFeesDeprecated'] as const).map((id) =>
        passing(`a single ${code} of ${id}`, id, once(status(code))),
      ),
    ),
    whole(passing('a 404 that lasts for two tries', 'getTransaction', times(2, status(404)))),
    passing('a 410 that lasts for two tries, of a deprecated form', 'getAccountFeesDeprecated', times(2, status(410))),
    ...[400, 403, 409, 422].map((code) => passing(`a single ${code}`, 'getAccounts', once(status(code)))),
    passing('a single redirect to a login', 'getClient', once(status(302, {}, { location: 'https://login.example/' }))),
    lost('a gateway loses its routes', status(404), 34),
    lost('a gateway loses its routes', status(404), 40),
    lost('a gateway loses its routes (405)', status(405), 37),
    lost('a gateway loses its routes (410)', status(410), 44),
    lost('a gateway sends a page that is not found', page(404), 36),
    {
      name: 'a gateway loses its routes, and restores them before the end',
      fault: instead(status(404), { after: 35, until: 43 }),
      finds: [],
    },
    {
      name: 'a gateway loses its routes while no token is sent',
      fault: instead(status(404), { after: 8, until: 20 }),
      finds: [],
    },
    {
      name: 'a notice while no token is sent',
      fault: instead(MAINTENANCE, { after: 8, until: 20 }),
      finds: [],
    },
    {
      name: 'the token endpoint fails for more attempts than a call has',
      fault: instead(page(503), { all: true, until: 6, prefixes: [] }),
      finds: [],
    },
  ],
};

const BILLING: readonly Served[] = ['getCardFees', 'getAccountFees', 'getTransactionFees'];
const of = (prefix: string): Served[] =>
  (Object.keys(SERVED) as Served[]).filter((id) => SERVED[id].split(' ')[1]?.startsWith(prefix));
/** All other operations must answer within it, even on a busy machine, to differ from silent ones. */
const patient = { timeouts: { ...OPTIONS.timeouts, firstByte: 2, call: 8, dead: 12 } };

/** One service is out, and an operation of another one has changed. */
const dead = (name: string, prefix: string, answer: Answer, more: Partial<Change> = {}): Change => ({
  name: `${prefix}: ${name}`,
  fault: instead(answer, { prefixes: [prefix] }),
  body: { getCard: ({ id: _, ...card }: Body) => card, getClient: ({ frozen: _, ...client }: Body) => client },
  finds: [
    ...(prefix === '/wallet' ? [] : ['warning required-missing getCard /id']),
    ...(prefix === '/core' ? [] : ['warning required-missing getClient /frozen']),
  ],
  unclear: of(prefix),
  ...more,
});

export const SERVICES: Kind = {
  kind: 'a failed service is inconclusive, and all other services are judged',
  changes: [
    dead('502', '/billing', page(502)),
    dead('500', '/core', status(500), { whole: true }),
    dead('503', '/wallet', status(503)),
    dead('404', '/billing', status(404)),
    dead('404', '/wallet', status(404)),
    dead('410', '/core', status(410)),
    dead('403', '/core', status(403)),
    dead('resets', '/core', reset),
    dead('a page with 200', '/wallet', page(200)),
    dead('a notice with 200', '/core', MAINTENANCE),
    dead('a notice with 200, behind authentication', '/wallet', MAINTENANCE, {
      fault: instead(MAINTENANCE, { prefixes: ['/wallet'], behindToken: true }),
    }),
    dead('an empty 200', '/core', EMPTY),
    dead('401', '/billing', status(401)),
    dead('silence', '/billing', silence, { options: patient }),
    dead('silence', '/core', silence, { options: patient }),
    {
      ...dead('502, and /core silent', '/billing', page(502)),
      fault: (seen, response, count) =>
        instead(page(502), { prefixes: ['/billing'] })(seen, response, count) === true ||
        instead(silence, { prefixes: ['/core'] })(seen, response, count) === true,
      options: patient,
      finds: ['warning required-missing getCard /id'],
      unclear: [...BILLING, ...of('/core')],
    },
    dead('502 from mid-run', '/core', page(502), {
      fault: instead(page(502), { prefixes: ['/core'], after: 40 }),
      finds: ['warning required-missing getCard /id'],
      unclear: 'some',
    }),
  ],
};

const NO_CONTENT: Answer = (response) => {
  response.writeHead(204).end();
  return true;
};
const firewall =
  (code: number): Answer =>
  (response) => {
    response.writeHead(code, { 'content-type': 'text/html' });
    response.end(`<html><head><title>Request blocked, reference ${'9a'.repeat(60)}</title></head><body>Sorry</body>`);
    return true;
  };
/** The same answer of some operations, while all others are as recorded. */
const alike = (name: string, ids: readonly Served[], answer: Answer, more: Partial<Change> = {}): Change => ({
  name: `${name}: ${ids.join(', ')}`,
  answer: Object.fromEntries(ids.map((id) => [id, answer])),
  finds: [],
  ...more,
});
const unsettled = (name: string, ids: readonly Served[], answer: Answer, more: Partial<Change> = {}): Change =>
  alike(name, ids, answer, { unclear: ids, ...more });
const FEW: readonly Served[] = ['getClient', 'getTransaction'];
const LISTS: readonly Served[] = ['getAccounts', 'listClientCards', 'getCardFees', 'getAccountFees'];

export const MINORITY: Kind = {
  kind: 'a few operations of many answer alike for ever, which is one finding',
  changes: [
    whole(alike('204', FEW, NO_CONTENT, { finds: ['warning status-changed null '] })),
    alike('204', ['getAccounts', 'getTransaction'], NO_CONTENT, { finds: ['warning status-changed null '] }),
    alike('{"done":true}', FEW, status(200, { done: true }), { finds: ['warning object-replaced null '] }),
    alike('{"result":"ok"}', ['getCard', 'getClient'], status(200, { result: 'ok' }), {
      finds: ['warning object-replaced null '],
    }),
    alike('{"entries":[],"size":0}', ['getTransaction', 'getClient'], status(200, { entries: [], size: 0 }), {
      finds: ['warning object-replaced null '],
    }),
    alike('{"data":null}', LISTS, status(200, { data: null }), { finds: ['warning object-replaced null '] }),
  ],
};

export const BALANCED: Kind = {
  kind: 'a notice of some operations is inconclusive, and a warning on the third night',
  changes: [
    whole(unsettled('a maintenance notice', FEW, MAINTENANCE)),
    ...(['getTransaction', 'getCard', 'getCardFees', 'getClient'] as const).map((id) =>
      unsettled('a maintenance notice', [id], MAINTENANCE),
    ),
    unsettled('{"state":"temporarily offline"}', ['getCard'], status(200, { state: 'temporarily offline' })),
    ...[200, 403, 404, 503].map((code) =>
      unsettled(`a page of a firewall with ${code}`, ['getAccounts'], firewall(code), {
        says: [/^it answers (HTML|\d+) \(“Request blocked, reference [9a]{53}”\), while other operations of/],
      }),
    ),
    ...[502, 503, 504].map((code) => unsettled(String(code), ['getTransaction'], status(code))),
    unsettled('a page of a gateway with 502', ['getAccounts', 'getTransaction'], page(502)),
    unsettled('500', ['getAccounts', 'getTransaction'], status(500)),
    unsettled('resets', ['getCard', 'getCardFees'], reset),
    unsettled('204 of half of the operations', ['getClient', 'getTransaction', 'getAccounts'], NO_CONTENT),
    unsettled('401', ['getBeneficiaries'], status(401)),
    ...(
      [
        ['401', ['getCard'], status(401), 'getCard', '401'],
        ['a page with 403', ['getTransaction'], firewall(403), 'getTransaction', '403'],
        ['a page with 200', ['getClient', 'getCard'], page(200), 'null', 'HTML'],
        ['503', ['getAccounts'], status(503), 'getAccounts', '503'],
        ['a maintenance notice', FEW, MAINTENANCE, 'null', 'alike'],
      ] satisfies [string, readonly Served[], Answer, string, string][]
    ).map(([name, ids, answer, found, word]) =>
      alike(`${name} on the third night`, ids, answer, {
        finds: [`warning operation-unsettled ${found} `],
        says: [new RegExp(`not judged for three nights: it answers ${word}, while`)],
        options: { unsettled: ids },
      }),
    ),
    out('503 everywhere on the third night', instead(status(503)), {
      options: { unsettled: ['getCard', 'getClient'] },
    }),
  ],
};

/** Requests of a run without an outage. */
const REQUESTS = 60;
const late = (percent: number, name: string, answer: Answer, where: Where = {}): Change =>
  out(
    `${name} after ${percent} %${where.prefixes === undefined ? '' : ` of ${where.prefixes.join(', ')}`}`,
    instead(answer, { ...where, after: Math.round((REQUESTS * percent) / 100) }),
    {
      unclear: 'some',
    },
  );
/** Backends behind one gateway, with one, two and five operations. */
const BACKENDS = [
  ['/core/api/customers/c-1/transactions'],
  ['/core/api/customers/c-1/beneficiaries', '/core/api/customers/c-1/clients/cl-2/accounts'],
  ['/core'],
];

export const LATE: Kind = {
  kind: 'an outage that begins late, or of one backend, is inconclusive',
  changes: [
    ...[20, 50, 80, 95].flatMap((percent) => [
      late(percent, 'a notice', MAINTENANCE, { behindToken: true }),
      late(percent, '204', NO_CONTENT, { behindToken: true }),
      late(percent, '503', status(503)),
      late(percent, 'a page with 404', page(404)),
      late(percent, '404', status(404)),
      late(percent, 'resets', reset),
    ]),
    // only the last operation, which is recorded without a body
    out('a notice from the last request', instead(MAINTENANCE, { after: REQUESTS - 1 }), { unclear: 'some' }),
    out('an empty envelope from the last request', instead(status(200, { entries: [] }), { after: REQUESTS - 1 }), {
      unclear: 'some',
    }),
    ...BACKENDS.flatMap((prefixes) => [
      ...[20, 50].flatMap((percent) => [
        late(percent, 'a page with 503', page(503), { prefixes }),
        late(percent, 'a notice', MAINTENANCE, { prefixes, behindToken: true }),
      ]),
      late(0, 'a page with 502', page(502), { prefixes }),
      late(0, '504', status(504), { prefixes }),
    ]),
  ].map((change, index) => (index === 1 ? whole(change) : change)),
};

/** Operations of other services than the fees. */
const RESET: readonly Served[] = ['getClient', 'getAccounts', 'listClientCards', 'getCard', 'getTransaction'];
const OF_CLIENT = (Object.keys(SERVED) as Served[]).filter((id) => SERVED[id].includes('/cl-2'));

export const GONE: Kind = {
  kind: 'forgotten ids of a sandbox are one reason, and a finding only from the fourth night',
  changes: [
    {
      name: 'a card that is missing in the list of cards',
      answer: { getCard: status(404) },
      finds: [],
      unclear: ['getCard'],
      whole: true,
    },
    {
      name: 'a card, with an empty list of cards',
      answer: { getCard: status(404) },
      body: { listClientCards: (body) => ({ ...body, cards: [] }) },
      finds: [],
      unclear: ['getCard'],
    },
    {
      name: 'a transaction without a list operation',
      answer: { getTransaction: status(404) },
      finds: [],
      unclear: ['getTransaction'],
    },
    {
      name: 'a transaction that was also missing in three earlier nights',
      answer: { getTransaction: status(404) },
      finds: ['warning ids-gone null '],
      options: { idsGone: ['transactionId'] },
    },
    {
      name: 'a client, in all services',
      answer: Object.fromEntries(OF_CLIENT.map((id) => [id, status(404)])),
      finds: [],
      unclear: OF_CLIENT,
    },
    {
      name: 'a client and its card, while fees answer any id',
      answer: Object.fromEntries(RESET.map((id) => [id, status(404)])),
      finds: [],
      unclear: RESET,
      whole: true,
    },
  ],
};

const leads = (code: number, location: string): Answer => good(code, { location });
const NEW_FEES = '/billing/api/customers/c-1/client/cl-2/card/fees/GBP';
const redirected = (name: string, answer: Answer, more: Partial<Change> = {}): Change => ({
  name,
  answer: { getCardFeesDeprecated: answer },
  finds: ['warning operation-withdrawn getCardFeesDeprecated '],
  ...more,
});

export const REDIRECTED: Kind = {
  kind: 'a deprecated form that redirects to its successor is withdrawn',
  changes: [
    redirected('301', leads(301, NEW_FEES), { whole: true }),
    redirected('308', leads(308, NEW_FEES)),
    redirected('308 with a host', leads(308, `https://api.bank.example${NEW_FEES}`)),
    redirected('301 below a prefix, with a query', leads(301, `/sandbox/v2${NEW_FEES}?from=old`)),
    redirected('307', leads(307, NEW_FEES)),
    redirected('308, without a recording', leads(308, NEW_FEES), { unrecorded: true }),
    {
      name: '308 of a form whose method changed',
      answer: { getTransactionFeesDeprecated: leads(308, '/billing/api/customers/c-1/clients/cl-2/transactions/fees') },
      finds: ['warning operation-withdrawn getTransactionFeesDeprecated '],
    },
    {
      name: '301 to something else',
      answer: { getCardFeesDeprecated: leads(301, '/iam/login') },
      finds: ['info undocumented-status getCardFeesDeprecated '],
      unclear: ['getCardFeesDeprecated'],
    },
    redirected('a single 301', once(leads(301, NEW_FEES)), { finds: [] }),
  ],
};

const without =
  (answer: Answer, isAsked: (path: string, authorization: string) => boolean = () => true): Fault =>
  (seen, response) =>
    seen.path !== TOKEN &&
    !isGoodToken(seen.authorization) &&
    isAsked(seen.path, seen.authorization) &&
    answer(response, 1, null) === true;
const LOGIN = status(302, {}, { location: 'https://login.example/authorize' });
const isCard = (path: string): boolean => path.endsWith('/cards/k-4');
const EVERYWHERE = ['error token-refused-otherwise null '];
const OF_CARD = ['error token-refused-otherwise getCard '];

export const REFUSED: Kind = {
  kind: 'a missing token with another rejection than 401 is one finding',
  changes: [
    { name: '302 to a login, everywhere', fault: without(LOGIN), finds: EVERYWHERE, whole: true },
    { name: '302 to a login, of one operation', fault: without(LOGIN, isCard), finds: OF_CARD },
    {
      name: '302 to a login, for a missing token only',
      fault: without(LOGIN, (_, authorization) => authorization === ''),
      finds: EVERYWHERE,
    },
    {
      name: '303 to a login, of one operation',
      fault: without(status(303, {}, { location: '/login' }), isCard),
      finds: OF_CARD,
    },
    { name: '401 became 404, everywhere', fault: without(status(404)), finds: EVERYWHERE },
    { name: '401 became a page with 404, everywhere', fault: without(page(404)), finds: EVERYWHERE },
    { name: '401 became 404, of one operation', fault: without(status(404), isCard), finds: OF_CARD },
    { name: '401 became 400, everywhere', fault: without(status(400)), finds: EVERYWHERE },
    { name: 'a page of a login with 200, everywhere', fault: without(page(200)), finds: EVERYWHERE },
    { name: 'a page of a login with 200, of one operation', fault: without(page(200), isCard), finds: OF_CARD },
  ],
};
