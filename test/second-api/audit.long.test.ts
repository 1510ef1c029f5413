import { expect, test } from 'vitest';
import type { Report } from '../../src/model/report.ts';
import { command } from '../cli/command.ts';
import { callsOf } from './journey.ts';
import { FOLDER } from './pigeons.ts';

const LONG = { timeout: 240_000 };

async function audit(program: string, env: Readonly<Record<string, string>> = {}) {
  const argv = ['audit', '--contract', FOLDER, '--drive', '--report', 'json', '--', process.execPath, program];
  const { code, out } = await command(argv, { cwd: FOLDER, env: { ...process.env, ...env } });
  const { findings, rules = [] } = JSON.parse(out) as Report;
  return {
    code,
    broken: [...new Set(findings.map(({ rule, operationId }) => `${rule} ${operationId}`))].sort(),
    kept: rules.filter(({ outcome }) => outcome === 'kept').map(({ rule }) => rule),
  };
}

test("the example's caller keeps every rule", LONG, async () => {
  const { code, broken, kept } = await audit('caller.mjs');
  expect([code, broken]).toEqual([0, []]);
  expect(kept).toEqual(expect.arrayContaining(['token-not-cached', 'token-request-malformed', 'refresh-not-shared']));
});

test('audit reports a caller that uses the deprecated form and exceeds a maximum', LONG, async () => {
  const calls = await callsOf([
    { operation: 'readFlightOfOld' },
    { operation: 'sendLetter', body: { declaredValue: 9001, valueCurrency: 'SEK' } },
  ]);
  const { code, broken } = await audit('../../test/second-api/caller.mjs', { CALLS: calls });
  expect(code).toBe(1);
  expect(broken).toEqual(['deprecated-operation-called readFlightOfOld', 'request-contradicts-contract sendLetter']);
});

test('audit reports a caller that uses HTTP Basic although the contract wants the form', LONG, async () => {
  const calls = await callsOf([{ operation: 'listLofts' }], false);
  const { code, broken } = await audit('../../test/second-api/caller.mjs', { CALLS: calls });
  expect(code).toBe(1);
  expect(broken).toContain('token-request-malformed fetchToken');
});
