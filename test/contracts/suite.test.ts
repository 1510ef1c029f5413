import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import type { Report } from '../../src/report/report.ts';
import type { PlanRow } from '../../src/runner/options.ts';
import { plan, verify } from '../../src/runner/verify.ts';
import { loadContract } from '../../src/spec/load.ts';
import { PARAMETERS } from '../runner/sandbox.ts';

let onMock: Report;
let planned: readonly PlanRow[];
beforeAll(async () => {
  onMock = await verify();
  planned = await plan({ target: 'http://127.0.0.1:1', parameters: PARAMETERS });
});

describe('the contract suite', () => {
  test('has at least one check for every operation of the contract, known by name only or not', async () => {
    const { operations } = await loadContract();
    const checked = new Set(onMock.checks.map(({ operationId }) => operationId));
    expect(operations.filter(({ operationId }) => !checked.has(operationId))).toEqual([]);
    expect(operations).toHaveLength(45);
  });

  test('has ids that are unique, dotted, and name the operation at their end where they vary by it', () => {
    const ids = onMock.checks.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z-]+(\.[A-Za-z0-9-]+){1,3}$/);
  });

  test('gives every operation known by name only its row, skipped with the reason where it is not located', () => {
    const rows = onMock.checks.filter(({ id }) => id.startsWith('name-only.answers.'));
    expect(rows).toHaveLength(22);
    expect(planned.filter(({ checkId }) => checkId.startsWith('name-only.'))).toEqual([]);
  });

  test('plans nothing for a URL but reads with a token, the token itself, and reads without a valid token', () => {
    expect(new Set(planned.map(({ effect }) => effect))).toEqual(new Set(['read']));
    expect(new Set(planned.map(({ auth }) => auth))).toEqual(new Set(['client', 'token', 'none', 'garbage']));
    expect(new Set(planned.map(({ kind }) => kind))).toEqual(new Set(['any']));
  });

  test('keeps pactum behind support: no contract file imports it', () => {
    const folder = join(packageRoot, 'contracts');
    const files = readdirSync(folder).filter((name) => name.endsWith('.contract.ts'));
    expect(files).toHaveLength(8);
    for (const name of files) {
      const imports = [...readFileSync(join(folder, name), 'utf8').matchAll(/from '([^']+)'/g)].map(
        (match) => match[1],
      );
      expect(
        imports.filter((from) => !from?.startsWith('./support/')),
        name,
      ).toEqual([]);
    }
  });
});
