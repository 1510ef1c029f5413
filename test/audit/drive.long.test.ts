import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type Audited, judgeCaller } from '../../src/audit/judge-caller.ts';
import type { AuditRuleId } from '../../src/audit/rule-ids.ts';
import { drive } from '../../src/runner/drive/drive.ts';
import type { SituationId } from '../../src/runner/drive/situations.ts';
import { describeWith } from '../support/needs.ts';

const callers = fileURLToPath(new URL('./callers/', import.meta.url));
const examples = fileURLToPath(new URL('../../examples/audit/', import.meta.url));
const node = process.execPath;

/** Long enough for a machine that runs all of these at once. */
const LONG = 240_000;

async function audited(command: readonly string[], situations?: readonly SituationId[]): Promise<Audited> {
  const { driven, contract } = await drive({
    command,
    env: process.env,
    cwd: callers,
    timeout: 60,
    signal: AbortSignal.timeout(LONG),
    ...(situations === undefined ? {} : { situations }),
  });
  if (contract === null) throw new Error('nothing was driven');
  expect(driven.map(({ recording }) => recording.entries.length > 0)).not.toContain(false);
  return judgeCaller({ contract, recordings: driven.map(({ recording }) => recording) });
}

const shown = ({ findings }: Audited): string[] => findings.map(({ rule, message }) => `${rule}: ${message}`);

describe('good callers, driven through every situation, give no finding', { concurrent: true }, () => {
  for (const name of ['with-token', 'openid-client', 'simple-oauth2', 'axios', 'got', 'ky']) {
    test(name, { timeout: LONG }, async () => {
      const result = await audited([node, `good-${name}.mjs`]);
      expect(shown(result)).toEqual([]);
      const kept = result.rules.filter(({ outcome }) => outcome === 'kept').map(({ rule }) => rule);
      expect(kept).toEqual(expect.arrayContaining([...EXERCISED]));
    });
  }
});

/** What the plan puts every caller to the test of. */
const EXERCISED: readonly AuditRuleId[] = [
  'token-not-cached',
  'refresh-not-shared',
  'lifetime-assumed',
  'unauthorized-not-retried',
  'retried-with-dead-token',
  'retried-more-than-once',
  'refresh-loop',
];

const HABITS: readonly (readonly [habit: string, rule: AuditRuleId, situations: readonly SituationId[]])[] = [
  ['token-per-request', 'token-not-cached', ['normal', 'short-lifetime', 'unauthorized-once', 'parallel']],
  ['no-retry', 'unauthorized-not-retried', ['normal', 'revoked', 'unauthorized-once', 'unauthorized-always']],
  ['gives-up', 'unauthorized-not-retried', ['normal', 'revoked', 'unauthorized-once']],
  ['retries-with-the-dead-token', 'retried-with-dead-token', ['normal', 'unauthorized-once', 'unauthorized-always']],
  ['retries-thrice', 'retried-more-than-once', ['normal', 'revoked', 'unauthorized-once', 'unauthorized-always']],
  ['refreshes-for-ever', 'refresh-loop', ['normal', 'unauthorized-once', 'unauthorized-always']],
  ['no-single-flight', 'refresh-not-shared', ['normal', 'token-slow', 'parallel']],
  ['refreshes-for-each-late-401', 'refresh-not-shared', ['normal', 'parallel']],
  ['ignores-expires-in', 'lifetime-assumed', ['normal', 'short-lifetime', 'unauthorized-once']],
  ['credentials-in-the-form', 'token-request-malformed', ['normal']],
  ['grant-in-the-query', 'token-request-malformed', ['normal']],
  ['token-in-the-query', 'token-in-url', ['normal']],
  ['bearer-undefined', 'token-missing', ['normal', 'token-down']],
  ['hammers-the-token-endpoint', 'token-endpoint-hammered', ['normal', 'token-down']],
  ['deprecated-fees', 'deprecated-operation-called', ['normal', 'revoked', 'unauthorized-always']],
];

describe('a program with a bad habit is found by its rule and no other', { concurrent: true }, () => {
  for (const [habit, rule, situations] of HABITS) {
    test(`${rule}: ${habit}`, { timeout: LONG }, async () => {
      const result = await audited([node, 'bad.mjs', habit], situations);
      expect(new Set(result.findings.map((finding) => finding.rule)), shown(result).join('\n')).toEqual(
        new Set([rule]),
      );
    });
  }
});

describe('the recipes give no finding', { concurrent: true }, () => {
  test('Node', { timeout: LONG }, async () => {
    expect(shown(await audited([node, `${examples}caller.mjs`]))).toEqual([]);
  });
});

describeWith('python3-requests', 'the Python recipe gives no finding', () => {
  test('requests', { timeout: LONG }, async () => {
    expect(shown(await audited(['/usr/bin/python3', `${examples}caller.py`]))).toEqual([]);
  });
});

describeWith('java', 'the Java recipe gives no finding', () => {
  test('java.net.http', { timeout: LONG }, async () => {
    expect(shown(await audited(['java', `${examples}Caller.java`]))).toEqual([]);
  });
});
