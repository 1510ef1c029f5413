import { describe, expect, test } from 'vitest';
import type { CallersAre } from '../../src/audit/callers.ts';
import { type Audited, judgeCaller } from '../../src/audit/judge-caller.ts';
import { CALLER_RULES } from '../../src/audit/rules.ts';
import { loadContract } from '../../src/contract/load.ts';
import { createRedactor } from '../../src/redact/redact.ts';
import { BAD_HABITS, DOUBTFUL, GOOD_HABITS } from './habits.ts';
import { CARD, JournalBuilder } from './journal-builder.ts';

const contract = await loadContract();
const PER_PROGRAM = CALLER_RULES.filter(({ isPerProgram }) => isPerProgram).map(({ id }) => id as string);

function audit(script: (journal: JournalBuilder) => unknown, callers?: CallersAre): Audited {
  const journal = new JournalBuilder(contract);
  script(journal);
  return judgeCaller({ contract, recordings: [{ entries: journal.entries(), ...(callers && { callers }) }] });
}

describe.each(Object.entries(BAD_HABITS).filter(([, habits]) => Object.keys(habits).length > 0))(
  'only %s finds a caller that',
  (rule, habits) => {
    test.each(Object.entries(habits))('%s', (_, script) => {
      const { findings, rules } = audit(script);
      expect(findings.map((finding) => finding.rule)).toEqual([rule]);
      expect(rules.filter(({ outcome }) => outcome === 'broken').map((one) => one.rule)).toEqual([rule]);
      expect(findings[0]?.exchanges.length).toBeGreaterThan(0);
      expect(findings[0]?.message).toMatch(/#\d+ at \d\d:\d\d:\d\d\.\d{3}/);
      expect(findings[0]?.message).not.toMatch(/sandbox-secret|eyJ|DE02/);
      const words = findings.flatMap(({ message, expected, actual }) => [message, expected, actual]);
      expect(words.map((text) => createRedactor().text(text))).toEqual(words);
    });
  },
);

test.each(Object.entries(GOOD_HABITS))('no finding for %s', (_, script) => {
  expect(audit(script).findings.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([]);
});

describe('a journal of one client id whose connections overlap', () => {
  test.each(Object.entries(DOUBTFUL))('%s: only --callers decides', (_, script) => {
    const { findings, callers, rules } = audit(script);
    expect([findings, callers.length]).toEqual([[], 1]);
    const open = rules.filter(({ evidence = '' }) => evidence.endsWith('use --callers one or by-connection'));
    expect(open.map(({ rule }) => rule)).toEqual(PER_PROGRAM);
    expect(new Set(open.map(({ outcome }) => outcome))).toEqual(new Set(['not-exercised']));
    const apart = audit(script, 'by-connection');
    expect(apart.findings).toEqual([]);
    expect(apart.callers.length).toBeGreaterThan(1);
    expect(apart.callers.map(({ name }) => name)).toContain('test #2');
    const one = audit(script, 'one');
    expect(one.callers).toHaveLength(1);
    expect(PER_PROGRAM).toContain(one.findings[0]?.rule);
  });

  test('a bad program on its own connection is found once --callers decides, however many others overlap with it', () => {
    const script = (j: JournalBuilder): void => {
      for (let i = 0; i < 4; i++)
        j.token({ at: i * 1_000, gives: `T${i}` }).call({ at: i * 1_000 + 100, token: `T${i}` });
      for (let p = 2; p < 5; p++) j.token({ at: p, gives: `P${p}`, connection: p });
      for (let p = 2; p < 5; p++) j.call({ at: 4_000 + p, token: `P${p}`, connection: p });
    };
    expect(audit(script).findings).toEqual([]);
    const { findings } = audit(script, 'by-connection');
    expect(findings.map(({ rule, exchanges }) => [rule, exchanges.length])).toEqual([['token-not-cached', 4]]);
  });

  test('clients with different names that run one after the other are different programs', () => {
    const { findings, callers } = audit((j) => {
      for (let p = 0; p < 4; p++) {
        const wire = { connection: p, agent: `program-${p}` };
        j.token({ at: p * 100, gives: `P${p}`, ...wire }).call({ at: p * 100 + 50, token: `P${p}`, ...wire });
      }
    });
    expect(findings).toEqual([]);
    expect(callers).toEqual([0, 1, 2, 3].map((p) => ({ name: `program-${p}`, connections: 1, exchanges: 2 })));
  });
});

describe('the score card', () => {
  const outcomeOf = (audited: Audited, id: string): unknown[] => {
    const { outcome, evidence } = audited.rules.find(({ rule }) => rule === id) ?? {};
    return [outcome, evidence];
  };

  test('the score card gives the evidence of each row', () => {
    const audited = audit((j) => {
      j.token({ at: 0, gives: 'T0' });
      for (let i = 0; i < 3; i++) {
        j.call({ at: 50 + i * 200, token: `T${i}`, status: 401 });
        j.token({ at: 100 + i * 200, gives: `T${i + 1}` }).call({ at: 150 + i * 200, token: `T${i + 1}` });
      }
    });
    expect(audited.findings).toEqual([]);
    expect(outcomeOf(audited, 'unauthorized-not-retried')).toEqual(['kept', '3 responses of 401, 3 retried']);
    expect(outcomeOf(audited, 'token-missing')).toEqual(['kept', '6 calls, 6 with a bearer token']);
    expect(outcomeOf(audited, 'refresh-loop')).toEqual([
      'not-exercised',
      'needs a retry that gets 401 and is the last',
    ]);
  });

  test('the same call made again after other calls is not a retry', () => {
    const audited = audit((j) => {
      j.token({ at: 0, gives: 'T1' }).call({ at: 50, status: 401 });
      j.token({ at: 100, gives: 'T2' }).call({ at: 150, path: `${CARD}2` });
      for (let i = 0; i < 4; i++) j.call({ at: 200 + i * 50, token: 'T2', path: i === 3 ? CARD : `${CARD}${i}` });
    });
    expect(audited.findings).toEqual([]);
    expect(outcomeOf(audited, 'unauthorized-not-retried')).toEqual([
      'undecided',
      '1 response of 401, 0 retried; needs a 401 whose call is sent again with a new token',
    ]);
    expect(outcomeOf(audited, 'retried-with-dead-token')[0]).toBe('undecided');
  });

  test('a request that is refused and sent again with a new token, with a pause before each, keeps no rule', () => {
    const repeated = (at: (attempt: number) => number, pauses: 'before' | 'after'): unknown[] => {
      const audited = audit((j) => {
        for (let i = 0; i < 20; i++) {
          j.token({ at: at(i) - (pauses === 'before' ? 50 : 1_400), gives: `T${i}` });
          j.call({ at: at(i), token: `T${i}`, status: i < 19 ? 401 : 200 });
        }
      });
      expect(audited.findings).toEqual([]);
      return ['retried-more-than-once', 'refresh-loop'].map((rule) => outcomeOf(audited, rule)[0]);
    };
    const undecided = ['undecided', 'undecided'];
    expect(repeated((i) => i * 1_500, 'before')).toEqual(undecided);
    expect(repeated((i) => i * 1_500, 'after')).toEqual(undecided);
    expect(repeated((i) => i * 4_000 + (i % 3) * 500, 'before')).toEqual(undecided);
    // someone calls every three seconds, and each call is retried at once
    expect(repeated((i) => (i >> 1) * 3_000 + (i % 2) * 200, 'before')).toEqual(['kept', 'kept']);
  });

  test('parallel loops that share each token, and polls without a pause, keep no rule about loops', () => {
    const audited = audit((j) => {
      for (let i = 0; i < 60; i++) {
        j.token({ at: i * 10, takes: 1, gives: `T${i}` });
        for (let k = 0; k < 3; k++) j.call({ at: i * 10 + 2 + k, takes: 0, token: `T${i}`, status: 401 });
      }
    });
    expect(outcomeOf(audited, 'refresh-loop')[0]).toBe('undecided');
    expect(outcomeOf(audited, 'retried-more-than-once')[0]).toBe('undecided');
  });

  test('only a real pause counts: continued calls and the end of all calls do not', () => {
    const limited = (seconds: string | null, ...at: number[]): Audited =>
      audit((j) => {
        j.token({ at: 0, gives: 'T1' });
        const answers = seconds === null ? [] : ([['retry-after', seconds]] as const);
        for (const each of at) j.call({ at: each, status: 429, answers });
      });
    const rule = 'rate-limit-ignored';
    expect(outcomeOf(limited('1', 50), rule)).toEqual([
      'undecided',
      '1 response of 429, 0 followed by the pause; needs a 429 and the same call after the pause',
    ]);
    expect(outcomeOf(limited('1', 50, 190), rule)[0]).toBe('broken');
    const few = limited(null, 50, 100, 150);
    expect(outcomeOf(few, rule)[0]).toBe('undecided');
    expect(few.rules.find((one) => one.rule === rule)).toMatchObject({ seen: 2, needed: 10 });
    expect(outcomeOf(limited('1', 50, 1_200), rule)).toEqual(['kept', '2 responses of 429, 1 followed by the pause']);
    const failing = (...at: number[]): Audited => audit((j) => at.map((each) => j.token({ at: each, status: 503 })));
    expect(outcomeOf(failing(0, 30, 60), 'token-endpoint-hammered')[0]).toBe('undecided');
    expect(outcomeOf(failing(0, 300), 'token-endpoint-hammered')[0]).toBe('kept');
  });

  test('a token that ends by a 401 does not show that its lifetime was read', () => {
    const ended = (ms: number, status: number): Audited =>
      audit((j) => {
        for (let i = 0; i < 6; i++) {
          const at = i * 610_000;
          j.token({ at, gives: `T${i}`, expiresIn: 600 }).call({ at: at + 50, token: `T${i}` });
          if (i < 5) j.call({ at: at + ms, takes: 609_000 - ms, token: `T${i}`, status });
        }
      });
    const rule = 'lifetime-assumed';
    expect(outcomeOf(ended(500_000, 200), rule)[0]).toBe('kept');
    const refused = ended(601_000, 401);
    expect(refused.findings.map((finding) => finding.rule)).not.toContain(rule);
    const [outcome, evidence] = outcomeOf(refused, rule);
    expect(outcome).toBe('undecided');
    expect(evidence).toContain('5 tokens with another lifetime than the default, 0 renewed by expires_in; needs ');
    expect(outcomeOf(refused, 'token-used-after-expiry')[0]).toBe('not-exercised');
  });

  test('a renewal after the token may have expired does not count as in time', () => {
    const renewedAt = (at: number): Audited =>
      audit((j) => {
        // its response is read late, so the program believes in a longer lifetime
        j.token({ at: 0, gives: 'T1', expiresIn: 600 }).call({ at: 4_000 });
        j.token({ at, gives: 'T2' }).call({ at: at + 50, token: 'T2' });
      });
    expect(outcomeOf(renewedAt(560_000), 'token-not-renewed-in-time')[0]).toBe('kept');
    expect(outcomeOf(renewedAt(600_020), 'token-not-renewed-in-time')[0]).toBe('not-exercised');
  });

  test('no rule counts as kept without evidence, for every habit', () => {
    const all = Object.assign({}, ...Object.values(BAD_HABITS), GOOD_HABITS, DOUBTFUL) as typeof GOOD_HABITS;
    for (const [name, script] of Object.entries(all)) {
      for (const { rule, outcome, evidence } of audit(script).rules) {
        if (outcome === 'kept') expect(`${name}: ${rule}: ${evidence}`).toMatch(/: \d+ .*, [1-9]\d* /);
        if (outcome === 'broken') expect(`${name}: ${rule}: ${evidence}`).toMatch(/: \d+ /);
        if (outcome === 'undecided') expect(`${name}: ${rule}: ${evidence}`).toMatch(/needs |follows from /);
      }
    }
  });
});

test('a printed secret is found, and the most expensive breach comes first in the advice', () => {
  const journal = new JournalBuilder(contract);
  journal.token({ at: 0, gives: 'T1', agent: 'axios/1.16' });
  journal.call({ at: 50, status: 401, path: '/wallet/api/customers/c1/clients/k1/transactions/fees' });
  const recording = { entries: journal.entries(), callers: 'one' as const, printed: ['a token'] };
  const { findings, advice } = judgeCaller({ contract, recordings: [recording] });
  const rules = ['secret-printed', 'unauthorized-not-retried', 'deprecated-operation-called'];
  expect(findings.map(({ rule }) => rule)).toEqual(rules);
  expect(advice[0]).toBe(
    'Fix first: unauthorized-not-retried, because a revoked token becomes an error, like this: get a new token after 401, and retry once, as in axios.create({ baseURL, ...bearer(provider) }) of banking-api-contract/client/axios.',
  );
  expect(advice).toHaveLength(3);
});

test('several calls with four attempts each are repeated retries, not a loop', () => {
  const { findings } = audit((j) => {
    for (let i = 0; i < 24; i++) {
      j.token({ at: i * 40, gives: `T${i}` }).call({ at: i * 40 + 20, takes: 10, token: `T${i}`, status: 401 });
    }
  });
  expect(findings.map(({ rule }) => rule)).toEqual(['retried-more-than-once']);
});

test('an endless loop is found next to another loop of the same request', () => {
  const script = (j: JournalBuilder): void => {
    for (let i = 0; i < 120; i++) {
      const own = { connection: i % 2, agent: 'test' };
      j.token({ at: i * 50, gives: `T${i}`, ...own }).call({ at: i * 50 + 25, token: `T${i}`, status: 401, ...own });
    }
  };
  for (const callers of ['one', 'by-connection'] as const)
    expect(audit(script, callers).findings.map(({ rule }) => rule)).toContain('refresh-loop');
});
