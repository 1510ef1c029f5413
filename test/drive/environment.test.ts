import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { programEnvironment } from '../../src/drive/environment.ts';
import { fakeIo } from '../cli/io.ts';

const ENV = {
  PATH: process.env.PATH ?? '',
  NPM_TOKEN: 't-1',
  db_password: 't-2',
  GITHUB_SHA: 't-3',
  AWS_REGION: 't-4',
  CI_JOB_ID: 't-5',
  API_KEY: 't-6',
  APP_CREDENTIALS: 't-7',
  CLIENT_SECRET: 't-8',
  BANKING_API_PASSWORD: 't-9',
  BANKING_API_TOKEN: 't-10',
  DATABASE_URL: 't-11',
  GH_PAT: 't-12',
  PGPASS: 't-13',
  MYSQL_PWD: 't-14',
  SLACK_WEBHOOK: 't-15',
  TEAMS_WEBHOOK_URL: 't-16',
  SENTRY_DSN: 't-17',
  npm_config__auth: 't-18',
  CACHE: 'redis://:t-19@cache:6379/0',
  KEYBOARD: 'x',
  COMPAT: 'x',
  PWD: '/x',
  HOME_PAGE: 'https://example.com:8443/x',
};

/** The variables that a program sees in its first situation, and what the command says of them. */
async function seenBy(argv: string[], given: Parameters<typeof fakeIo>[0]) {
  const stop = new AbortController();
  const io = fakeIo({ ...given, signal: stop.signal });
  const said: string[] = [];
  const write = (text: string): void => {
    said.push(text);
    // one situation is enough
    if (text.startsWith('  | {')) stop.abort();
  };
  await run(argv, Object.assign(io, { stderr: { write } }));
  const shown = said.find((text) => text.startsWith('  | {'))?.slice(4) ?? '{}';
  return { seen: JSON.parse(shown) as Record<string, string>, said };
}

test('F3: a driven program sees no credential of the environment', async () => {
  const show = 'console.log(JSON.stringify(process.env))';
  const argv = ['audit', '--drive', '--env', 'AWS_REGION', '--timeout', '20', '--', process.execPath, '-e', show];
  const { seen, said } = await seenBy(argv, { env: ENV });
  expect(seen).toMatchObject({
    KEYBOARD: 'x',
    COMPAT: 'x',
    HOME_PAGE: ENV.HOME_PAGE,
    AWS_REGION: 't-4',
    BANKING_API_USERNAME: expect.any(String),
  });
  expect(JSON.stringify(seen)).not.toMatch(/t-(?:[1235-9]|1\d)/);
  const told = said.filter((text) => text.startsWith('Not passed to the program: '));
  expect(told).toEqual([
    'Not passed to the program: API_KEY, APP_CREDENTIALS, BANKING_API_TOKEN, CACHE, CI_JOB_ID, CLIENT_SECRET, DATABASE_URL, GH_PAT, GITHUB_SHA, MYSQL_PWD, NPM_TOKEN, PGPASS, SENTRY_DSN, SLACK_WEBHOOK, TEAMS_WEBHOOK_URL, db_password, npm_config__auth. --env NAME passes one, --inherit-env all.\n',
  ]);
});

test('--inherit-env passes the whole environment', () => {
  expect(programEnvironment(ENV, Object.keys(ENV), { prefix: 'BANKING_API', named: [] })).toEqual({
    env: ENV,
    removed: [],
  });
});

test('a driven program sees no variable that the configuration names, and gets those of its prefix', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'prefix-'));
  await writeFile(
    join(cwd, 'banking-api.config.yaml'),
    'environment: ACME\ncredentials: { username: env:BANK_USER, password: env:BANK_PW }\nheaders: { X-Tenant: { value: env:TENANT } }\n',
  );
  const env = {
    PATH: ENV.PATH,
    BANK_USER: 'u',
    BANK_PW: 't-1',
    TENANT: 't-2',
    ACME_MODE: 't-3',
    ACME_PASSWORD: 't-4',
    BANKING_API_BASE_URL: 't-5',
  };
  const script = 'console.log(JSON.stringify(process.env)); fetch(process.env.ACME_BASE_URL)';
  const argv = ['survive', '--timeout', '20', '--', process.execPath, '-e', script];
  const { seen, said } = await seenBy(argv, { cwd, env });
  expect(
    Object.keys(seen)
      .filter((name) => /^(?:ACME|BANK)/.test(name))
      .sort(),
  ).toEqual([...['ACME_BASE_URL', 'ACME_PASSWORD', 'ACME_REQUESTS', 'ACME_SITUATION', 'ACME_USERNAME']]);
  expect(JSON.stringify(seen)).not.toMatch(/t-[1-5]/);
  expect(said).toContain(
    'Not passed to the program: ACME_MODE, BANKING_API_BASE_URL, BANK_PW, BANK_USER, TENANT. --env NAME passes one, --inherit-env all.\n',
  );
});
