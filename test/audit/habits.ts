import type { AuditRuleId } from '../../src/audit/rules.ts';
import { asClient, BASIC, CARD, CARDS, FORM, type JournalBuilder } from './journal-builder.ts';

const S = 1000;
const MIN = 60 * S;

/** Journal scripts, by the habit of the caller. */
type Habits = Readonly<Record<string, (journal: JournalBuilder) => unknown>>;

/** Bad habits, by the only rule that finds them. */
export const BAD_HABITS: Readonly<Record<AuditRuleId, Habits>> = {
  // a journal does not show a program's output or intended calls
  'secret-printed': {},
  'write-done-twice': {},
  'write-lost-silently': {},
  'write-outcome-not-looked-up': {},
  'token-not-cached': {
    'requests a token before each call, on one connection'(j) {
      for (let i = 0; i < 4; i++) j.token({ at: i * S, gives: `T${i}` }).call({ at: i * S + 100, token: `T${i}` });
    },
    'requests a token before each call, on a new connection each'(j) {
      for (let i = 0; i < 4; i++) {
        j.token({ at: i * S, gives: `T${i}`, connection: 2 * i });
        j.call({ at: i * S + 100, token: `T${i}`, connection: 2 * i + 1 });
      }
    },
    'drops its token every five minutes'(j) {
      for (let i = 0; i < 4; i++) {
        j.token({ at: i * 5 * MIN, gives: `T${i}` });
        for (let k = 1; k < 5; k++) j.call({ at: i * 5 * MIN + k * MIN, token: `T${i}` });
      }
    },
    'requests a token repeatedly, although the service returns the same one until it expires'(j) {
      for (let i = 0; i < 4; i++) {
        j.token({ at: i * S, gives: 'T1', expiresIn: 3600 - i }).call({ at: i * S + 100 });
      }
    },
  },
  'token-used-after-expiry': {
    'uses a token after its lifetime'(j) {
      j.token({ at: 0, gives: 'T1' }).call({ at: 50 });
      j.call({ at: 3_650 * S, status: 401 }).token({ at: 3_651 * S, gives: 'T2' });
      j.call({ at: 3_652 * S, token: 'T2' });
    },
  },
  'token-not-renewed-in-time': {
    'uses a token to its last second'(j) {
      j.token({ at: 0, gives: 'T1' });
      for (let at = 10; at < 3_600; at += 10) j.call({ at: at * S });
      j.token({ at: 3_601 * S, gives: 'T2' }).call({ at: 3_602 * S, token: 'T2' });
    },
  },
  'lifetime-assumed': {
    'assumes an hour for a token of ten minutes'(j) {
      j.token({ at: 0, gives: 'T1', expiresIn: 600 });
      j.call({ at: 50 }).call({ at: 700 * S, status: 401 });
      j.token({ at: 701 * S, gives: 'T2', expiresIn: 600 }).call({ at: 702 * S, token: 'T2' });
    },
    'drops a token of two hours after one'(j) {
      j.token({ at: 0, gives: 'T1', expiresIn: 7200 }).call({ at: 50 });
      j.token({ at: 3_555 * S, gives: 'T2', expiresIn: 7200 }).call({ at: 3_556 * S, token: 'T2' });
    },
  },
  'unauthorized-not-retried': {
    'gives up on a 401'(j) {
      j.token({ at: 0, gives: 'T1' }).call({ at: 50, status: 401 });
    },
    'gives up on a 401 and gets a new token for the next call'(j) {
      j.token({ at: 0, gives: 'T1' }).call({ at: 50, status: 401 });
      j.token({ at: 100, gives: 'T2' }).call({ at: 150, token: 'T2', path: '/wallet/api/customers/c1/cards/k2' });
    },
    'fetches a new token after a 401 and drops the request'(j) {
      j.token({ at: 0, gives: 'T1' }).call({ at: 50, status: 401 }).token({ at: 100, gives: 'T2' });
    },
  },
  'retried-with-dead-token': {
    'retries with the token that was just rejected'(j) {
      j.token({ at: 0, gives: 'T1' }).call({ at: 50, status: 401 }).call({ at: 80, status: 401 });
    },
    'retries with the rejected token before it requests a new one'(j) {
      j.token({ at: 0, gives: 'T1' }).call({ at: 50, status: 401 }).call({ at: 80, status: 401 });
      j.token({ at: 120, gives: 'T2' }).call({ at: 150, token: 'T2' });
    },
    'keeps a rejected token for all other calls'(j) {
      j.token({ at: 0, gives: 'T1' }).call({ at: 50, status: 401 });
      j.token({ at: 100, gives: 'T2' }).call({ at: 150, token: 'T2' });
      for (let i = 1; i < 4; i++) {
        j.call({ at: i * 20 * S, status: 401, path: `${CARD}${i}` });
        j.call({ at: i * 20 * S + 50, token: 'T2', path: `${CARD}${i}` });
      }
    },
  },
  'retried-more-than-once': {
    'retries three times'(j) {
      for (let i = 1; i <= 4; i++) {
        j.token({ at: i * 100, gives: `T${i}` }).call({ at: i * 100 + 50, token: `T${i}`, status: 401 });
      }
    },
    'retries three times, each within the millisecond of its answer'(j) {
      for (let i = 1; i <= 4; i++) {
        j.token({ at: i * 10, takes: 0, gives: `T${i}` });
        j.call({ at: i * 10 + 1, takes: 0, token: `T${i}`, status: 401 });
      }
    },
    'retries twice and succeeds'(j) {
      for (let i = 1; i <= 3; i++) {
        j.token({ at: i * 100, gives: `T${i}` });
        j.call({ at: i * 100 + 50, token: `T${i}`, status: i < 3 ? 401 : 200 });
      }
    },
  },
  'refresh-loop': {
    'refreshes endlessly while new tokens are rejected as well'(j) {
      for (let i = 1; i <= 60; i++) {
        j.token({ at: i * 100, gives: `T${i}` }).call({ at: i * 100 + 50, token: `T${i}`, status: 401 });
      }
    },
  },
  'refresh-not-shared': {
    'requests and keeps a token for each of five parallel first calls, while other calls are answered'(j) {
      for (let i = 0; i < 5; i++) {
        j.token({ at: i * 60, gives: `T${i}`, takes: 5 });
        for (let k = 1; k < 4; k++) j.call({ at: i * 60 + k * 25, takes: 5, token: `T${i}` });
      }
    },
    'requests a token for each of ten parallel calls'(j) {
      for (let i = 0; i < 10; i++) j.token({ at: i, gives: `T${i}`, connection: i, takes: 50 });
      for (let i = 0; i < 10; i++) j.call({ at: 100 + i, token: 'T9', connection: i });
    },
    'requests a token for each of ten parallel calls, answered at once'(j) {
      for (let i = 0; i < 10; i++) j.token({ at: i, gives: `T${i}`, connection: i, takes: 0 });
      for (let i = 0; i < 10; i++) j.call({ at: 30 + i, token: 'T9', connection: i });
    },
    'answers each late 401 with a refresh'(j) {
      j.token({ at: 0, gives: 'T0' });
      for (let i = 1; i < 5; i++)
        j.call({ at: 50, takes: i * 100, token: 'T0', status: 401, path: `${CARD}${i}`, connection: i });
      for (let i = 1; i < 5; i++) {
        j.token({ at: 60 + i * 100, gives: `T${i}`, connection: i });
        j.call({ at: 90 + i * 100, token: `T${i}`, path: `${CARD}${i}`, connection: i });
      }
    },
  },
  'token-request-malformed': {
    'sends the credentials in the form'(j) {
      j.token({
        at: 0,
        gives: 'T1',
        headers: [['content-type', FORM]],
        body: 'grant_type=client_credentials&client_id=sandbox&client_secret=sandbox-secret',
      }).call({ at: 50 });
    },
    'requests a token in JSON'(j) {
      j.token({
        at: 0,
        gives: 'T1',
        headers: [
          ['authorization', BASIC],
          ['content-type', 'application/json'],
        ],
        body: '{"grant_type":"client_credentials"}',
      }).call({ at: 50 });
    },
    'puts the grant into the query'(j) {
      j.token({
        at: 0,
        gives: 'T1',
        target: '/iam/oauth/token?grant_type=client_credentials',
        headers: [['authorization', BASIC]],
        body: null,
      }).call({ at: 50 });
    },
    'uses the password grant'(j) {
      j.token({ at: 0, status: 400, body: 'grant_type=password' });
    },
    'requests a token by GET'(j) {
      j.token({ at: 0, status: 405, method: 'GET', body: null });
    },
  },
  'secret-in-query': {
    'puts its secret into the query of the token request'(j) {
      j.token({
        at: 0,
        gives: 'T1',
        target: '/iam/oauth/token?client_id=sandbox&client_secret=sandbox-secret',
        headers: [['content-type', FORM]],
      }).call({ at: 50 });
    },
    'searches by IBAN in the query'(j) {
      j.token({ at: 0, gives: 'T1' }).call({ at: 50, path: `${CARD}?iban=DE02120300000000202051` });
    },
  },
  'token-in-url': {
    'puts each token into the query, without caching'(j) {
      for (let i = 0; i < 4; i++) {
        const path = `${CARD}?access_token=eyJhbGciOiJIUzI1NiJ9.eyJqdGkiOiJ4In0.c2ln`;
        j.token({ at: i * S, gives: `T${i}` }).call({ at: i * S + 100, token: null, path });
      }
    },
    'puts the token into the query'(j) {
      j.token({ at: 0, gives: 'T1' });
      j.call({ at: 50, token: null, path: `${CARD}?access_token=eyJhbGciOiJIUzI1NiJ9.eyJqdGkiOiJ4In0.c2ln` });
    },
    'puts the token into the path'(j) {
      j.token({ at: 0, gives: 'T1' });
      j.call({ at: 50, path: '/wallet/api/customers/c1/cards/eyJhbGciOiJIUzI1NiJ9.eyJqdGkiOiJ4In0.c2ln' });
    },
  },
  'token-missing': {
    'calls without a token first'(j) {
      j.call({ at: 0, token: null, status: 401 }).token({ at: 50, gives: 'T1' }).call({ at: 100 });
    },
    'sends Bearer undefined'(j) {
      j.token({ at: 0, status: 503 });
      j.call({ at: 50, token: null, status: 401, headers: [['authorization', 'Bearer undefined']] });
    },
    'sends its tokens under another scheme, without caching'(j) {
      for (let i = 0; i < 4; i++) {
        j.token({ at: i * S, gives: `T${i}` });
        j.call({
          at: i * S + 100,
          token: null,
          status: 401,
          headers: [['authorization', 'Token eyJhbGciOiJ.eyJ.c2ln']],
        });
      }
    },
    'sends Basic credentials to an operation'(j) {
      j.call({ at: 50, token: null, status: 401, headers: [['authorization', BASIC]] });
    },
    'never uses a token'(j) {
      for (let i = 0; i < 4; i++) j.call({ at: i * S, token: null, status: 401 });
    },
  },
  'token-endpoint-hammered': {
    'hammers a failing token endpoint'(j) {
      for (let i = 0; i < 30; i++) j.token({ at: i * 30, status: 503 });
    },
    'calls a failing token endpoint three times a second, for ten seconds'(j) {
      for (let i = 0; i < 30; i++) j.token({ at: i * 330, status: 503 });
    },
    'hammers a token endpoint that returns the same token until it expires'(j) {
      j.token({ at: 0, gives: 'T1' }).call({ at: 50 });
      for (let i = 0; i < 12; i++) j.token({ at: 3_550 * S + i * 30, gives: 'T1', expiresIn: 50 });
      j.call({ at: 3_551 * S })
        .token({ at: 3_600 * S, gives: 'T2' })
        .call({ at: 3_601 * S, token: 'T2' });
    },
  },
  'renewed-without-401': {
    'gets a new token because of a 403'(j) {
      j.token({ at: 0, gives: 'T1' }).call({ at: 50, status: 403 });
      j.token({ at: 100, gives: 'T2' }).call({ at: 150, token: 'T2', status: 403 });
    },
    'gets a new token to escape its quota'(j) {
      j.token({ at: 0, gives: 'T1' });
      for (let i = 1; i < 6; i++) j.call({ at: 50 * i });
      j.call({ at: 300, status: 429 }).token({ at: 350, gives: 'T2' }).call({ at: 400, token: 'T2' });
    },
  },
  'rate-limit-ignored': {
    'calls in a tight loop while the answers are 429'(j) {
      j.token({ at: 0, gives: 'T1' });
      for (let i = 0; i < 100; i++) j.call({ at: 50 + i * 25, status: 429, answers: [['retry-after', '5']] });
    },
    'repeats one call 120 milliseconds after a 429 that asks for a second'(j) {
      j.token({ at: 0, gives: 'T1' }).call({ at: 50, status: 429, answers: [['retry-after', '1']] });
      j.call({ at: 190 });
    },
    'repeats one call on a new connection before the pause is over'(j) {
      j.token({ at: 0, gives: 'T1' }).call({ at: 50, status: 429, answers: [['retry-after', '2']] });
      j.call({ at: 600, path: `${CARD}2` }).call({ at: 1_100, connection: 2 });
    },
    'calls in a tight loop on a new connection each'(j) {
      j.token({ at: 0, gives: 'T1' });
      for (let i = 0; i < 80; i++) {
        j.call({ at: 50 + 3 * i, takes: 2, status: 429, answers: [['retry-after', '1']], connection: i });
      }
    },
    'calls in such a tight loop that several answers come within a millisecond'(j) {
      j.token({ at: 0, gives: 'T1' });
      for (let i = 0; i < 100; i++) {
        j.call({ at: 50 + Math.floor(i / 4), takes: 0, status: 429, answers: [['retry-after', '5']] });
      }
    },
  },
  'deprecated-operation-called': {
    'calls a deprecated fee operation'(j) {
      j.token({ at: 0, gives: 'T1' });
      j.call({ at: 50, path: '/wallet/api/customers/c1/clients/k1/transactions/fees' });
    },
  },
  'unknown-operation': {
    'calls a path that is not documented'(j) {
      j.token({ at: 0, gives: 'T1' }).call({ at: 50, path: '/wallet/api/customers/c1/beneficiaries', status: 404 });
    },
    'calls a documented path by another method'(j) {
      j.token({ at: 0, gives: 'T1' }).call({ at: 50, method: 'PATCH', status: 405 });
    },
  },
  'placeholder-in-path': {
    'leaves the customer empty'(j) {
      j.token({ at: 0, gives: 'T1' }).call({ at: 50, path: '/wallet/api/customers/%7BcustomerId%7D/cards/k1' });
    },
    'sends an id that is undefined'(j) {
      j.token({ at: 0, gives: 'T1' }).call({ at: 50, path: '/wallet/api/customers/c1/cards/undefined' });
    },
    'sends an object as an id'(j) {
      j.token({ at: 0, gives: 'T1' }).call({ at: 50, path: '/wallet/api/customers/[object%20Object]/cards/k1' });
    },
  },
  'request-contradicts-contract': {
    'sends a limit as a string'(j) {
      j.token({ at: 0, gives: 'T1' }).call({ at: 50, method: 'POST', path: CARDS, json: { cardLimitDaily: '1000' } });
    },
    'requests a card above the maximum of its currency'(j) {
      j.token({ at: 0, gives: 'T1' });
      j.call({ at: 50, method: 'POST', path: CARDS, json: { cardLimitDaily: 110_000, currency: 'GBP' } });
    },
    'requests a card above every maximum'(j) {
      j.token({ at: 0, gives: 'T1' }).call({
        at: 50,
        method: 'POST',
        path: CARDS,
        json: { cardLimitMonthly: 290_001 },
      });
    },
    'sends broken JSON'(j) {
      j.token({ at: 0, gives: 'T1' });
      j.call({
        at: 50,
        method: 'POST',
        path: CARDS,
        status: 400,
        text: '{"cardLimitDaily": ',
        headers: [['content-type', 'application/json']],
      });
    },
  },
};

/** Habits that look bad at first sight. */
export const GOOD_HABITS: Habits = {
  'four parallel reads that are all limited, answered within a millisecond each'(j) {
    j.token({ at: 0, gives: 'T1' });
    for (let i = 0; i < 4; i++) {
      j.call({ at: 50 + 2 * i, takes: 1, status: 429, answers: [['retry-after', '1']], connection: i });
    }
  },
  'a burst of sixty reads through a pool of six connections'(j) {
    j.token({ at: 0, gives: 'T1' });
    for (let i = 0; i < 60; i++) {
      const limits = { status: i < 5 ? 200 : 429, answers: [['retry-after', '5']] } as const;
      j.call({ at: 50 + Math.floor(i / 6) * 20 + (i % 6), takes: 20, ...limits, connection: i % 6 });
    }
  },
  'a program that makes one limited call three times in turn, and returns each 429'(j) {
    j.token({ at: 0, gives: 'T1' });
    for (const at of [50, 75, 100]) j.call({ at, status: 429, answers: [['retry-after', '1']] });
  },
  'sixty different reads one after the other, each of them limited'(j) {
    j.token({ at: 0, gives: 'T1' });
    const limits = { status: 429, answers: [['retry-after', '5']] } as const;
    for (let i = 0; i < 60; i++) j.call({ at: 50 + i * 25, path: `${CARD}${i}`, ...limits });
  },
  'two workers that each wait for their own Retry-After'(j) {
    j.token({ at: 0, gives: 'T1' });
    const limits = { status: 429, answers: [['retry-after', '1']] } as const;
    j.call({ at: 50, takes: 40, ...limits, connection: 1 }).call({ at: 60, takes: 300, ...limits, connection: 2 });
    j.call({ at: 1_100, connection: 1 }).call({ at: 1_400, connection: 2 });
  },
  'parallel callers that each wait for their own Retry-After, with jitter'(j) {
    j.token({ at: 0, gives: 'T1' });
    for (let i = 0; i < 30; i++) {
      const answers = [['retry-after', '2']] as const;
      for (let round = 0; round < 3; round++) {
        const at = 50 + i * 3 + round * (2_050 + ((i * 37) % 400));
        j.call({ at, takes: round === 0 ? 0 : 5, status: round < 2 ? 429 : 200, answers, connection: i });
      }
    }
  },
  'a mock whose clock is set back by a day, and a caller that goes on as before'(j) {
    j.token({ at: 0, gives: 'T1' })
      .call({ at: 50 })
      .setBack(24 * 60 * MIN)
      .call({ at: 100 });
    j.call({ at: 150, status: 401 }).token({ at: 200, gives: 'T2' }).call({ at: 250, token: 'T2' });
    for (let at = 10; at < 3_540; at += 30) j.call({ at: at * S, token: 'T2' });
    j.token({ at: 3_555 * S, gives: 'T3' }).call({ at: 3_556 * S, token: 'T3' });
  },
  'a call that is aborted before its 401 arrives'(j) {
    j.token({ at: 0, gives: 'T1' })
      .call({ at: 50, status: 401, gone: true })
      .call({ at: 100, path: `${CARD}2` });
  },
  'three calls that each request a token four times, with doubling pauses'(j) {
    for (let call = 0; call < 3; call++) {
      for (const pause of [0, 200, 600, 1_400]) j.token({ at: call * 1_500 + pause, status: 503 });
    }
  },
  'parallel calls with one that arrives seconds after its token expired, on a busy machine'(j) {
    j.token({ at: 0, gives: 'T1', expiresIn: 2 });
    for (let i = 0; i < 3; i++) j.call({ at: 50 + 20 * i, takes: 100, connection: i });
    j.call({ at: 6_800, status: 401, connection: 3 });
    j.token({ at: 6_900, gives: 'T2', expiresIn: 2 }).call({ at: 7_000, token: 'T2', connection: 3 });
  },
  'a program that uses three clients one after the other, each with its own token'(j) {
    for (let i = 0; i < 12; i++) {
      const client = i % 3;
      if (i < 3) j.token({ at: i * S, gives: `T${client}`, headers: asClient(`client-${client}`) });
      j.call({ at: i * S + 100, token: `T${client}` });
    }
  },
  'a program that gets a token for each of ten clients before the first call'(j) {
    for (let i = 0; i < 10; i++) j.token({ at: i * 10, takes: 60, gives: `T${i}`, headers: asClient(`client-${i}`) });
    for (let i = 0; i < 10; i++) j.call({ at: 200 + i * 10, token: `T${i}` });
  },
  'ten programs on ten connections, each with its own client'(j) {
    for (let i = 0; i < 10; i++) {
      j.token({ at: i, gives: `T${i}`, connection: i, takes: 50, headers: asClient(`client-${i}`) });
      j.call({ at: 100 + i, token: `T${i}`, connection: i });
    }
  },
  'a call, its 401 and the next token request within one millisecond'(j) {
    j.token({ at: 0, gives: 'T1', takes: 0 }).call({ at: 0, takes: 0, status: 401 });
    j.token({ at: 0, gives: 'T2', takes: 0 }).call({ at: 0, takes: 0, token: 'T2' });
  },
  'a token response whose end was recorded after the first use of its token'(j) {
    j.token({ at: 0, gives: 'T1', takes: 30 }).call({ at: 10, takes: 5, status: 401 });
    j.token({ at: 16, gives: 'T2', takes: 10 }).call({ at: 27, token: 'T2' });
  },
  'a program that reads its token response shortly before the token expires, on a busy machine'(j) {
    j.token({ at: 0, gives: 'T1', expiresIn: 2 }).call({ at: 4_500, status: 401 });
    j.token({ at: 4_600, gives: 'T2', expiresIn: 2 }).call({ at: 4_700, token: 'T2' });
  },
  'a program that is delayed between choosing its token and sending the call, on a busy machine'(j) {
    j.token({ at: 0, gives: 'T1', expiresIn: 2 }).call({ at: 100 }).call({ at: 4_700, status: 401 });
    j.token({ at: 4_800, gives: 'T2', expiresIn: 2 }).call({ at: 4_900, token: 'T2' });
  },
  'parallel equal calls that share one connection, and wait for it with the rejected token'(j) {
    j.token({ at: 0, gives: 'T1', connection: 9 }).call({ at: 50, status: 200 });
    for (const at of [100, 120, 160, 180]) j.call({ at, status: 401 });
    j.token({ at: 145, gives: 'T2', takes: 10, connection: 9 });
    for (const at of [200, 220, 240, 260]) j.call({ at, token: 'T2' });
  },
  'two equal calls that are both refused twice, and the same call with one retry soon after'(j) {
    j.token({ at: 0, gives: 'T1' });
    for (const at of [50, 80]) j.call({ at, status: 401 });
    j.token({ at: 120, gives: 'T2' });
    for (const at of [150, 180]) j.call({ at, token: 'T2', status: 401 });
    j.token({ at: 220, gives: 'T3' }).call({ at: 250, token: 'T3', path: `${CARD}2` });
    j.call({ at: 1_700, token: 'T3', status: 401 }).token({ at: 1_730, gives: 'T4' }).call({ at: 1_760, token: 'T4' });
  },
  'a retry that waits for a connection while an equal call is refused and retried'(j) {
    j.token({ at: 0, gives: 'T1' }).call({ at: 50, status: 401 });
    j.token({ at: 80, gives: 'T2' }).call({ at: 110, token: 'T2', status: 401 });
    j.token({ at: 140, gives: 'T3' }).call({ at: 170, token: 'T3' }).call({ at: 200, token: 'T2' });
  },
  'a retry that waits and is refused, and the same call with one retry soon after'(j) {
    j.token({ at: 0, gives: 'T0' }).call({ at: 50, token: 'T0', status: 401 });
    j.token({ at: 80, gives: 'T1' }).call({ at: 110, status: 401 });
    j.token({ at: 140, gives: 'T2' }).call({ at: 170, token: 'T2', status: 401 }).call({ at: 200, status: 401 });
    j.call({ at: 1_700, token: 'T2', status: 401 }).token({ at: 1_730, gives: 'T3' }).call({ at: 1_760, token: 'T3' });
  },
  'a retry that waits with a token that is replaced, while an equal call is refused and retried'(j) {
    j.token({ at: 0, gives: 'T0' }).call({ at: 50, token: 'T0', status: 401, path: `${CARD}2` });
    j.token({ at: 80, gives: 'T1' }).call({ at: 110, token: 'T0', status: 401 });
    j.call({ at: 140, status: 401, path: `${CARD}2` });
    j.token({ at: 170, gives: 'T2' }).call({ at: 200, token: 'T2', status: 401 });
    j.token({ at: 230, gives: 'T3' }).call({ at: 260, token: 'T3' }).call({ at: 290, token: 'T1' });
  },
  'two equal calls that share one connection, and are both retried'(j) {
    j.token({ at: 0, gives: 'T1', connection: 9 }).call({ at: 50, status: 200 });
    for (const at of [100, 120]) j.call({ at, status: 401 });
    j.token({ at: 145, gives: 'T2', takes: 10, connection: 9 });
    for (const at of [160, 180]) j.call({ at, token: 'T2' });
  },
  'parallel calls with a rejected token, one of them delayed before its retry'(j) {
    j.token({ at: 0, gives: 'T1', connection: 1 });
    for (const [connection, at] of [100, 250, 260, 270].entries()) {
      j.call({ at, takes: connection === 0 ? 20 : 200, status: 401, connection });
    }
    j.token({ at: 500, gives: 'T2', connection: 1 });
    for (const [connection, at] of [6_700, 600, 610, 620].entries()) j.call({ at, token: 'T2', connection });
  },
  'a 429 followed by the requested wait'(j) {
    j.token({ at: 0, gives: 'T1' });
    for (let i = 0; i < 15; i++) {
      j.call({ at: 100 + i * 2 * S, status: 429, answers: [['retry-after', '1']] }).call({ at: 1_200 + i * 2 * S });
    }
  },
  'a burst of parallel calls, most of them answered with 429'(j) {
    j.token({ at: 0, gives: 'T1' });
    for (let i = 0; i < 30; i++) j.call({ at: 50 + i, takes: 60, status: i < 5 ? 200 : 429, connection: i });
  },
  'a 403 that is returned to the caller, with the token kept'(j) {
    j.token({ at: 0, gives: 'T1' });
    for (let i = 0; i < 5; i++) j.call({ at: 50 + i * 50, status: i % 2 === 0 ? 403 : 200 });
  },
  'one token for many calls, renewed in time'(j) {
    j.token({ at: 0, gives: 'T1' });
    for (let at = 10; at < 3_540; at += 30) j.call({ at: at * S });
    j.token({ at: 3_555 * S, gives: 'T2' }).call({ at: 3_556 * S, token: 'T2' });
  },
  'a token renewed in the background while the old one is still used'(j) {
    j.token({ at: 0, gives: 'T1' })
      .call({ at: 50 })
      .call({ at: 3_580 * S });
    j.token({ at: 3_580 * S + 1, gives: 'T2', takes: 5_000 }).call({ at: 3_582 * S });
    j.call({ at: 3_586 * S, token: 'T2' });
  },
  'staggered 401s for a replaced token, each retried with the current one'(j) {
    j.token({ at: 0, gives: 'T1' });
    for (let i = 0; i < 6; i++) j.call({ at: 50 + i, takes: 20 + i * 100, status: 401, connection: i });
    j.token({ at: 80, gives: 'T2', takes: 30, connection: 9 });
    for (let i = 0; i < 6; i++) j.call({ at: Math.max(111, 75 + i * 101), token: 'T2', connection: i });
  },
  'calls that waited for a connection with the rejected token'(j) {
    j.token({ at: 0, gives: 'T1' }).call({ at: 50, status: 401 }).call({ at: 71, status: 401 });
    j.token({ at: 75, gives: 'T2', connection: 2 }).call({ at: 100, token: 'T2' }).call({ at: 121, token: 'T2' });
  },
  'a program that was started twice within one lifetime'(j) {
    for (let p = 0; p < 2; p++) {
      j.token({ at: p * 10 * MIN, gives: `P${p}`, connection: p });
      for (let i = 1; i < 9; i++) j.call({ at: p * 10 * MIN + i * S, token: `P${p}`, connection: p });
    }
  },
  'programs started every five minutes with several calls each'(j) {
    for (let p = 0; p < 6; p++) {
      j.token({ at: p * 5 * MIN, gives: `P${p}`, connection: p });
      for (let i = 1; i < 9; i++) j.call({ at: p * 5 * MIN + i * S, token: `P${p}`, connection: p });
    }
  },
  'a second 401 that is returned, with the call repeated a while later'(j) {
    for (let i = 0; i < 3; i++) {
      const at = i * 10 * S;
      j.token({ at, gives: `A${i}` }).call({ at: at + 50, token: `A${i}`, status: 401 });
      j.token({ at: at + 100, gives: `B${i}` }).call({ at: at + 150, token: `B${i}`, status: 401 });
    }
  },
  'a 401 without retry because the token endpoint is down'(j) {
    j.token({ at: 0, gives: 'T1' }).call({ at: 50, status: 401 });
    for (let i = 0; i < 3; i++) j.token({ at: 100 + i * 500, status: 503 });
  },
  'a service that returns the same token until it expires'(j) {
    j.token({ at: 0, gives: 'T1' })
      .call({ at: 50 })
      .call({ at: 3_550 * S });
    j.token({ at: 3_550 * S + 5, gives: 'T1', expiresIn: 50 }).call({ at: 3_560 * S });
    j.token({ at: 3_600 * S, gives: 'T2' }).call({ at: 3_601 * S, token: 'T2' });
  },
  'a service that returns the same token until it expires, and a new one 30 milliseconds later'(j) {
    j.token({ at: 0, gives: 'T1', expiresIn: 5 }).call({ at: 50 }).token({ at: 4_980, gives: 'T1', expiresIn: 0 });
    j.token({ at: 5_010, gives: 'T2', expiresIn: 5 }).call({ at: 5_050, token: 'T2' });
  },
  'a lifetime shorter than the margin'(j) {
    for (let i = 0; i < 5; i++)
      j.token({ at: i * S, gives: `T${i}`, expiresIn: 30 }).call({ at: i * S + 50, token: `T${i}` });
  },
  'an unknown lifetime'(j) {
    j.token({ at: 0, gives: 'T1', expiresIn: 'soon' }).call({ at: 50 });
    j.call({ at: 9_000 * S, status: 401 })
      .token({ at: 9_001 * S, gives: 'T2' })
      .call({ at: 9_002 * S, token: 'T2' });
  },
  'a journal that begins after the token was issued'(j) {
    for (let i = 0; i < 5; i++) j.call({ at: i * S });
  },
  'a streamed body that cannot be sent again'(j) {
    j.token({ at: 0, gives: 'T1' });
    j.call({
      at: 50,
      method: 'POST',
      path: CARDS,
      json: {},
      status: 401,
      headers: [['transfer-encoding', 'chunked']],
    });
    j.token({ at: 100, gives: 'T2' }).call({ at: 150, token: 'T2' });
  },
  'a browser: preflights, and a limit at its maximum'(j) {
    j.token({ at: 0, gives: 'T1' }).call({ at: 40, method: 'OPTIONS', token: null, status: 204 });
    j.call({ at: 50, method: 'POST', path: CARDS, json: { cardLimitDaily: 115_000, currency: 'EUR' } });
    j.call({ at: 60, method: 'POST', path: CARDS, json: { cardLimitDaily: 900_000, currency: 'USD' } });
    j.call({ at: 70, path: '/__mock/health', token: null });
  },
  'a call that fails with every token, in a tight loop, with the last token tried first'(j) {
    j.token({ at: 0, gives: 'T0' });
    for (let i = 0; i < 6; i++) {
      j.call({ at: 50 + i * 100, token: `T${i}`, status: 401 });
      j.token({ at: 80 + i * 100, gives: `T${i + 1}` });
      j.call({ at: 110 + i * 100, token: `T${i + 1}`, status: 401 });
    }
  },
  'a retry that failed without a token, while a later call got one'(j) {
    j.token({ at: 0, gives: 'T1' }).call({ at: 50, status: 401 }).token({ at: 100, status: 503 });
    j.token({ at: 9_000, gives: 'T2' }).call({ at: 9_050, token: 'T2', path: `${CARD}2` });
  },
  'bearer in another case'(j) {
    j.token({ at: 0, gives: 'T1' });
    j.call({ at: 50, token: null, headers: [['authorization', 'bearer eyJhbGciOiJIUzI1NiJ9.eyJqdGkiOiJ4In0.c2ln']] });
  },
};

/** One program without a shared token, or several programs: only the user can decide. */
export const DOUBTFUL: Habits = {
  'two programs behind one journal, each with its token'(j) {
    for (let p = 0; p < 2; p++) {
      j.token({ at: p, gives: `P${p}`, connection: p });
      for (let i = 1; i < 9; i++) j.call({ at: i * S + p, token: `P${p}`, connection: p });
    }
  },
  'two programs without lasting connections, each with its token'(j) {
    let connection = 0;
    for (let p = 0; p < 2; p++) {
      j.token({ at: p, gives: `P${p}`, connection: connection++ });
      for (let i = 1; i < 9; i++) j.call({ at: i * S + p, token: `P${p}`, connection: connection++ });
    }
  },
  'ten token requests on ten connections'(j) {
    for (let i = 0; i < 10; i++) j.token({ at: i, gives: `T${i}`, connection: i, takes: 50 });
    for (let i = 0; i < 10; i++) j.call({ at: 100 + i, token: `T${i}`, connection: i });
  },
};
