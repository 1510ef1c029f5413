import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../../src/package-root.ts';
import { renderMarkdown } from '../../src/report/markdown.ts';
import { serveOnLoopback } from '../support/loopback.ts';
import { POSIX } from '../support/needs.ts';
import { check, finding, report } from '../support/report-samples.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

type Env = Readonly<Record<string, string>>;
type Run = (command: string, args: readonly string[], given?: { input?: string; env?: Env }) => string;
type Step = (context: object, ...args: readonly string[]) => unknown;
const { STEPS } = (await import(join(packageRoot, 'ci/pipeline.mjs'))) as { STEPS: Readonly<Record<string, Step>> };
const { version: VERSION } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));

let cwd: string;
/** The command of the step; by default, there is none. */
let run: Run;
beforeEach(async () => {
  cwd = await temporaryFolder();
  run = (command) => expect.fail(`no ${command} here`);
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

async function step(name: string, env: Env = {}, ...args: readonly string[]): Promise<{ code: unknown; out: string }> {
  const out: string[] = [];
  const print = (line: string): unknown => out.push(`${line}\n`);
  const now = (): Date => new Date('2026-11-20T02:17:00Z');
  const code = (await STEPS[name]?.({ env, cwd, run, print, now }, ...args)) ?? 0;
  return { code, out: out.join('') };
}

function put(file: string, text: string): void {
  mkdirSync(join(cwd, file, '..'), { recursive: true });
  writeFileSync(join(cwd, file), text);
}
const got = (file: string): string => readFileSync(join(cwd, file), 'utf8');

function keepNights(verdicts: Readonly<Record<string, string>>): void {
  for (const [time, verdict] of Object.entries(verdicts)) {
    const one = report({ startedAt: `${time}:00.000Z`, verdict: verdict as 'agrees' });
    put(`banking-api-history/${time}.json`, JSON.stringify(one));
  }
}

describe('the issue of a target', () => {
  interface Issue {
    readonly number: number;
    body: string;
    isOpen: boolean;
    readonly comments: string[];
  }
  let issues: Issue[];
  /** The commands that `gh` got. */
  let calls: string[];
  beforeEach(() => {
    issues = [];
    calls = [];
    run = (command, [topic, what, ...args], { input = '' } = {}) => {
      calls.push([command, topic, what].join(' '));
      const flag = (name: string): string => args[args.indexOf(name) + 1] ?? '';
      const issue = issues.find(({ number }) => number === Number(args[0]));
      switch (calls.at(-1)) {
        case 'gh label create':
          break;
        case 'gh issue list':
          expect([flag('--state'), flag('--label')]).toEqual(['open', 'banking-api-drift']);
          return JSON.stringify(issues.filter(({ isOpen }) => isOpen).reverse());
        case 'gh issue create':
          expect(flag('--title')).toBe('The banking API differs from its contract');
          issues.push({ number: issues.length + 1, body: input, isOpen: true, comments: [] });
          break;
        case 'gh issue edit':
          Object.assign(issue ?? {}, { body: input });
          break;
        case 'gh issue comment':
          issue?.comments.push(flag('--body'));
          break;
        case 'gh issue close':
          Object.assign(issue ?? {}, { isOpen: false });
          issue?.comments.push(flag('--comment'));
          break;
        default:
          throw new Error(`a call that gh does not have: ${calls.at(-1)}`);
      }
      return '';
    };
  });

  const A = '00000000000000a1';
  const B = '00000000000000b2';
  const warning = (fingerprint: string) => finding({ severity: 'warning', fingerprint });

  function night(verdict: string, fingerprints: readonly string[] = [], baseUrl = 'https://one.example') {
    const findings = fingerprints.map((fingerprint) => finding({ fingerprint }));
    return nightOf(verdict, { findings, target: { kind: 'url', baseUrl } });
  }
  function nightOf(verdict: string, over: Parameters<typeof report>[0], RUN_URL = 'https://ci/1') {
    put('report.md', renderMarkdown(report({ ...over, verdict: verdict === 'drift' ? 'drift' : 'agrees' })));
    return step('issue', { VERDICT: verdict, REPORT: 'report.md', RUN_URL });
  }
  const open = (): boolean[] => issues.map(({ isOpen }) => isOpen);

  test('one issue is opened, updated, and closed on the first night that agrees', async () => {
    await night('drift', [A]);
    expect(issues).toMatchObject([{ isOpen: true, comments: [], body: expect.stringContaining('cardLimitDaily') }]);
    expect(issues[0]?.body).toMatch(/Last night that showed it: 2026-11-20 \(\[run\]\(https:\/\/ci\/1\)\)\n$/);
    await night('drift', [A]);
    expect(issues).toMatchObject([{ comments: [] }]);
    await night('drift', [A, B]);
    expect(issues).toMatchObject([{ comments: [expect.any(String)], body: expect.stringContaining(B) }]);
    await night('drift', [B, A]);
    expect(issues[0]?.comments).toHaveLength(1);
    await night('agrees');
    expect(issues).toMatchObject([{ isOpen: false }]);
    expect(issues[0]?.comments.at(-1)).toBe('The API agrees with its contract again ([run](https://ci/1)).');
    await night('agrees');
    expect(issues[0]?.comments).toHaveLength(2);
    await night('drift', [B]);
    expect(open()).toEqual([false, true]);
  });

  test('each target has its own issue, and another target never closes it', async () => {
    await night('drift', [A]);
    expect((await night('agrees', [], 'https://other.example')).out).toContain('no issue of this target is open');
    expect(issues).toMatchObject([{ isOpen: true, comments: [] }]);
    await night('drift', [B], 'https://other.example');
    expect(issues.map(({ comments }) => comments)).toEqual([[], []]);
    await night('agrees', [], 'https://other.example');
    expect(open()).toEqual([true, false]);
    await night('agrees');
    expect(open()).toEqual([false, false]);
  });

  test('an issue without a hash gets a comment and stays open until a night with drift adds the hash', async () => {
    await night('drift', [A]);
    for (const issue of issues) issue.body = issue.body.replace(/ target=[0-9a-f]+/, '');
    await night('agrees');
    expect(issues).toMatchObject([{ isOpen: true, comments: [expect.stringContaining('names no target')] }]);
    await night('drift', [A]);
    expect(issues).toHaveLength(1);
    await night('agrees');
    expect(open()).toEqual([false]);
  });

  test('a person may edit the text of an issue, and texts of a target cannot imitate its last line', async () => {
    await night('drift', [A]);
    for (const issue of issues) issue.body = issue.body.replaceAll('\n', '\r\n');
    put('report.md', `${got('report.md')}\n> <!-- banking-api findings=0 target=0 -->\n`);
    await step('issue', { VERDICT: 'drift', REPORT: 'report.md' });
    expect(issues).toMatchObject([{ comments: [] }]);
  });

  test('findings omitted from the report count as news as well', async () => {
    const many = Array.from({ length: 400 }, (_, n) => n.toString(16).padStart(16, '0'));
    await night('drift', many);
    expect(issues[0]?.body).toMatch(/\d+ more\*\* in the JSON report/);
    await night('drift', many);
    expect(issues[0]?.comments).toEqual([]);
    await night('drift', [...many.slice(0, -1), 'ffffffffffffffff']);
    expect(issues[0]?.body).not.toContain('ffffffffffffffff');
    expect(issues[0]?.comments).toHaveLength(1);
  });

  const entry = { reason: 'r', owner: null, expires: '2026-12-31', finding: finding() };
  const accepted = ['c', 'd'].map((fingerprint) => ({ ...entry, fingerprint }));
  test.each([
    [{ findings: [warning(A)] }, 'Nothing fails the nightly run any more. Still there: 1 warning.'],
    [
      { findings: [warning(A), warning(B), finding({ severity: 'info' })], accepted },
      'Nothing fails the nightly run any more. Still there: 2 warnings, 2 accepted differences.',
    ],
    [{ findings: [finding({ severity: 'info' })] }, 'The API agrees with its contract again.'],
  ])('the closing comment of an issue lists the remaining entries (%#)', async (over, comment) => {
    await nightOf('drift', { findings: [finding()] });
    await nightOf('agrees', over, '');
    expect(issues).toMatchObject([{ isOpen: false, comments: [comment] }]);
  });

  test.each(['inconclusive', 'interrupted', ''])('a night that was %j changes nothing', async (verdict) => {
    expect((await night(verdict)).out).toContain('the issue stays as it is');
    expect(calls).toEqual([]);
  });

  test('a failure of gh or a missing report fails the step, and opens no empty issue', async () => {
    await expect(step('issue', { VERDICT: 'drift', REPORT: 'none.md' })).rejects.toThrow('none.md');
    expect(calls).toEqual([]);
    run = () => expect.fail('HTTP 502');
    await expect(night('drift', [A])).rejects.toThrow('HTTP 502');
  });
});

describe('the step verify', POSIX, () => {
  async function verify(
    exit: number,
    env: Env = {},
    checks: Parameters<typeof report>[0] | null = {
      checks: [check({ outcome: 'inconclusive', reason: '100% of it\nanswers 503' }), check()],
    },
  ) {
    rmSync(join(cwd, 'outputs'), { force: true });
    put('made.json', JSON.stringify(report(checks ?? {})));
    const write = checks === null ? ':' : 'cp made.json banking-api-reports/report.json';
    put('bin/banking-api', `#!/bin/sh\nprintf '%s\\n' "$@" >args\n${write}\necho '  + GET /a' >&2\nexit ${exit}\n`);
    chmodSync(join(cwd, 'bin/banking-api'), 0o755);
    const PATH = join(cwd, 'bin') + delimiter + process.env.PATH;
    const ended = await step('verify', { PATH, GITHUB_OUTPUT: join(cwd, 'outputs'), ...env });
    return { ...ended, args: got('args').trim().split('\n'), outputs: got('outputs') };
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
  ])('exit code %i is kept and gives the verdict %j', async (code, verdict) => {
    const outputs = `verdict=${verdict}\nexit-code=${code}\nreports=banking-api-reports\n`;
    expect(await verify(code, { INPUT_FAIL: 'True' })).toMatchObject({ code, outputs, out: '' });
    for (const INPUT_FAIL of ['false', 'False']) expect(await verify(code, { INPUT_FAIL })).toMatchObject({ code: 0 });
  });

  test('the messages of verify stay on stderr and are kept for the list of new shapes', async () => {
    await verify(0);
    expect(vi.mocked(process.stderr.write).mock.calls.flat().join('')).toBe('  + GET /a\n');
    expect(got('banking-api-reports/verify.log')).toBe('  + GET /a\n');
  });

  test.each([0, 1, 4, 5])('D1: exit code %i without a report is no verdict', async (code) => {
    put('banking-api-reports/report.json', 'of yesterday');
    expect(await verify(code, {}, null)).toMatchObject({ code: 70, outputs: expect.stringContaining('verdict=\n') });
  });

  test('a command that is not installed is no verdict', async () => {
    expect(await step('verify', { PATH: cwd, GITHUB_ACTIONS: 'true' })).toEqual({
      code: 127,
      out: '::error title=Not run::Nothing was judged (exit 127); the log says why.\n',
    });
  });

  const skipped = { checks: [check({ outcome: 'skipped', reason: 'no credentials: set them' })] };
  test.each([
    [1, '::error title=Drift::', undefined],
    [4, '::warning title=Inconclusive::1 check: 100%25 of it answers 503\n', undefined],
    [4, '::warning title=Inconclusive::1 check: no credentials: set them\n', skipped],
    [5, '::warning title=Stale baseline::', undefined],
    [2, '::error title=Not run::', undefined],
  ])('in GitHub Actions exit code %i prints its own annotation: %s', async (code, words, checks) => {
    expect((await verify(code, { GITHUB_ACTIONS: 'true' }, checks)).out).toContain(words);
  });

  test('inputs become flags, one argument each, and nothing else', async () => {
    const { args } = await verify(0, {
      INPUT_TARGET: 'https://x.example/a b;touch pwned',
      INPUT_OVERLAYS: 'a.yaml\r\n\n  # of the tenant\n  $(touch pwned).yaml\n\tb#1.yaml  # recorded\n',
      INPUT_PROBE: 'True',
      INPUT_BASELINE: '--plan',
      INPUT_FAIL_ON: 'info',
      INPUT_JOURNAL: 'true',
      INPUT_ARGS: '  --require-coverage\n# a floor\nfields=60%\n',
    });
    expect(args.slice(0, 10)).toEqual([
      ...['verify', '--target=https://x.example/a b;touch pwned', '--baseline=--plan', '--fail-on=info'],
      ...['--journal=banking-api-reports/journal.ndjson', '--probe', '--overlay=a.yaml'],
      ...['--overlay=$(touch pwned).yaml', '--overlay=b#1.yaml', '--require-coverage'],
    ]);
    const files = ['json=R/report.json', 'markdown=R/report.md', 'html=R/report.html', 'sarif=R/report.sarif'];
    expect(args.slice(10)).toEqual([
      ...['fields=60%', '--report=github'],
      ...[...files, 'junit=R/junit.xml'].map((file) => `--report=${file.replace('R', 'banking-api-reports')}`),
    ]);
    expect(existsSync(join(cwd, 'pwned'))).toBe(false);
  });
});

test.each([
  ['banking-api.config.yaml', 'environment: ACME\ncredentials: { username: env:WHO, password: env:NIGHT_KEY }\n'],
  ['other.yaml', '{ "environment": "ACME", "headers": { "x": "env:WHO", "y": "env:NIGHT_KEY" } }'],
])('the installation does not get the variables that %s names, but the proxy', async (name, text) => {
  put(name, `${text}# network: { proxy: env:HTTPS_PROXY }\n`);
  put('package-lock.json', '{ "packages": { "node_modules/banking-api-contract": {} } }');
  const seen: (Env | undefined)[] = [];
  run = (_command, _args, { env } = {}) => {
    seen.push(env);
    return '';
  };
  const secrets = { ACME_TOKEN: 's', ACME_PASSWORD: 's', WHO: 's', NIGHT_KEY: 's', BANKING_API_TOKEN: 's' };
  const kept = { INPUT_CONFIG: name, HTTPS_PROXY: 'p', NODE_AUTH_TOKEN: 'n', ACMEX: 'a' };
  await step('install', { ...secrets, ...kept });
  expect(seen).toEqual([kept]);
});

test.each([
  ['the lock file of the project', '{ "packages": { "node_modules/banking-api-contract": {} } }', ['ci']],
  ['the lock file of the action', '{ "packages": {} }', ['ci --prefix', 'install --prefix']],
])('the installation runs no scripts, sees no credentials, and uses %s', async (_, lock, commands) => {
  put('package-lock.json', lock);
  const calls: [string, Env | undefined][] = [];
  run = (command, args, { env } = {}) => {
    calls.push([[command, ...args].join(' '), env]);
    return 'added 1 package';
  };
  const names = ['BANKING_API_USERNAME', 'BANKING_API_PASSWORD', 'BANKING_API_WEBHOOK'];
  const secrets = Object.fromEntries(names.map((name) => [name, 'planted-SECRET']));
  const { out } = await step('install', { ...secrets, RUNNER_TEMP: cwd, GITHUB_PATH: join(cwd, 'path'), A: 'a' });
  expect(out).toBe(got('path'));
  expect(calls.map(([call]) => commands.some((start) => call.startsWith(`npm ${start}`)))).toEqual(
    commands.map(() => true),
  );
  for (const [call, env] of calls) {
    expect(call).toContain('--ignore-scripts');
    expect(env).toEqual({ RUNNER_TEMP: cwd, GITHUB_PATH: join(cwd, 'path'), A: 'a' });
  }
  if (commands.length === 1) return;
  expect(calls[1]?.[0]).toContain(` banking-api-contract@${VERSION} `);
  expect(existsSync(join(out.trim(), '../../package-lock.json'))).toBe(true);
});

test.each([
  ['the lock file of the project names it: nothing', '{ "packages": { "node_modules/banking-api-contract": {} } }', []],
  ['otherwise: itself, without a registry', '{ "packages": {} }', ['ci', 'install --install-links']],
])('an installed package installs, if %s', async (_, lock, commands) => {
  put('package-lock.json', lock);
  const home = 'node_modules/banking-api-contract';
  put(`${home}/ci/pipeline.mjs`, readFileSync(join(packageRoot, 'ci/pipeline.mjs'), 'utf8'));
  put(`${home}/package.json`, JSON.stringify({ version: '0.0.0' }));
  put(`${home}/generated/engines/package-lock.json`, '{}');
  const installed = (await import(join(cwd, home, 'ci/pipeline.mjs'))) as { STEPS: Readonly<Record<string, Step>> };
  const calls: string[] = [];
  run = (_command, args) => {
    calls.push(args.filter((arg, index) => arg !== '--prefix' && args[index - 1] !== '--prefix').join(' '));
    return '';
  };
  await installed.STEPS.install?.({ env: { RUNNER_TEMP: cwd }, cwd, run, print: () => {} });
  expect(calls.map((call, index) => call.replace(' --no-save', '').startsWith(commands[index] ?? '?'))).toEqual(
    commands.map(() => true),
  );
  if (commands.length > 0) expect(calls[1]).toContain(join(cwd, home));
});

test('the steps read every input of the action, and no other', async () => {
  const action = readFileSync(join(packageRoot, 'action.yml'), 'utf8');
  const names = Object.keys(parse(action).inputs).map((name) => `INPUT_${name.toUpperCase().replaceAll('-', '_')}`);
  for (const name of names) expect(action).toContain(`${name}: \${{ inputs.`);
  const used = new Set<string>();
  const get = (all: Env, name: string): string | undefined => {
    if (name.startsWith('INPUT_')) used.add(name);
    return all[name];
  };
  run = () => '';
  for (const name of ['install', 'verify']) await step(name, new Proxy<Env>({ PATH: cwd, RUNNER_TEMP: cwd }, { get }));
  expect([...used].sort()).toEqual(names.sort());
});

describe('the end of a job', () => {
  const endOf = async (CODE: string, open: number, env: Env = {}): Promise<unknown> => {
    const nights = Array.from({ length: open }, (_, index) => [`2026-11-2${index}T02:17`, 'inconclusive']);
    // the second run of a night counts, not the first
    keepNights({ '2026-11-19T02:17': 'inconclusive', '2026-11-19T03:17': 'agrees', ...Object.fromEntries(nights) });
    return (await step('end', { CODE, NIGHTS: '3', ...env })).code;
  };

  test.each([
    ['4', 2, 0, 4],
    ['4', 3, 4, 44],
    ['1', 3, 1, 1],
    ['5', 0, 5, 5],
    ['', 1, 70, 70],
  ])(
    'after exit code %j and %i nights without a verdict, the job of GitHub exits with %i, of GitLab with %i',
    async (CODE, open, github, gitlab) => {
      expect(await endOf(CODE, open)).toBe(github);
      put('banking-api-reports/codequality.json', '[]');
      expect(await endOf(CODE, open, { GITLAB_CI: 'true' })).toBe(gitlab);
    },
  );

  test('a night without a verdict and without a history is the first', async () => {
    expect((await step('end', { CODE: '4', NIGHTS: '3' })).out).toContain('::1 of 3 nights in a row');
  });

  test("an outage keeps the last night's findings in GitLab's code quality report", async () => {
    keepNights({ '2026-11-19T03:17': 'agrees' });
    for (const [code, text, kept] of [
      ['1', '[1]', '[1]'],
      ['4', '[]', '[1]'],
      ['0', '[]', '[]'],
      ['4', '[2]', '[]'],
    ] as const) {
      put('banking-api-reports/codequality.json', text);
      await step('end', { CODE: code, NIGHTS: '9', GITLAB_CI: 'true' });
      expect(got('banking-api-reports/codequality.json')).toBe(kept);
    }
  });
});

test('the webhook message is the first sentence of the report and a link to the run, and its URL is masked', async () => {
  const bodies: unknown[] = [];
  let status = 200;
  await using hook = await serveOnLoopback(({ method, headers, body }, response) => {
    bodies.push([method, headers['content-type'], JSON.parse(body)]);
    response.writeHead(status).end();
  });
  const url = `${hook.url}/planted-SECRET`;
  put('banking-api-reports/report.json', '{}');
  run = (command, args) => {
    expect([command, ...args]).toEqual([
      'banking-api',
      'report',
      'gitlab',
      join(cwd, 'banking-api-reports/report.json'),
    ]);
    return JSON.stringify([{ description: 'DRIFT: 1 error.' }]);
  };
  const notify = async (to: string) => {
    const { code, out } = await step('notify', {
      BANKING_API_WEBHOOK: to,
      RUN_URL: 'https://ci/1',
      GITHUB_ACTIONS: '1',
    });
    expect([code, out.startsWith(`::add-mask::${to}\n`), out.split(to).length]).toEqual([0, true, 2]);
    return out.split('\n')[1];
  };
  expect(await notify(url)).toBe('');
  expect(bodies).toEqual([['POST', 'application/json', { text: 'DRIFT: 1 error. https://ci/1' }]]);
  status = 404;
  expect(await notify(url)).toMatch(/^::warning/);
  expect(await notify('http://127.0.0.1:9/planted-SECRET')).toMatch(/^::warning/);
  expect(await step('notify')).toEqual({ code: 0, out: '' });
});

describe('the pull request with learned shapes', POSIX, () => {
  const git = (...args: readonly string[]): string => spawnSync('git', args, { cwd, encoding: 'utf8' }).stdout;
  const commit = (): string => git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '-am', 'C');
  const shown = (branch: string): string => git('--git-dir=remote.git', 'show', `${branch}:r.yaml`).trim();
  /** Each request to GitHub: `create` or `edit`, its branch and its text. */
  let pulls: [what: string, branch: string, body: string][];
  beforeEach(() => {
    git('init', '--quiet', '--initial-branch=main');
    git('init', '--quiet', '--bare', 'remote.git');
    git('remote', 'add', 'origin', join(cwd, 'remote.git'));
    put('r.yaml', 'old\n');
    git('add', 'r.yaml');
    commit();
    pulls = [];
    run = (name, [topic = '', what = '', ...args], { input = '' } = {}) => {
      if (name === 'git') return git(topic, what, ...args);
      const branch = args[0] === '--head' ? (args[1] ?? '') : (args[0] ?? '');
      // each branch with a pull request has an open one
      if (what === 'list') return JSON.stringify(pulls.filter(([, of]) => of === branch));
      pulls.push([what, branch, input]);
      return '';
    };
  });

  /** One night: it continues the open pull request, verify learns, and the shapes are proposed. */
  async function night(shape: string): Promise<string> {
    git('switch', '--quiet', 'main');
    rmSync(join(cwd, 'r.yaml.new'), { force: true });
    await step('learned', { INPUT_LEARN: 'r.yaml' }, 'start');
    const before = existsSync(join(cwd, 'r.yaml.new')) ? got('r.yaml.new') : 'old\n';
    if (!before.includes(shape)) put('r.yaml.new', `${before}${shape}\n`);
    const log = `Target: …\nLearned into r.yaml.new:\n  + GET /a 200 /${shape}: string\n  ~ GET /a 200 /x: \`y\`\n`;
    put('banking-api-reports/verify.log', log);
    return (await step('learned', { INPUT_LEARN: 'r.yaml', RUN_URL: 'https://ci/1' })).out.trim();
  }

  test('nothing happens without a recording, or if nothing was learned', async () => {
    run = () => expect.fail('no command is needed');
    expect(await step('learned')).toEqual({ code: 0, out: '' });
    expect(await step('learned', { INPUT_LEARN: 'r.yaml' })).toEqual({ code: 0, out: '' });
  });

  test('the shapes of all nights become one pull request, which lists each of them', async () => {
    await night('one');
    await night('two');
    expect(shown('banking-api-learned')).toBe('old\none\ntwo');
    const body = 'lacks. https://ci/1\n\n```\n+ GET /a 200 /two: string\n~ GET /a 200 /x: y\n```\n';
    expect(pulls).toEqual([
      ['create', 'banking-api-learned', expect.any(String)],
      ['edit', 'banking-api-learned', expect.stringContaining(body)],
    ]);
    expect(await night('two')).toBe('The pull request is up to date.');
    expect(pulls).toHaveLength(2);
  });

  test("a branch with someone else's last commit is neither continued nor overwritten", async () => {
    await night('one');
    put('r.yaml', 'mine\n');
    commit();
    git('push', '--quiet', 'origin', 'banking-api-learned');
    await night('two');
    expect([shown('banking-api-learned'), shown('banking-api-learned-2')]).toEqual(['mine', 'old\ntwo']);
    await night('three');
    expect(shown('banking-api-learned-2')).toBe('old\ntwo\nthree');
  });

  test('the shapes of a closed pull request do not return', async () => {
    await night('one');
    pulls = [];
    await night('two');
    expect(shown('banking-api-learned')).toBe('old\ntwo');
    expect(pulls.map(([what, branch]) => [what, branch])).toEqual([['create', 'banking-api-learned']]);
  });
});
