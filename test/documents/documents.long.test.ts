import { spawnSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { lintContract, onceEach } from '../../src/contract/lint/lint.ts';
import { generateCode } from '../../src/generate/code.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import { packageRoot } from '../../src/package-root.ts';
import { CORPUS, unpacked } from './corpus.ts';
import { examine } from './examine.ts';
import { journey } from './journey.ts';
import { createOracle } from './oracle.ts';

const LONG = { timeout: 240_000 };

test.each(CORPUS)(
  '$file: mock, verify, lint and generate accept it',
  LONG,
  async ({ file, operations, records, problems = {}, redirects = 0 }) => {
    const spec = await unpacked(file);
    const { contract, report, sent, answers } = await examine(spec);
    expect(contract.operations).toHaveLength(operations);

    const open = report.checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'inconclusive');
    expect(open.map(({ operationId }) => operationId)).toEqual([]);
    expect([report.exitCode, report.findings.filter(({ severity }) => severity !== 'info')]).toEqual([0, []]);
    const isSkipped = ({ outcome, reason }: (typeof report.checks)[number]): boolean =>
      outcome === 'skipped' && !/^not in this|^no operation reads with/.test(reason ?? '');
    expect(report.checks.filter((check) => isSkipped(check) && !check.reason?.includes('only redirects'))).toEqual([]);
    expect(report.checks.filter(isSkipped)).toHaveLength(redirects);
    expect(redirects).toBeLessThanOrEqual(operations / 50);

    const faultOf = createOracle(contract);
    expect(answers.size).toBe(operations - redirects);
    const faults = [...answers].flatMap(([id, answer]) => {
      const fault = faultOf(id, answer);
      return fault === null ? [] : [[id, fault]];
    });
    expect(faults).toEqual([]);

    await using mock = await startMock({ spec, anyToken: true });
    const ask = (path: string, init: RequestInit): Promise<Response> => fetch(`${mock.url}${path}`, init);
    if (records) {
      const steps = ['create', 'delete', 'list', 'read'].filter((step) => !records.lacks?.some((one) => one === step));
      expect(await journey(ask, contract, sent, records.path)).toEqual(steps);
    }

    const found: Record<string, number> = {};
    for (const { severity, rule } of onceEach(await lintContract(contract)))
      if (severity !== 'info') found[rule] = (found[rule] ?? 0) + 1;
    expect(found).toEqual(problems);

    await expectTypes(contract);
  },
);

type Examined = Awaited<ReturnType<typeof examine>>;

async function expectTypes(contract: Examined['contract']): Promise<void> {
  const { dir } = contract.folder;
  const files = await generateCode(contract);
  const out = join(dir, 'generated');
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(out, file)), { recursive: true });
    await writeFile(join(out, file), text);
  }
  await mkdir(join(dir, 'node_modules'));
  await symlink(packageRoot, join(dir, 'node_modules/banking-api-contract'));
  await writeFile(join(out, 'package.json'), '{ "type": "module" }');
  const sources = Object.keys(files).filter((file) => file.endsWith('.d.ts'));
  const flags = ['--strict', '--noEmit', '--skipLibCheck', 'false', '--module', 'nodenext', '--types', ''];
  const tsc = join(packageRoot, 'node_modules/typescript/bin/tsc');
  const { stdout, status } = spawnSync(process.execPath, [tsc, ...flags, ...sources], { cwd: out, encoding: 'utf8' });
  expect([stdout, status]).toEqual(['', 0]);
}
