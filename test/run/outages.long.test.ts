import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { verdictLine } from '../../src/report/words/verdict.ts';
import { verify } from '../../src/run/verify.ts';
import { found, run, SHORT } from './run.ts';
import { bomb, CREDENTIALS, html, json, PARAMETERS, type SandboxOptions, type Seen, startSandbox } from './sandbox.ts';

const TOKEN = '/iam/oauth/token';

describe('D2: an outage quickly makes a run inconclusive', () => {
  const outages: Record<string, SandboxOptions['fault']> = {
    '500 everywhere': (_, response) => json(response, 500, {}),
    '500 everywhere but the token endpoint': (seen, response) => seen.path !== TOKEN && json(response, 503, {}),
    'HTML everywhere': (_, response) => html(response, 200),
    'HTML everywhere but the token endpoint': (seen, response) => seen.path !== TOKEN && html(response, 200),
    'silence everywhere': () => true,
    'silence everywhere but the token endpoint': (seen) => seen.path !== TOKEN,
    'resets everywhere': (_, response) => {
      response.socket?.destroy();
      return true;
    },
    'the token endpoint rejects every request': (seen, response) =>
      seen.path === TOKEN && json(response, 401, { error: 'invalid_client' }),
    'the target accepts no token': (seen, response) => seen.path !== TOKEN && json(response, 401, {}),
    '404 everywhere': (seen, response) => seen.path !== TOKEN && json(response, 404, {}),
    'a redirect to another host': (_, response) => {
      response.writeHead(302, { location: 'https://login.example/' }).end();
      return true;
    },
    'a gzip bomb': (seen, response) => seen.path !== TOKEN && bomb(response),
  };

  for (const [name, fault] of Object.entries(outages)) {
    test(name, async () => {
      const started = performance.now();
      const [report] = await run({
        ...(fault ? { fault } : {}),
        ...(name.startsWith('silence') ? { timeouts: SHORT } : {}),
        ...(name === 'a gzip bomb' ? { limits: { backoff: 5, bodyBytes: 1024 * 1024 } } : {}),
      });
      expect(found(report)).toEqual([]);
      expect([report.exitCode, report.verdict]).toEqual([4, 'inconclusive']);
      expect(report.checks.some(({ outcome, reason }) => outcome === 'inconclusive' && reason !== '')).toBe(true);
      expect(performance.now() - started).toBeLessThan(30_000);
    });
  }

  test.each<[status: string, answer: (response: ServerResponse) => void, said: string]>([
    ['429', (response) => json(response, 429, {}), ''],
    ['404', (response) => json(response, 404, {}), ''],
    ['503', (response) => html(response, 503), ' (“Maintenance”)'],
  ])('the first line says that the target answers %s to everything', async (status, answer, said) => {
    const [report] = await run({
      fault(seen, response) {
        if (seen.path === TOKEN) return false;
        answer(response);
        return true;
      },
    });
    expect(verdictLine(report)).toMatch(/^INCONCLUSIVE: \d+ of 45 operations called, 5 of 53 documented fields seen /);
    expect(verdictLine(report)).toContain(`; the target answers ${status} to everything${said}`);
  });

  test('a rejected connection is inconclusive', async () => {
    const sandbox = await startSandbox();
    await sandbox[Symbol.asyncDispose]();
    const report = await verify({
      target: sandbox.url,
      credentials: CREDENTIALS,
      parameters: PARAMETERS,
      limits: { backoff: 5 },
    });
    expect([report.exitCode, report.findings]).toEqual([4, []]);
  });

  test('T17: a run without certificate checks reports it, but only over https', async () => {
    const rules = async (target: string, tlsVerified: boolean): Promise<string[]> => {
      const dead = { credentials: CREDENTIALS, parameters: PARAMETERS, limits: { backoff: 5 }, timeouts: SHORT };
      const report = await verify({ target, tlsVerified, ...dead });
      return report.findings.map(({ rule, severity }) => `${severity} ${rule}`);
    };
    expect(await rules('https://127.0.0.1:1', false)).toEqual(['warning tls-not-verified']);
    expect(await rules('https://127.0.0.1:1', true)).toEqual([]);
    expect(await rules('http://127.0.0.1:1', false)).toEqual([]);
  });

  test('D3: a run without credentials, or without any parameter, is inconclusive', async () => {
    await using sandbox = await startSandbox();
    const without = await verify({ target: sandbox.url, parameters: PARAMETERS });
    expect([without.exitCode, sandbox.seen]).toEqual([4, []]);
    const unknowing = await verify({ target: sandbox.url, credentials: CREDENTIALS });
    expect(unknowing.exitCode).toBe(4);
    expect(unknowing.checks.find(({ id }) => id === 'cards.answers.getCard')?.reason).toBe(
      'missing parameter customerId, cardId',
    );
  });
});

test('a target that goes down during a run makes it inconclusive, for every kind of failure', async () => {
  for (const how of ['reset', '503', 'html'] as const) {
    const [report] = await run({
      fault: (_, response, count) => {
        if (count < 12) return false;
        if (how === 'reset') response.socket?.destroy();
        else if (how === 'html') html(response, 200);
        else json(response, 503, {});
        return true;
      },
    });
    expect(found(report), how).toEqual([]);
    expect([report.exitCode, report.verdict], how).toEqual([4, 'inconclusive']);
    expect(report.checks.some(({ outcome }) => outcome === 'passed')).toBe(true);
  }
});

test('an outage that begins while requests without a token are sent is not drift', async () => {
  for (const answer of [html, (response: Parameters<typeof html>[0]) => json(response, 403, {})]) {
    let isOut = false;
    const [report] = await run({
      fault: ({ path, authorization }, response) => {
        isOut ||= path.endsWith('/account/fees/GBP') && authorization === '';
        if (isOut) answer(response, 200);
        return isOut;
      },
    });
    expect(found(report)).toEqual([]);
    expect([report.exitCode, report.verdict]).toEqual([4, 'inconclusive']);
  }
});

describe('token endpoint outages', () => {
  type Answer = (response: Parameters<NonNullable<SandboxOptions['fault']>>[1]) => void;
  const troubles: Record<string, Answer> = {
    '503': (response) => json(response, 503, {}),
    HTML: (response) => html(response, 200),
    'a reset': (response) => void response.socket?.destroy(),
    silence: () => {},
    'half an answer': (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
      response.write('{"access_');
      setTimeout(() => response.socket?.destroy(), 10);
    },
    '503 with Retry-After': (response) => json(response, 503, {}, { 'retry-after': '1' }),
  };

  for (const [name, answer] of Object.entries(troubles)) {
    const timeouts = { ...SHORT, firstByte: 0.6, dead: 6 };

    test(`a token endpoint that fails during a run (${name}) is not drift`, async () => {
      let asked = 0;
      const [report] = await run({
        timeouts,
        // Each token is valid for one use, so that every call requests a new one.
        token: (response) => ({ ...response, expires_in: 0 }),
        fault: ({ path, authorization }, response) => {
          if (path !== TOKEN || !authorization.startsWith('Basic')) return false;
          asked += 1;
          if (asked > 9) answer(response);
          return asked > 9;
        },
      });
      expect(found(report).filter((line) => !line.startsWith('token-lifetime'))).toEqual([]);
      const inconclusive = report.checks.filter(({ outcome }) => outcome === 'inconclusive');
      expect(inconclusive.some(({ reason }) => reason.includes('token'))).toBe(true);
    });

    test(`a transient failure of the token endpoint (${name}) is retried`, async () => {
      let asked = 0;
      const [report] = await run({
        timeouts,
        fault: ({ path }, response) => {
          if (path !== TOKEN) return false;
          asked += 1;
          if (asked === 1) answer(response);
          return asked === 1;
        },
      });
      expect([found(report), report.exitCode]).toEqual([[], 0]);
    });
  }

  test('a token endpoint with a Retry-After beyond the budget is inconclusive, and the reason names the limit', async () => {
    const [report, sandbox] = await run({
      fault: (_, response) => json(response, 503, {}, { 'retry-after': '100' }),
    });
    expect([report.exitCode, sandbox.seen.length]).toEqual([4, 1]);
    expect(report.checks.find(({ outcome }) => outcome === 'inconclusive')?.reason).toContain('a run waits at most');
  });
});

test('a target that goes silent during a run ends it after one timeout', async () => {
  const started = performance.now();
  const [report] = await run({
    timeouts: { firstByte: 2, call: 4, dead: 3 },
    fault: (_, __, count) => count >= 12,
  });
  expect([report.exitCode, found(report)]).toEqual([4, []]);
  expect(report.checks.some(({ reason }) => reason === 'the target does not answer any more')).toBe(true);
  expect(performance.now() - started).toBeLessThan(8000);
});

test('a silent target behind a gateway that still rejects bad tokens also ends the run', async () => {
  const started = performance.now();
  const [report] = await run({
    timeouts: { firstByte: 2, call: 4, dead: 3 },
    // a fault that accepts the request without an answer is silence
    fault: ({ authorization }, _, count) => count >= 12 && authorization.startsWith('Bearer ey'),
  });
  expect([report.exitCode, found(report)]).toEqual([4, []]);
  expect(report.checks.some(({ reason }) => reason === 'the target does not answer any more')).toBe(true);
  expect(performance.now() - started).toBeLessThan(10_000);
});

test('an operation that never finishes its answer is a finding with the waiting time', async () => {
  const [report] = await run({
    timeouts: { firstByte: 1, call: 1.5, dead: 6 },
    fault: ({ path, authorization }, response) => {
      if (!path.endsWith('/cards/k-4') || !authorization.startsWith('Bearer ey')) return false;
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 100);
      response.on('close', () => clearInterval(timer));
      return true;
    },
  });
  const [failing, ...others] = report.findings.filter(({ severity }) => severity === 'error');
  expect([failing?.rule, failing?.operationId, others]).toEqual(['operation-failing', 'getCard', []]);
  expect(failing?.actual).toBe('no whole answer in time (given up after 2 s)');
});

test('checks skip a silent operation after its retry, and the run confirms its finding once at the end', async () => {
  const isHung = ({ path, authorization }: Seen): boolean =>
    path.endsWith('/card/fees/GBP') && path.startsWith('/billing/') && authorization.startsWith('Bearer ey');
  const [report, sandbox] = await run({ timeouts: SHORT, fault: isHung });
  expect(found(report)).toEqual(['operation-failing getCardFees ']);
  expect(report.exitCode).toBe(1);
  const own = report.checks.filter(({ reason }) => reason.includes('and is not asked again'));
  expect(own.map(({ outcome }) => outcome)).toContain('inconclusive');
  expect(report.findings.find(({ rule }) => rule === 'operation-failing')?.occurrences).toBeLessThanOrEqual(3);
  expect(sandbox.seen.filter(isHung).length).toBeLessThanOrEqual(6);
});

test('an operation that is silent through its retry and answers at the end is not a finding', async () => {
  let hits = 0;
  const [report] = await run({
    timeouts: SHORT,
    fault: ({ path, authorization }) => {
      if (!path.endsWith('/cards/k-4') || !authorization.startsWith('Bearer ey')) return false;
      hits += 1;
      return hits <= 2;
    },
  });
  expect(found(report)).toEqual([]);
  expect(report.checks.find(({ id }) => id === 'cards.answers.getCard')?.reason).toMatch(/at first, answered later/);
});

test('an operation that fails through all retries and then answers is not a finding', async () => {
  let hits = 0;
  const [report] = await run({
    fault: ({ path, authorization }, response) => {
      if (!path.endsWith('/cards/k-4') || !authorization.startsWith('Bearer ey')) return false;
      hits += 1;
      if (hits <= 3) json(response, 500, {});
      return hits <= 3;
    },
  });
  expect([hits, found(report), report.exitCode]).toEqual([4, [], 0]);
  expect(report.checks.find(({ id }) => id === 'cards.answers.getCard')?.reason).toMatch(
    /^500 at first, answered later/,
  );
});
