import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { packageRoot } from '../../src/package-root.ts';
import { checksOf } from '../../src/run/checks.ts';
import { plan } from '../../src/run/plan.ts';
import { verify } from '../../src/run/verify.ts';
import { PARAMETERS } from '../run/sandbox.ts';

const onMock = await verify({ target: 'mock' });
const planned = await plan({ target: 'http://127.0.0.1:1', parameters: PARAMETERS });

describe('the contract suite', () => {
  test('the suite has at least one check for every operation, including name-only operations', async () => {
    const { operations } = await loadContract();
    const checked = new Set(onMock.checks.map(({ operationId }) => operationId));
    expect(operations.filter(({ operationId }) => !checked.has(operationId))).toEqual([]);
  });

  test('check ids are unique and dotted, and end with the operation if they vary by it', () => {
    const ids = onMock.checks.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z-]+(\.[A-Za-z0-9-]+){1,3}$/);
  });

  test('a name-only operation has only its row, skipped with a reason while it has no path', async () => {
    const { operations } = await loadContract();
    const named = operations.filter(({ path }) => path === null).map(({ operationId }) => operationId);
    const rows = onMock.checks.filter(({ id }) => id.startsWith('name-only.answers.'));
    expect(new Set(rows.map(({ operationId }) => operationId))).toEqual(new Set(named));
    expect(planned.filter(({ checkId }) => checkId.startsWith('name-only.'))).toEqual([]);
  });

  test('the suite reads before it writes, and removes at the very end, the largest resource last', () => {
    const answers = onMock.checks.flatMap(({ id }) => (id.includes('.answers.') ? [id.split('.').at(-1)] : []));
    expect(answers.slice(-4)).toEqual(['deleteCard', 'cancelAnAccount', 'rejectClient', 'deleteClient']);
    const [lastRead, firstWrite] = [answers.indexOf('getBeneficiary'), answers.indexOf('createUser')];
    expect(lastRead).toBeGreaterThan(-1);
    expect(firstWrite).toBeGreaterThan(lastRead);
    expect(onMock.checks.at(-1)?.operationId).toBe('deleteClient');
  });

  test('for a URL the suite plans only reads: with a token, without a valid token, and of the token itself', () => {
    expect(new Set(planned.map(({ effect }) => effect))).toEqual(new Set(['read']));
    expect(new Set(planned.map(({ auth }) => auth))).toEqual(new Set(['client', 'token', 'none', 'garbage']));
    expect(new Set(planned.map(({ kind }) => kind))).toEqual(new Set(['any']));
  });

  test('each contract file sends requests with pactum, by method and path template', () => {
    for (const { name, text } of ownFiles()) {
      const imports = [...text.matchAll(/from '([^']+)'/g)].map((match) => match[1]);
      expect(new Set(imports), name).toEqual(new Set(['banking-api-contract/contract', 'pactum', 'vitest']));
      expect(text, name).toMatch(/\.(?:get|post)\('\/|\.withPath\(path/);
      expect(text, name).toMatch(/\.expect(?:Status)?\(/);
      expect(text, name).toMatch(/describe\(['`].*\(API reference, /);
    }
  });

  test('the general contract file names no operation', async () => {
    const { operations } = await loadContract();
    const text = readFileSync(join(HOME, 'every', 'operations.contract.ts'), 'utf8');
    expect(operations.filter(({ operationId }) => text.includes(operationId))).toEqual([]);
  });

  test('the engine lists all checks of the suite except two', async () => {
    const listed = new Set(
      checksOf(
        { contract: await loadContract({ assumed: true }), facts: {}, embedded: true, failing: {}, repeatReads: 1 },
        () => true,
      ).map(({ id }) => id),
    );
    const unlisted = onMock.checks.map(({ id }) => id).filter((id) => !listed.has(id));
    expect(unlisted.sort()).toEqual(['cards.security-questions-first', 'name-only.visible.getBeneficiaries']);
  });
});

test('the test runner of a clone runs the same suite against the embedded mock', async () => {
  const vitest = join(packageRoot, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', '--project', 'contracts'];
  // With the worker's own variables vitest would believe that it runs inside a worker.
  const env = { PATH: process.env.PATH };
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: packageRoot, env });
  expect(stdout).toContain(`tests: ${onMock.checks.length} passed, 0 failed, 0 skipped`);
}, 240_000);

const HOME = join(packageRoot, 'contracts');

function ownFiles(): { name: string; text: string }[] {
  const names = readdirSync(HOME).filter((name) => name.endsWith('.contract.ts'));
  return names.map((name) => ({ name, text: readFileSync(join(HOME, name), 'utf8') }));
}
