import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installPacked, linkFromClone, type Project } from '../../package/installed.ts';
import { describeWith } from '../../support/needs.ts';

const CONFIG = `import { defineConfig } from '@playwright/test';
export default defineConfig({
  testDir: '.',
  workers: 2,
  fullyParallel: true,
  reporter: 'json',
  use: { launchOptions: { executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] } },
});
`;

const SPEC = `import { expect } from '@playwright/test';
import { mockTest } from 'banking-api-contract/playwright';

const CARD = '/wallet/api/customers/cust-1001/cards/card-4001';
const test = mockTest({ anyToken: true, allowedOrigins: ['https://app.example'] });

test.beforeEach(async ({ page, mock }) => {
  // the frontend is built for the bank's address, which leads to the mock of this worker
  await page.route('https://bank.example/**', async (route) => {
    const { pathname, search } = new URL(route.request().url());
    await route.fulfill({ response: await route.fetch({ url: mock.url + pathname + search }) });
  });
  await page.route('https://app.example/', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>app</title>' }));
  await page.goto('https://app.example/');
});

for (const name of ['one', 'two', 'three'])
  test('starts anew: ' + name, async ({ page, mock }, info) => {
    expect(mock.journal.entries()).toEqual([]);
    expect(mock.clock.moved).toBe(false);
    mock.clock.advance(3600);
    await mock.scenario('rate-limited-always');
    const answer = await mock.fetch(CARD, { headers: { authorization: 'Bearer any' } });
    expect(answer.status).toBe(429);
    expect(mock.journal.entries()).toHaveLength(1);
    info.annotations.push({ type: 'mock', description: info.workerIndex + ' ' + mock.url });
  });

test('a page is answered', async ({ page, mock }) => {
  const seen = await page.evaluate(async (url) => {
    const response = await fetch(url, { headers: { authorization: 'Bearer any' } });
    return [response.status, (await response.json()).cardId];
  }, 'https://bank.example' + CARD);
  expect(seen).toEqual([200, 'card-4001']);
  expect(mock.journal.entries({ operationId: 'getCard' })).toHaveLength(1);
});

test('fails, with its journal', async ({ mock }) => {
  test.skip(process.env.FAIL !== '1');
  await mock.fetch('/nowhere', { headers: { authorization: 'Bearer hunter2-token' } });
  expect(1).toBe(2);
});

test('asks for no mock', async () => {});
`;

interface Ran {
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly skipped: number };
  readonly suites: readonly {
    readonly specs: readonly {
      readonly title: string;
      readonly tests: readonly {
        readonly annotations: readonly { readonly type: string; readonly description?: string }[];
        readonly results: readonly {
          readonly error?: { readonly message: string };
          readonly attachments: readonly { readonly name: string; readonly body?: string }[];
        }[];
      }[];
    }[];
  }[];
  readonly errors: readonly { readonly message: string }[];
}

describeWith('chromium', 'the fixture for Playwright in a fresh project, from the packed package', () => {
  let project: Project;
  beforeAll(async () => {
    project = await installPacked();
    for (const name of ['@playwright/test', 'playwright', 'playwright-core']) await linkFromClone(project.folder, name);
    await writeFile(join(project.folder, 'playwright.config.ts'), CONFIG);
    await writeFile(join(project.folder, 'cards.spec.ts'), SPEC);
  }, 120_000);
  afterAll(() => rm(project.folder, { recursive: true, force: true }));

  /** Runs the tests of the project with Playwright's own command. */
  async function run(env: Record<string, string> = {}): Promise<Ran> {
    const command = join(project.folder, 'node_modules/@playwright/test/cli.js');
    const { VITEST: _, NODE_OPTIONS: __, ...outer } = process.env;
    const options = { cwd: project.folder, env: { ...outer, ...env }, maxBuffer: 64 * 1024 * 1024 };
    const { stdout } = await promisify(execFile)(process.execPath, [command, 'test'], options).catch(
      (error: { stdout: string }) => error,
    );
    return JSON.parse(stdout) as Ran;
  }

  test.each(['module', 'commonjs'])(
    'the fixture gives each worker a mock and each test a fresh start, in a project of the type %s',
    async (type) => {
      await writeFile(join(project.folder, 'package.json'), JSON.stringify({ name: 'fresh', private: true, type }));
      const { stats, suites, errors } = await run();
      expect([errors, stats]).toEqual([[], expect.objectContaining({ expected: 5, unexpected: 0, skipped: 1 })]);
      const told = suites.flatMap(({ specs }) => specs.flatMap(({ tests }) => tests.flatMap((one) => one.annotations)));
      const pairs = new Set(
        told.filter(({ type: kind }) => kind === 'mock').map(({ description = '' }) => description),
      );
      const [workers, urls] = [0, 1].map((at) => new Set([...pairs].map((pair) => pair.split(' ')[at])));
      expect(urls?.size).toBe(workers?.size);
    },
    120_000,
  );

  test('the fixture attaches the exchanges to a failing test, without secrets', async () => {
    const { stats, suites } = await run({ FAIL: '1' });
    expect(stats).toMatchObject({ expected: 5, unexpected: 1 });
    const results = suites.flatMap(({ specs }) => specs.flatMap(({ tests }) => tests.flatMap((one) => one.results)));
    const attached = results.flatMap(({ attachments }) => attachments.filter(({ name }) => /journal/.test(name)));
    const [journal = ''] = attached.map(({ body = '' }) => Buffer.from(body, 'base64').toString());
    expect([attached.length, journal]).toEqual([1, expect.stringContaining('/nowhere')]);
    expect(journal).not.toContain('hunter2');
  }, 120_000);
});
