import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeIo } from './io.ts';

const SECRET = 'planted-secret-4711';

/** What commands that read no configuration print about a missing file whose name holds a secret. */
async function printed(config: string, env: Record<string, string>): Promise<string> {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'banking-api.config.yaml'), config);
  const texts = [];
  for (const argv of [
    ['report', 'text', `${SECRET}.json`],
    ['accept', `${SECRET}.json`, '--reason', 'x', '--expires', '2099-01-01'],
    ['diff', `${SECRET}.json`, `${SECRET}.json`],
    ['audit', `${SECRET}.json`],
    ['mock', '--overlay', `${SECRET}.json`, '--port', '0'],
  ]) {
    const io = fakeIo({ cwd, env });
    expect(await run(argv, io), argv.join(' ')).not.toBe(0);
    texts.push(io.out(), io.err());
  }
  return texts.join('');
}

test.each([
  ['environment: ACME\n', { ACME_PASSWORD: SECRET }],
  ['environment: ACME\n', { ACME_TOKEN: SECRET }],
  ['credentials: { username: env:WHO, password: env:KEY_OF_NIGHT }\n', { WHO: 'joe', KEY_OF_NIGHT: SECRET }],
  ['headers: { X-Key: env:KEY_OF_NIGHT }\n', { KEY_OF_NIGHT: SECRET }],
  ['{}', { BANKING_API_TOKEN: SECRET }],
])('no command prints the value of a variable in use: %j %j', async (config, env) => {
  const text = await printed(config, env);
  expect(text).toContain('[redacted');
  expect(text).not.toContain(SECRET);
});

test.each([
  ['credentials: { username: env:WHO, password: env:KEY }\n', { WHO: SECRET, KEY: 'another-secret' }],
  ['a: [broken\n', { ACME_TOKEN: SECRET }],
])('a value that is no secret stays readable: %j %j', async (config, env) => {
  expect(await printed(config, env)).toContain(SECRET);
});
