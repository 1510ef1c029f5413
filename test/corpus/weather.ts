import type { Fault } from '../run/sandbox.ts';
import { json } from '../run/sandbox.ts';
import { dribbled, good, gzipped, once, page, reset, silence, status, truncated } from './answers.ts';
import type { Change } from './change.ts';
import { OPTIONS } from './drive.ts';
import type { Answer } from './stand-in.ts';
import type { Body } from './world.ts';

/** A daily variation of a healthy target, which must not be reported. */
const fair = (name: string, rest: Omit<Change, 'name' | 'finds'>): Change => ({ name, finds: [], ...rest });
const always = (name: string, answer: Answer, more: Omit<Change, 'name' | 'finds'> = {}): Change =>
  fair(name, { answer: { every: answer }, ...more });
const single = (name: string, answer: Answer, more: Omit<Change, 'name' | 'finds'> = {}): Change =>
  fair(name, { answer: { getCard: once(answer), getTransactionFees: once(answer) }, ...more });
const patient = { timeouts: { ...OPTIONS.timeouts, firstByte: 0.4 } };

const tokenAtFirst = (answer: Answer): Fault => {
  let hits = 0;
  return (seen, response, count) => {
    // A new sandbox starts with its first request.
    if (count === 1) hits = 0;
    if (seen.path !== '/iam/oauth/token') return false;
    hits += 1;
    return hits === 1 && answer(response, 1, null) === true;
  };
};

/** Every token is rejected from its n-th use on. */
const tokensFor = (uses: number): Fault => {
  const used = new Map<string, number>();
  return (seen, response, count) => {
    if (count === 1) used.clear();
    if (!seen.authorization.startsWith('Bearer ey')) return false;
    const nth = (used.get(seen.authorization) ?? 0) + 1;
    used.set(seen.authorization, nth);
    if (nth <= uses) return false;
    return json(response, 401, { error: 'expired' });
  };
};

/** Every third request is lost, with a good, bad or missing token. */
const everyThird = (answer: Answer): Fault => {
  return (seen, response, count) =>
    seen.path !== '/iam/oauth/token' && count % 3 === 0 && answer(response, 1, null) === true;
};

/** Accepts so many requests in each second, the token endpoint's included. */
const perSecond = (most: number, answer: Answer): Fault => {
  let began = 0;
  let left = 0;
  return (_, response, count) => {
    const now = performance.now();
    if (count === 1 || now - began >= 1000) [began, left] = [now, most];
    left -= 1;
    return left < 0 && answer(response, 1, null) === true;
  };
};

/** Refills evenly up to a burst. */
const refilled = (rate: number, burst: number, answer: Answer): Fault => {
  let last = 0;
  let left = burst;
  return (_, response, count) => {
    const now = performance.now();
    left = count === 1 ? burst : Math.min(burst, left + ((now - last) * rate) / 1000);
    last = now;
    if (left < 1) return answer(response, 1, null) === true;
    left -= 1;
    return false;
  };
};

const lists = (make: (item: Body) => Body[]): NonNullable<Change['body']> => ({
  listClientCards: (body) => ({ ...body, cards: body.cards[0] === undefined ? [] : make(body.cards[0]) }),
  getAccounts: (body) => ({ accounts: body.accounts[0] === undefined ? [] : make(body.accounts[0]) }),
  getBeneficiaries: (body) => (body[0] === undefined ? [] : make(body[0])),
  getCardFees: ({ fees }) => ({ fees: make(fees[0]) }),
});

const OLD = 'Thu, 01 Jan 1970 00:00:00 GMT';
const FAR = 'Fri, 01 Jan 2100 00:00:00 GMT';

export const WEATHER: readonly Change[] = [
  single('a timeout', silence, { options: patient }),
  single('a reset', reset, { whole: true }),
  single('500', status(500), { whole: true }),
  single('a page of a gateway', page(502)),
  single('a page of a gateway with 200', page(200)),
  single('a truncated body', truncated),
  single('429 with Retry-After', status(429, {}, { 'retry-after': '1' }), { whole: true }),
  single('503 with Retry-After', status(503, {}, { 'retry-after': '0' })),
  single('429 without Retry-After', status(429)),
  fair('nine requests in each second, without Retry-After', { fault: perSecond(9, status(429)), whole: true }),
  fair('six requests a second and a burst of twenty, without Retry-After', { fault: refilled(6, 20, status(429)) }),
  fair('twelve requests in each second, with Retry-After', {
    fault: perSecond(12, status(429, {}, { 'retry-after': '1' })),
  }),
  single('401', status(401)),
  fair('the token endpoint is reset once', { fault: tokenAtFirst(reset) }),
  fair('the token endpoint answers 503 once', { fault: tokenAtFirst(status(503)) }),
  fair('404 to every third request', { fault: everyThird(status(404)) }),
  fair('403 to every third request', { fault: everyThird(status(403)) }),
  fair('a login in place of every third answer', { fault: everyThird(status(302, {}, { location: '/login' })) }),
  fair('500 to every third request', { fault: everyThird(status(500)) }),
  fair('every third request is reset', { fault: everyThird(reset) }),
  always('slow answers', dribbled(15)),
  always('answers in chunks', dribbled(0)),
  always('gzip', gzipped, { whole: true }),
  always('connections that are closed after each answer', good(200, { connection: 'close' })),
  fair('tokens that live for a second', { token: (issued) => ({ ...issued, expires_in: 1 }), whole: true }),
  fair('tokens that are refused early', { fault: tokensFor(3), whole: true }),
  always('a clock that is a day ahead', good(200, { date: new Date(Date.now() + 86_400_000).toUTCString() })),
  always('a clock that is years behind', good(200, { date: OLD })),
  fair('clocks of the token endpoint years apart', {
    fault: (seen, response, count) => {
      if (seen.path === '/iam/oauth/token') response.setHeader('date', count % 2 === 0 ? OLD : FAR);
      return false;
    },
    token: (issued) => ({ ...issued, expires_in: 2 }),
    whole: true,
  }),
  always('more headers', good(200, { 'x-request-id': 'r-1', 'set-cookie': 'a=b', server: 'edge', via: '1.1 proxy' })),
  always('another spelling of the content type', good(200, { 'content-type': 'Application/JSON; charset=UTF-8' })),
  always('early hints', (response) => {
    response.writeEarlyHints({ link: '</style.css>; rel=preload' });
    return false;
  }),
  fair('empty lists', { body: lists(() => []), whole: true }),
  fair('long lists', { body: lists((item) => Array.from({ length: 200 }, () => item)) }),
  fair('lists of one', { body: lists((item) => [item]) }),
  fair('optional fields that are all there', {
    body: { getCard: (card) => ({ ...card, token: 't', note: 'n', alias: 'a' }) },
  }),
  fair('optional fields that are all gone', {
    body: { getCard: ({ token: _, note: __, ...card }) => ({ ...card, alias: null }) },
  }),
  fair('optional fields in every other item', {
    body: {
      listClientCards: (list) => ({
        ...list,
        cards: list.cards.map((card: Body, index: number) => (index % 2 === 0 ? { ...card, note: 'n' } : card)),
      }),
    },
  }),
  fair('texts of other alphabets, long and empty ones', {
    body: {
      getCard: (card) => ({ ...card, id: '', alias: 'Zażółć 漢字 \u202e<script>', cardDesign: 'x'.repeat(20_000) }),
    },
  }),
  fair('amounts without a fraction, and large ones', {
    body: { getCard: (card) => ({ ...card, balance: 12, cardLimitDaily: 2 ** 40 }) },
  }),
  fair('other keys of a map', {
    body: {
      getCard: (card) => ({
        ...card,
        byAccount: Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`acc-${70_000 + n}`, { balance: n }])),
      }),
    },
  }),
  fair('a scope, and another case of bearer', {
    token: (issued) => ({ ...issued, scope: 'cards fees', token_type: 'bEARER', expires_in: 30 }),
  }),
];
