import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { CREDENTIALS, json, PARAMETERS, startSandbox } from '../run/sandbox.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { command, listening } from './command.ts';

const CARD_PATH = '/wallet/api/customers/c-1/cards/k-4';
const env = { BANKING_API_USERNAME: CREDENTIALS.username, BANKING_API_PASSWORD: CREDENTIALS.password };

let cwd: string;
beforeEach(async () => {
  cwd = await temporaryFolder();
  await writeFile(join(cwd, 'c.yaml'), `parameters: ${JSON.stringify(PARAMETERS)}\nlimits: { backoff: 5 }\n`);
});

/** A sandbox whose card fails at the first request with a token. */
async function startUnsteady() {
  let isFirst = true;
  const sandbox = await startSandbox({
    fault({ path, authorization }, response) {
      if (path !== CARD_PATH || !authorization.startsWith('Bearer ey') || !isFirst) return false;
      isFirst = false;
      return json(response, 503, {});
    },
  });
  onTestFinished(() => sandbox[Symbol.asyncDispose]());
  return sandbox;
}

const CARD_LINE = new RegExp(`^#\\d+ GET ${CARD_PATH} -> 200, \\d+ ms`, 'm');

test.each([['verify'], ['record', '--out', 'r.yaml', '--samples', '1']])(
  '%s --verbose prints each attempt after the target, and why a request was sent again',
  async (...argv) => {
    const { url, tokens } = await startUnsteady();
    const { err } = await command([...argv, '--target', url, '--config', 'c.yaml', '--verbose'], { cwd, env });
    expect(err.split('\n', 1)[0]).toContain(`Target: ${url}`);
    expect(err).toMatch(/^#1 POST \/iam\/oauth\/token -> 200, \d+ ms$/m);
    expect(err).toMatch(new RegExp(`^#\\d+ GET ${CARD_PATH} -> 503, \\d+ ms$`, 'm'));
    expect(err).toMatch(new RegExp(`${CARD_LINE.source}, sent again after: 503$`, 'm'));
    for (const secret of [CREDENTIALS.password, ...tokens]) expect(err).not.toContain(secret);
  },
);

test('mock --verbose prints requests and their answers, and masks secrets in queries', async () => {
  await using mock = await listening(['mock', '--any-token', '--verbose'], { cwd });
  await fetch(`${mock.url}/wallet/api/customers/c-1/cards/k-4?password=planted-secret`);
  const { err } = await mock.end();
  expect(err).toMatch(new RegExp(`^#1 GET ${CARD_PATH}\\?password=\\S+ -> 401, \\d+ ms$`, 'm'));
  expect(err).not.toContain('planted-secret');
});

test('proxy --verbose prints requests that have an answer and those that have none', async () => {
  const target = await startSandbox();
  await using proxy = await listening(['proxy', '--target', target.url, '--verbose'], { cwd });
  await fetch(`${proxy.url}${CARD_PATH}`);
  await target[Symbol.asyncDispose]();
  await fetch(`${proxy.url}${CARD_PATH}`);
  const { err } = await proxy.end();
  expect(err).toMatch(new RegExp(`^#1 GET ${CARD_PATH} -> 401, \\d+ ms$`, 'm'));
  expect(err).toMatch(new RegExp(`^#2 GET ${CARD_PATH} -> (?!\\d)[^,]+, \\d+ ms$`, 'm'));
});

test('audit --drive --verbose prints the requests of the program with their situation', async () => {
  const program = `fetch(process.env.BANKING_API_BASE_URL + '${CARD_PATH}').then((answer) => answer.text())`;
  const drive = ['audit', '--drive', '--verbose', '--', process.execPath, '--eval', program];
  const { err } = await command(drive, { cwd, env: { PATH: process.env.PATH } });
  expect(err).toMatch(new RegExp(`^ {2}[a-z-]+ #\\d+ GET ${CARD_PATH} -> 401, \\d+ ms$`, 'm'));
  const recorded = await command(['audit', 'journal.ndjson', '--verbose'], { cwd });
  expect([recorded.code, recorded.err]).toEqual([2, expect.stringContaining('--verbose needs --drive.')]);
});
