import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { run } from '../../src/cli/run.ts';
import type { Report } from '../../src/model/report.ts';
import { packageRoot } from '../../src/package-root.ts';
import { fakeIo } from '../cli/io.ts';
import { contractOf, doubling, entangled } from './nested.ts';

test('F2: generate writes each of 400 schemas once, and their validators check through the references', async () => {
  const link = (index: number): object => ({
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'string' }, next: { $ref: `#/components/schemas/S${(index + 1) % 400}` } },
  });
  const schemas = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`S${index}`, link(index)]));
  const base = { $ref: '#/components/schemas/S1' };
  const Whole = { allOf: [base, { type: 'object', properties: { more: base } }] };
  const cwd = await contractOf({ ...schemas, Whole }, {});
  const io = fakeIo({ cwd, signal: AbortSignal.timeout(60_000) });
  expect(await run(['generate', '--contract', '.', '--out', 'generated'], io), io.err()).toBe(0);
  type Check = { is(value: unknown): boolean; readonly exact: Check };
  await writeFile(join(cwd, 'generated/package.json'), '{ "type": "module" }');
  const { Whole: check } = (await import(join(cwd, 'generated/validators/whole.js'))) as { Whole: Check };
  const good = { id: 'a', next: { id: 'b', next: { id: 'c' } }, more: { id: 'd' } };
  const judged = [good, { ...good, next: { id: 'b', next: { id: 1 } } }, { ...good, next: { id: 'b', other: 1 } }];
  expect(judged.map((value) => [check.is(value), check.exact.is(value)])).toEqual([
    [true, true],
    [false, false],
    [true, false],
  ]);
}, 90_000);

test.each([
  ['double', () => doubling(40)],
  ['entangled', entangled],
])(
  'F2: verify agrees with a mock of %s references, and names at most 500 fields that it did not see',
  async (_, make) => {
    // a process of its own, because only another process can end a loop
    const argv = ['bin/banking-api.js', 'verify', '--target', 'mock', '--contract', await make(), '--report', 'json'];
    const options = { cwd: packageRoot, timeout: 60_000, maxBuffer: 64 * 1024 * 1024 };
    const { stdout } = await promisify(execFile)(process.execPath, argv, options);
    const { verdict, coverage } = JSON.parse(stdout) as Report;
    expect(verdict).toBe('agrees');
    const unseen = coverage.operations.map(({ fields }) => fields.filter(({ of }) => of === 0).length);
    expect(coverage.operations[0]?.fields.length).toBeGreaterThan(20);
    expect(Math.max(...unseen)).toBeLessThanOrEqual(500);
  },
  90_000,
);
