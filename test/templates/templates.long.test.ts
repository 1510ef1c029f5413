import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../../src/package-root.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { version: VERSION } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
  readonly version: string;
};

let cwd: string;
beforeEach(async () => {
  cwd = await temporaryFolder();
  mkdirSync(join(cwd, 'bin'));
});

function command(name: string, text: string): void {
  writeFileSync(join(cwd, 'bin', name), text);
  chmodSync(join(cwd, 'bin', name), 0o755);
}

const read = (file: string): string => readFileSync(join(packageRoot, file), 'utf8');

/** Runs a step as a runner does: with only its own variables, and a failed command ends it. */
function step(script: string, env: Record<string, string>): { code: number | null; out: string } {
  const variables = { PATH: join(cwd, 'bin') + delimiter + process.env.PATH, HOME: cwd, ...env };
  const given = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const argv = ['-i', ...given, 'bash', '-eo', 'pipefail', '-c', script];
  const { status, stdout, stderr } = spawnSync('env', argv, { cwd, encoding: 'utf8' });
  return { code: status, out: stdout + stderr };
}

interface Step {
  readonly uses?: string;
  readonly if?: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly id?: string;
  readonly name?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: string;
  readonly 'continue-on-error'?: boolean;
}
const nightly = parse(read('ci/nightly.yml')) as {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<'due' | 'verify', { readonly steps: readonly Step[] }>>;
};
const { steps } = nightly.jobs.verify;
const scriptOf = (all: readonly Step[], name: string): string =>
  all.find((each) => each.id === name || each.name === name)?.run ?? 'exit 99';
const gitlab = (parse(read('ci/gitlab.yml')) as { 'banking-api': GitlabJob })['banking-api'];

interface GitlabJob {
  readonly script: readonly string[];
  readonly cache: { readonly when: string };
  readonly allow_failure: { readonly exit_codes: readonly number[] };
  readonly retry: { readonly exit_codes: readonly number[] };
}

test("the action's lock file contains the engines and all dependencies of the package", () => {
  const { packages } = JSON.parse(read('generated/engines/package-lock.json'));
  const { dependencies } = JSON.parse(read('package.json'));
  for (const name of [...Object.keys(dependencies), 'pactum', 'vitest'])
    expect(packages[`node_modules/${name}`]).toMatchObject({ integrity: expect.stringMatching(/^sha512-/) });
});

describe('without a target, only with the variables of the platform', () => {
  beforeEach(() => {
    // an npm that installs a link to this clone, and the command itself instead of the installed one
    const link = `mkdir -p .banking-api/node_modules; ln -sfn "${packageRoot}" .banking-api/node_modules/banking-api-contract`;
    command('npm', `#!/bin/sh\n${link}\n`);
    command('banking-api', `#!/bin/sh\nexec "${process.execPath}" "${join(packageRoot, 'bin/banking-api.js')}" "$@"\n`);
  });
  const action = `"${process.execPath}" "${join(packageRoot, 'ci/pipeline.mjs')}" verify`;

  test.each([
    ['an empty variable', { BANKING_API_BASE_URL: '' }, 'BANKING_API_BASE_URL is empty.'],
    ['no variable', {}, 'No target is set. Use --target URL (or --target mock for the embedded mock), set'],
  ])('the action does not run and has no verdict: %s', (_what, variables, message) => {
    // A night without the variable must not verify the target in a config file.
    if ('BANKING_API_BASE_URL' in variables)
      writeFileSync(join(cwd, 'banking-api.config.yaml'), 'target: { baseUrl: "https://bank.invalid" }\n');
    const outputs = join(cwd, 'outputs');
    const { code, out } = step(action, { GITHUB_ACTIONS: 'true', GITHUB_OUTPUT: outputs, ...variables });
    expect([code, readFileSync(outputs, 'utf8')]).toEqual([2, expect.stringMatching(/^verdict=\nexit-code=2\n/)]);
    expect(out).toContain(message);
    expect(out).toContain('::error title=Not run::');
  });

  test('the GitLab job exits with 2', () => {
    const variables = { GITLAB_CI: 'true', BANKING_API_BASE_URL: '', BANKING_API_VERSION: VERSION, RUNNER_TEMP: cwd };
    const { code, out } = step(gitlab.script.join('\n'), { ...variables, BANKING_API_ARGS: '' });
    expect([code, out]).toEqual([2, expect.stringContaining('BANKING_API_BASE_URL is empty.')]);
  });
});

describe('the CI templates', () => {
  const stepsOf = (action: string) => (parse(read(action)) as { runs: { steps: Step[] } }).runs.steps;

  test('the templates pin this version of the package and contain no placeholder', () => {
    for (const file of ['ci/nightly.yml', 'ci/gitlab.yml']) {
      const versions = [...read(file).matchAll(/(?:banking-api-contract[@-]|BANKING_API_VERSION: )(\d[\d.]*\d)/g)];
      expect(versions.map(([, version]) => version).filter((version) => version !== VERSION)).toEqual([]);
      expect(versions.length).toBeGreaterThan(0);
      expect(read(file)).not.toMatch(/\bOWNER\b|@latest/);
    }
  });

  test('SARIF is uploaded only for a night with a verdict, and works in a private repository', () => {
    const upload = steps.find(({ uses }) => uses?.startsWith('github/codeql-action/upload-sarif'));
    expect(upload?.if).toBe(`contains(fromJSON('["agrees", "drift"]'), steps.contract.outputs.verdict)`);
    expect(nightly.permissions).toMatchObject({ actions: 'read', 'security-events': 'write', contents: 'read' });
  });

  test('the history of every night is kept, even without agreement', () => {
    const at = (action: string): number => steps.findIndex(({ uses }) => uses?.startsWith(`${action}@`));
    const [restore, save] = ['actions/cache/restore', 'actions/cache/save'].map(at);
    const contract = steps.findIndex(({ id }) => id === 'contract');
    expect(at('actions/cache')).toBe(-1);
    expect([restore, contract, save]).toEqual([restore, contract, save].toSorted((a = 0, b = 0) => a - b));
    expect(restore).toBeGreaterThan(-1);
    const kept = steps[save ?? -1];
    expect(kept?.if).toMatch(/^always\(\)/);
    // a cache key cannot be saved twice: a second attempt needs its own
    expect(kept?.with?.key).toContain('github.run_attempt');
    expect(kept?.with).toMatchObject({
      path: steps[contract]?.env?.INPUT_HISTORY,
      key: steps[restore ?? -1]?.with?.key,
    });
    expect(gitlab.cache.when).toBe('always');
  });

  test('actions are pinned by commit', () => {
    for (const file of ['action.yml', 'ci/nightly.yml', '.github/workflows/ci.yml', '.github/workflows/release.yml']) {
      const uses = [...read(file).matchAll(/uses: (\S+)(.*)/g)];
      expect(uses.length).toBeGreaterThan(0);
      for (const [, action, version] of uses) expect(`${action}${version}`).toMatch(/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });

  test.each([
    [{ IS_FORK: 'true', HAS_SECRETS: 'false' }, 'agrees', 'false', 'title=Skipped'],
    [{ IS_FORK: 'true', HAS_SECRETS: 'true' }, 'agrees', 'true', ''],
    [{ IS_FORK: 'false', HAS_SECRETS: 'false' }, 'agrees', 'true', ''],
    [{ HAS_SECRETS: 'true' }, 'not recorded', 'true', ''],
    [{ HAS_SECRETS: 'true', IS_SECOND: 'true' }, 'drift', 'false', ''],
    [{ HAS_SECRETS: 'true', IS_SECOND: 'true' }, 'inconclusive', 'true', ''],
  ])('with %j after a night that was %s the nightly job runs or not: %s', (variables, verdict, run, said) => {
    mkdirSync(join(cwd, 'banking-api-history'));
    for (const [night, one] of [
      ['20', 'agrees'],
      ['21', verdict],
    ]) {
      const text = JSON.stringify({ verdict: one }, null, 2);
      if (verdict !== 'not recorded') writeFileSync(join(cwd, 'banking-api-history', `${night}.json`), text);
    }
    const env = { IS_FORK: '', IS_SECOND: 'false', GITHUB_OUTPUT: join(cwd, 'outputs'), ...variables };
    const { code, out } = step(scriptOf(nightly.jobs.due.steps, 'due'), env);
    expect([code, readFileSync(join(cwd, 'outputs'), 'utf8')]).toEqual([0, `run=${run}\n`]);
    expect(out).toContain(said);
  });

  test('a GitLab job warns of a night without a verdict, and stops at the last one', () => {
    expect(gitlab.allow_failure.exit_codes).toEqual([4, 5]);
    expect(gitlab.retry.exit_codes).toEqual([4, 44]);
    const last = gitlab.script.at(-1)?.replace('.banking-api/node_modules/banking-api-contract', packageRoot) ?? '';
    expect(step(`code=4\n${last}`, { GITLAB_CI: 'true', BANKING_API_NIGHTS: '1' })).toEqual({
      code: 44,
      out: '1 of 1 nights in a row without a verdict. The job then fails.\n',
    });
  });

  test('the nightly job ends with the code of verify', () => {
    mkdirSync(join(cwd, 'contract/node_modules'), { recursive: true });
    symlinkSync(packageRoot, join(cwd, 'contract/node_modules/banking-api-contract'));
    const end = scriptOf(steps, 'End as verify did');
    expect(step(end, { CODE: '1', NIGHTS: '3', RUNNER_TEMP: cwd })).toEqual({ code: 1, out: '' });
    expect(step(end, { CODE: '', NIGHTS: '3', RUNNER_TEMP: cwd }).code).toBe(70);
  });

  test('a failure of learning never costs the verdict of the night', () => {
    const learning = steps.filter(({ run }) => run?.includes(' learned'));
    expect(learning.map((each) => [each['continue-on-error'], each.if])).toEqual([
      [true, undefined],
      [true, undefined],
    ]);
  });

  test('the nightly run fails on warnings: otherwise a night of warnings would close the issue', () => {
    expect(read('ci/nightly.yml')).toMatch(/^ {10}INPUT_FAIL_ON: warning$/m);
  });

  test('an expression of a workflow is never part of a script', () => {
    for (const { run } of [
      ...stepsOf('action.yml'),
      ...stepsOf('ci/nightly-issue/action.yml'),
      ...nightly.jobs.due.steps,
      ...steps,
    ])
      expect(run ?? '').not.toContain('${{');
  });
});
