import type { AuditRuleId } from '../../src/audit/rules.ts';
import {
  asClient,
  BASIC,
  CARD,
  CARDS,
  type CallOptions,
  FORM,
  type JournalBuilder,
  type TokenOptions,
} from './journal-builder.ts';
import { play, type Script, type Step, times } from './script.ts';

/** Journal scripts, by the habit of the caller. */
type Habits = Readonly<Record<string, (journal: JournalBuilder) => unknown>>;

function habits(scripts: Readonly<Record<string, Script>>): Habits {
  const players = Object.entries(scripts).map(([name, script]) => [name, (j: JournalBuilder) => play(j, script)]);
  return Object.fromEntries(players);
}

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJqdGkiOiJ4In0.c2ln';
const DAY = 24 * 3_600_000;
const AUTHORIZED = ['authorization', BASIC] as const;

/** A call with a body. */
const posts = (json: unknown, more: Partial<CallOptions> = {}): Step => ({
  call: { at: 50, method: 'POST', path: CARDS, json, ...more },
});
/** A first token request of this form, and a call. */
const starting = (request: Omit<TokenOptions, 'at'>): Script => [{ token: { at: 0, gives: 'T1', ...request } }, '50'];
const sending = (header: string): Step => ({ call: { at: 50, token: null, headers: [['authorization', header]] } });
/** A token request of one of several clients. */
const asking = (at: number, takes: number, client: number, connection = 1): Step => ({
  token: { at, takes, connection, gives: `T${client}`, headers: asClient(`client-${client}`) },
});
/** Calls each half minute for the life of a token, which is renewed in time. */
const anHour = (token: string, next: string): string =>
  `${times(118, (i) => `${10 + i * 30}s ${token}`)}, 3555s gives ${next}, 3556s ${next}`;

/** Bad habits, by the only rule that finds them. */
export const BAD_HABITS: Readonly<Record<AuditRuleId, Habits>> = {
  // a journal does not show a program's output or intended calls
  'secret-printed': {},
  'write-done-twice': habits({
    'sends a write again although its answer was lost': [
      '0 gives T1',
      posts({ alias: 'a' }, { gone: true }),
      posts({ alias: 'a' }, { at: 500 }),
    ],
    'sends thirteen writes for six intents, and waits for few of their answers': [
      '0 gives T1',
      ...Array.from({ length: 13 }, (_, i) => posts({ alias: `card ${i % 6}` }, { at: 50 + i * 300, gone: i < 10 })),
    ],
    'sends a write again after a reset': ['0 gives T1', posts({}, { status: null }), posts({}, { at: 500 })],
  }),
  'write-lost-silently': {},
  'write-outcome-not-looked-up': {},
  'evolution-not-tolerated': {},
  'token-not-cached': habits({
    'requests a token before each call, on one connection': times(4, (i) => `${i}s gives T${i}, ${i}100 T${i}`),
    'requests a token before each call, on a new connection each': times(
      4,
      (i) => `${i}s@${2 * i} gives T${i}, ${i}100@${2 * i + 1} T${i}`,
    ),
    'drops its token every five minutes': times(
      4,
      (i) => `${i * 300}s gives T${i}, ${times(4, (k) => `${i * 300 + k * 60 + 60}s T${i}`)}`,
    ),
    'requests a token repeatedly, although the service returns the same one until it expires': times(
      4,
      (i) => `${i}s gives T1 for ${3600 - i}, ${i}100`,
    ),
  }),
  'token-used-after-expiry': habits({
    'uses a token after its lifetime': '0 gives T1, 50, 3650s 401, 3651s gives T2, 3652s T2',
  }),
  'token-not-renewed-in-time': habits({
    'uses a token to its last second': `0 gives T1, ${times(359, (i) => `${i + 1}0s`)}, 3601s gives T2, 3602s T2`,
  }),
  'lifetime-assumed': habits({
    'assumes an hour for a token of ten minutes': '0 gives T1 for 600, 50, 700s 401, 701s gives T2 for 600, 702s T2',
    'drops a token of two hours after one': '0 gives T1 for 7200, 50, 3555s gives T2 for 7200, 3556s T2',
  }),
  'unauthorized-not-retried': habits({
    'gives up on a 401': '0 gives T1, 50 401',
    'gives up on a 401 and gets a new token for the next call':
      '0 gives T1, 50 401, 100 gives T2, 150 T2 /wallet/api/customers/c1/cards/k2',
    'fetches a new token after a 401 and drops the request': '0 gives T1, 50 401, 100 gives T2',
    'retries only its first 401': '0 gives T1, 50 401, 100 gives T2, 150 T2, 30s 401 T2, 30050 gives T3, 30100 T3 #2',
  }),
  'retried-with-dead-token': habits({
    'retries with the token that was just rejected': '0 gives T1, 50 401, 80 401',
    'retries with the rejected token before it requests a new one': '0 gives T1, 50 401, 80 401, 120 gives T2, 150 T2',
    'keeps a rejected token for all other calls': `0 gives T1, 50 401, 100 gives T2, 150 T2, ${times(
      3,
      (i) => `${20 * i + 20}s 401 #${i + 1}, ${20 * i + 20}050 T2 #${i + 1}`,
    )}`,
  }),
  'retried-more-than-once': habits({
    'retries three times': times(4, (i) => `${i + 1}00 gives T${i + 1}, ${i + 1}50 401 T${i + 1}`),
    'retries three times, each within the millisecond of its answer': times(
      4,
      (i) => `${i + 1}0+0 gives T${i + 1}, ${i + 1}1+0 401 T${i + 1}`,
    ),
    'retries twice and succeeds': times(
      3,
      (i) => `${i + 1}00 gives T${i + 1}, ${i + 1}50 ${i < 2 ? 401 : 200} T${i + 1}`,
    ),
  }),
  'refresh-loop': habits({
    'refreshes endlessly while new tokens are rejected as well': times(
      60,
      (i) => `${i + 1}00 gives T${i + 1}, ${i + 1}50 401 T${i + 1}`,
    ),
  }),
  'refresh-not-shared': habits({
    'requests and keeps a token for each of five parallel first calls, while other calls are answered': times(
      5,
      (i) => `${i * 60}+5 gives T${i}, ${times(3, (k) => `${i * 60 + k * 25 + 25}+5 T${i}`)}`,
    ),
    'requests a token for each of ten parallel calls': `${times(10, (i) => `${i}+50@${i} gives T${i}`)}, ${times(
      10,
      (i) => `${100 + i}@${i} T9`,
    )}`,
    'requests a token for each of ten parallel calls, answered at once': `${times(
      10,
      (i) => `${i}+0@${i} gives T${i}`,
    )}, ${times(10, (i) => `${30 + i}@${i} T9`)}`,
    'answers each late 401 with a refresh': `0 gives T0, ${times(
      4,
      (i) => `50+${i + 1}00@${i + 1} 401 T0 #${i + 1}`,
    )}, ${times(4, (i) => `${i + 1}60@${i + 1} gives T${i + 1}, ${i + 1}90@${i + 1} T${i + 1} #${i + 1}`)}`,
  }),
  'token-request-malformed': habits({
    'sends the credentials in the form': starting({
      headers: [['content-type', FORM]],
      body: 'grant_type=client_credentials&client_id=sandbox&client_secret=sandbox-secret',
    }),
    'requests a token in JSON': starting({
      headers: [AUTHORIZED, ['content-type', 'application/json']],
      body: '{"grant_type":"client_credentials"}',
    }),
    'puts the grant into the query': starting({
      target: '/iam/oauth/token?grant_type=client_credentials',
      headers: [AUTHORIZED],
      body: null,
    }),
    'uses the password grant': [{ token: { at: 0, status: 400, body: 'grant_type=password' } }],
    'requests a token by GET': [{ token: { at: 0, status: 405, method: 'GET', body: null } }],
  }),
  'secret-in-query': habits({
    'puts its secret into the query of the token request': starting({
      target: '/iam/oauth/token?client_id=sandbox&client_secret=sandbox-secret',
      headers: [['content-type', FORM]],
    }),
    'searches by IBAN in the query': '0 gives T1, 50 #?iban=DE02120300000000202051',
  }),
  'token-in-url': habits({
    'puts each token into the query, without caching': times(
      4,
      (i) => `${i}s gives T${i}, ${i}100 none #?access_token=${JWT}`,
    ),
    'puts the token into the query': `0 gives T1, 50 none #?access_token=${JWT}`,
    'puts the token into the path': `0 gives T1, 50 ${CARDS}/${JWT}`,
  }),
  'token-missing': habits({
    'calls without a token first': '0 none 401, 50 gives T1, 100',
    'sends Bearer undefined': [
      '0 token 503',
      { call: { at: 50, token: null, status: 401, headers: [['authorization', 'Bearer undefined']] } },
    ],
    'sends its tokens under another scheme, without caching': [0, 1, 2, 3].flatMap((i): (string | Step)[] => [
      `${i}s gives T${i}`,
      {
        call: {
          at: i * 1000 + 100,
          token: null,
          status: 401,
          headers: [['authorization', 'Token eyJhbGciOiJ.eyJ.c2ln']],
        },
      },
    ]),
    'sends Basic credentials to an operation': [{ call: { at: 50, token: null, status: 401, headers: [AUTHORIZED] } }],
    'never uses a token': times(4, (i) => `${i}s none 401`),
  }),
  'token-endpoint-hammered': habits({
    'hammers a failing token endpoint': times(30, (i) => `${i * 30} token 503`),
    'calls a failing token endpoint three times a second, for ten seconds': times(30, (i) => `${i * 330} token 503`),
    'hammers a token endpoint that returns the same token until it expires': `0 gives T1, 50, ${times(
      12,
      (i) => `${3_550_000 + i * 30} gives T1 for 50`,
    )}, 3551s, 3600s gives T2, 3601s T2`,
  }),
  'forbidden-repeated': habits({
    'sends a call three times more after a 403, with pauses': '0 gives T1, 50 403, 300 403, 700 403, 1500 403',
    'sends a call in a tight loop while it gets 403': `0 gives T1, ${times(30, (i) => `${50 + i * 30} 403`)}`,
  }),
  'renewed-without-401': habits({
    'gets a new token because of a 403': '0 gives T1, 50 403, 100 gives T2, 150 403 T2',
    'gets a new token to escape its quota': '0 gives T1, 50, 100, 150, 200, 250, 300 429, 350 gives T2, 400 T2',
  }),
  'rate-limit-ignored': habits({
    'calls in a tight loop while the answers are 429': `0 gives T1, ${times(100, (i) => `${50 + i * 25} 429 retry 5`)}`,
    'repeats one call 120 milliseconds after a 429 that asks for a second': '0 gives T1, 50 429 retry 1, 190',
    'repeats one call on a new connection before the pause is over': '0 gives T1, 50 429 retry 2, 600 #2, 1100@2',
    'calls in a tight loop on a new connection each': `0 gives T1, ${times(
      80,
      (i) => `${50 + 3 * i}+2@${i} 429 retry 1`,
    )}`,
    'calls in such a tight loop that several answers come within a millisecond': `0 gives T1, ${times(
      100,
      (i) => `${50 + Math.floor(i / 4)}+0 429 retry 5`,
    )}`,
  }),
  'deprecated-operation-called': habits({
    'calls a deprecated fee operation': '0 gives T1, 50 /wallet/api/customers/c1/clients/k1/transactions/fees',
  }),
  'unknown-operation': habits({
    'calls a path that is not documented': '0 gives T1, 50 404 /wallet/api/customers/c1/beneficiaries',
    'calls a documented path by another method': '0 gives T1, 50 405 PATCH',
  }),
  'placeholder-in-path': habits({
    'leaves the customer empty': '0 gives T1, 50 /wallet/api/customers/%7BcustomerId%7D/cards/k1',
    'sends an id that is undefined': `0 gives T1, 50 ${CARDS}/undefined`,
    'sends an object as an id': '0 gives T1, 50 /wallet/api/customers/[object%20Object]/cards/k1',
  }),
  'header-without-effect': habits({
    'trusts an idempotency key that no document knows': [
      '0 gives T1',
      posts({ alias: 'a' }, { headers: [['idempotency-key', 'k1']] }),
      posts({ alias: 'b' }, { at: 300, headers: [['idempotency-key', 'k2']] }),
    ],
    'writes under a condition that no document knows': ['0 gives T1', posts({}, { headers: [['if-match', '"1"']] })],
  }),
  'request-contradicts-contract': habits({
    'sends a limit as a string': ['0 gives T1', posts({ cardLimitDaily: '1000' })],
    'requests a card above the maximum of its currency': [
      '0 gives T1',
      posts({ cardLimitDaily: 110_000, currency: 'GBP' }),
    ],
    'requests a card above every maximum': ['0 gives T1', posts({ cardLimitMonthly: 290_001 })],
    'sends broken JSON': [
      '0 gives T1',
      {
        call: {
          ...{ at: 50, method: 'POST', path: CARDS, status: 400, text: '{"cardLimitDaily": ' },
          headers: [['content-type', 'application/json']],
        },
      },
    ],
  }),
};

/** Habits that look bad at first sight. */
export const GOOD_HABITS: Habits = habits({
  'a write whose answer was lost, and that is sent again after a look at the outcome': [
    '0 gives T1',
    posts({}, { gone: true }),
    '300',
    posts({}, { at: 600 }),
  ],
  'a PUT and a DELETE that are sent again after lost answers': `0 gives T1, 50 gone PUT ${CARD}/suspend, 500 PUT ${CARD}/suspend, 1050 gone DELETE, 1500 DELETE`,
  'equal writes, the first of which never reached the service, or was lost an hour ago': [
    '0 gives T1',
    posts({}, { status: null, failure: 'refused' }),
    posts({}, { at: 300, gone: true }),
    posts({}, { at: 3_500_000 }),
  ],
  'two different writes that look the same in a journal, because their secrets are masked': [
    '0 gives T1',
    posts({ securityCode: '123' }, { gone: true }),
    posts({ securityCode: '124' }, { at: 300 }),
  ],
  'a call that gets 403 twice, and again a minute later, and other calls that get it once': `0 gives T1, 50 403, 400 403, 60000 403, 60400 403, ${times(
    6,
    (i) => `${70_000 + i * 300} 403 #${i}`,
  )}`,
  'four parallel reads that are all limited, answered within a millisecond each': `0 gives T1, ${times(
    4,
    (i) => `${50 + 2 * i}+1@${i} 429 retry 1`,
  )}`,
  'a burst of sixty reads through a pool of six connections': `0 gives T1, ${times(
    60,
    (i) => `${50 + Math.floor(i / 6) * 20 + (i % 6)}+20@${i % 6} ${i < 5 ? 200 : 429} retry 5`,
  )}`,
  'a program that makes one limited call three times in turn, and returns each 429':
    '0 gives T1, 50 429 retry 1, 75 429 retry 1, 100 429 retry 1',
  'sixty different reads one after the other, each of them limited': `0 gives T1, ${times(
    60,
    (i) => `${50 + i * 25} 429 retry 5 #${i}`,
  )}`,
  'two workers that each wait for their own Retry-After':
    '0 gives T1, 50+40@1 429 retry 1, 60+300@2 429 retry 1, 1100@1, 1400@2',
  'parallel callers that each wait for their own Retry-After, with jitter': `0 gives T1, ${times(30, (i) =>
    times(3, (round) => {
      const at = 50 + i * 3 + round * (2050 + ((i * 37) % 400));
      return `${at}+${round === 0 ? 0 : 5}@${i} ${round < 2 ? 429 : 200} retry 2`;
    }),
  )}`,
  'a mock whose clock is moved by a day and back, and a caller that goes on as before': [
    '0 gives T1, 50',
    { moveClock: DAY },
    '100 401, 150 gives T2, 200 T2',
    { moveClock: -DAY },
    `250 401 T2, 300 gives T3, ${times(118, (i) => `${350 + i * 30_000} T3`)}, 3555s gives T4, 3556s T4`,
  ],
  'a call that is aborted before its 401 arrives': '0 gives T1, 50 401 gone, 100 #2',
  'three calls that each request a token four times, with doubling pauses': times(3, (call) =>
    [0, 200, 600, 1400].map((pause) => `${call * 1500 + pause} token 503`).join(', '),
  ),
  'parallel calls with one that arrives seconds after its token expired, on a busy machine':
    '0 gives T1 for 2, 50+100@0, 70+100@1, 90+100@2, 6800@3 401, 6900 gives T2 for 2, 7000@3 T2',
  'a program that uses three clients one after the other, each with its own token': Array.from(
    { length: 12 },
    (_, i): (string | Step)[] => [...(i < 3 ? [asking(i * 1000, 20, i)] : []), `${i}100 T${i % 3}`],
  ).flat(),
  'a program that gets a token for each of ten clients before the first call': [
    ...Array.from({ length: 10 }, (_, i) => asking(i * 10, 60, i)),
    times(10, (i) => `${200 + i * 10} T${i}`),
  ],
  'ten programs on ten connections, each with its own client': Array.from({ length: 10 }, (_, i) => [
    asking(i, 50, i, i),
    `${100 + i}@${i} T${i}`,
  ]).flat(),
  'a call, its 401 and the next token request within one millisecond': '0+0 gives T1, 0+0 401, 0+0 gives T2, 0+0 T2',
  'a 401, the next token request and a retry that all begin within one millisecond, after a slow token response':
    '0+5 gives T1, 10+0 401, 10+0 gives T2, 10+1 T2',
  'a retry that is refused, too, and begins within the millisecond of the first 401':
    '0+5 gives T1, 10+0 401, 10+0 gives T2, 10+1 401 T2',
  'a token response whose end was recorded after the first use of its token':
    '0+30 gives T1, 10+5 401, 16+10 gives T2, 27 T2',
  'a program that reads its token response shortly before the token expires, on a busy machine':
    '0 gives T1 for 2, 4500 401, 4600 gives T2 for 2, 4700 T2',
  'a program that is delayed between choosing its token and sending the call, on a busy machine':
    '0 gives T1 for 2, 100, 4700 401, 4800 gives T2 for 2, 4900 T2',
  'parallel equal calls that share one connection, and wait for it with the rejected token':
    '0@9 gives T1, 50 200, 100 401, 120 401, 160 401, 180 401, 145+10@9 gives T2, 200 T2, 220 T2, 240 T2, 260 T2',
  'two equal calls that are both refused twice, and the same call with one retry soon after':
    '0 gives T1, 50 401, 80 401, 120 gives T2, 150 401 T2, 180 401 T2, 220 gives T3, 250 T3 #2, 1700 401 T3, 1730 gives T4, 1760 T4',
  'a retry that waits for a connection while an equal call is refused and retried':
    '0 gives T1, 50 401, 80 gives T2, 110 401 T2, 140 gives T3, 170 T3, 200 T2',
  'a retry that waits and is refused, and the same call with one retry soon after':
    '0 gives T0, 50 401 T0, 80 gives T1, 110 401, 140 gives T2, 170 401 T2, 200 401, 1700 401 T2, 1730 gives T3, 1760 T3',
  'a retry that waits with a token that is replaced, while an equal call is refused and retried':
    '0 gives T0, 50 401 T0 #2, 80 gives T1, 110 401 T0, 140 401 #2, 170 gives T2, 200 401 T2, 230 gives T3, 260 T3, 290 T1',
  'two equal calls that share one connection, and are both retried':
    '0@9 gives T1, 50 200, 100 401, 120 401, 145+10@9 gives T2, 160 T2, 180 T2',
  'parallel calls with a rejected token, one of them delayed before its retry':
    '0@1 gives T1, 100+20@0 401, 250+200@1 401, 260+200@2 401, 270+200@3 401, 500@1 gives T2, 6700@0 T2, 600@1 T2, 610@2 T2, 620@3 T2',
  'a 429 followed by the requested wait': `0 gives T1, ${times(
    15,
    (i) => `${100 + i * 2000} 429 retry 1, ${1200 + i * 2000}`,
  )}`,
  'a burst of parallel calls, most of them answered with 429': `0 gives T1, ${times(
    30,
    (i) => `${50 + i}+60@${i} ${i < 5 ? 200 : 429}`,
  )}`,
  'a 403 that is returned to the caller, with the token kept': '0 gives T1, 50 403, 100, 150 403, 200, 250 403',
  'one token for many calls, renewed in time': `0 gives T1, ${anHour('T1', 'T2')}`,
  'a token renewed in the background while the old one is still used':
    '0 gives T1, 50, 3580s, 3580001+5000 gives T2, 3582s, 3586s T2',
  'staggered 401s for a replaced token, each retried with the current one': `0 gives T1, ${times(
    6,
    (i) => `${50 + i}+${20 + i * 100}@${i} 401`,
  )}, 80+30@9 gives T2, ${times(6, (i) => `${Math.max(111, 75 + i * 101)}@${i} T2`)}`,
  'calls that waited for a connection with the rejected token':
    '0 gives T1, 50 401, 71 401, 75@2 gives T2, 100 T2, 121 T2',
  'a program that was started twice within one lifetime': times(
    2,
    (p) => `${p * 600}s@${p} gives P${p}, ${times(8, (i) => `${p * 600 + i + 1}s@${p} P${p}`)}`,
  ),
  'programs started every five minutes with several calls each': times(
    6,
    (p) => `${p * 300}s@${p} gives P${p}, ${times(8, (i) => `${p * 300 + i + 1}s@${p} P${p}`)}`,
  ),
  'a second 401 that is returned, with the call repeated a while later': times(
    3,
    (i) => `${i}0s gives A${i}, ${i}0050 401 A${i}, ${i}0100 gives B${i}, ${i}0150 401 B${i}`,
  ),
  'a 401 without retry because the token endpoint is down':
    '0 gives T1, 50 401, 100 token 503, 600 token 503, 1100 token 503',
  'a service that returns the same token until it expires':
    '0 gives T1, 50, 3550s, 3550005 gives T1 for 50, 3560s, 3600s gives T2, 3601s T2',
  'a service that returns the same token until it expires, and a new one 30 milliseconds later':
    '0 gives T1 for 5, 50, 4980 gives T1 for 0, 5010 gives T2 for 5, 5050 T2',
  'a lifetime shorter than the margin': times(5, (i) => `${i}s gives T${i} for 30, ${i}050 T${i}`),
  'an unknown lifetime': '0 gives T1 for soon, 50, 9000s 401, 9001s gives T2, 9002s T2',
  'a journal that begins after the token was issued': times(5, (i) => `${i}s`),
  'a streamed body that cannot be sent again': [
    '0 gives T1',
    {
      call: {
        ...{ at: 50, method: 'POST', path: CARDS, json: {}, status: 401 },
        headers: [['transfer-encoding', 'chunked']],
      },
    },
    '100 gives T2, 150 T2',
  ],
  'a browser: preflights, and a limit at its maximum': [
    '0 gives T1, 40 204 none OPTIONS',
    posts({ cardLimitDaily: 115_000, currency: 'EUR' }),
    { call: { at: 60, method: 'POST', path: CARDS, json: { cardLimitDaily: 900_000, currency: 'USD' } } },
    '70 none /__mock/health',
  ],
  'a call that fails with every token, in a tight loop, with the last token tried first': `0 gives T0, ${times(
    120,
    (i) => `${50 + i * 100} 401 T${i}, ${80 + i * 100} gives T${i + 1}, ${110 + i * 100} 401 T${i + 1}`,
  )}`,
  'a retry that failed without a token, while a later call got one':
    '0 gives T1, 50 401, 100 token 503, 9000 gives T2, 9050 T2 #2',
  'headers that promise nothing, and a condition on a read': [
    '0 gives T1',
    posts(
      {},
      {
        headers: [
          ['traceparent', '00-1-1-01'],
          ['x-request-id', 'r'],
          ['accept', '*/*'],
        ],
      },
    ),
    { call: { at: 100, headers: [['if-none-match', '"1"']] } },
  ],
  'bearer in another case': ['0 gives T1', sending(`bearer ${JWT}`)],
});

/** Innocent programs with one client id, or one program with a bad habit: only the user can decide. */
export const DOUBTFUL: Habits = habits({
  'two programs that make the same call, and each keep to their own Retry-After': times(
    2,
    (p) =>
      `${p}@${p} gives P${p}, ${times(
        6,
        (i) => `${100 + i * 1500 + p * 300}@${p} P${p} ${i % 2 ? 200 : 429} retry 1`,
      )}`,
  ),
  'two programs, one of which begins when the other one has just got a 403':
    '0@0 gives P0, 50@0 403 P0, 100@1 gives P1, 150@1 P1, 5s@0 P0 #2',
  'three programs whose service gives each of them the same token': times(
    3,
    (p) => `${p}s@${p} gives T1 for ${3600 - p}, ${times(8, (i) => `${(i + 1) * 1000 + p * 100}@${p}`)}`,
  ),
  'two programs behind one journal, each with its token': times(
    2,
    (p) => `${p}@${p} gives P${p}, ${times(8, (i) => `${(i + 1) * 1000 + p}@${p} P${p}`)}`,
  ),
  'two programs without lasting connections, each with its token': times(
    2,
    (p) => `${p}@${p * 9} gives P${p}, ${times(8, (i) => `${(i + 1) * 1000 + p}@${p * 9 + i + 1} P${p}`)}`,
  ),
  'ten token requests on ten connections': `${times(10, (i) => `${i}+50@${i} gives T${i}`)}, ${times(
    10,
    (i) => `${100 + i}@${i} T${i}`,
  )}`,
});
