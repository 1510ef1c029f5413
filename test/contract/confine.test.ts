import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { loadConfig } from '../../src/config/config.ts';
import { loadContract } from '../../src/contract/load.ts';
import { readContractFolder } from '../../src/contract/read-folder.ts';
import { readableBelow } from '../../src/files/containment.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import { fakeIo } from '../cli/io.ts';
import { LINUX, POSIX } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SECRET = 'a-password-that-nobody-may-read';

/** A user's folder that contains a foreign contract folder and a secret. */
let home: string;
let dir: string;
beforeEach(async () => {
  home = await temporaryFolder();
  dir = join(home, 'handed');
  await mkdir(join(dir, 'spec'), { recursive: true });
  await writeFile(join(home, 'secret.yaml'), `type: string\ndescription: ${SECRET}\n`);
  await writeFile(join(dir, 'contract.yaml'), 'contract: 1\nname: handed\n');
  await specWith('string.yaml');
  await writeFile(join(dir, 'spec/string.yaml'), 'type: string\n');
});

test('code of a folder does not run if its root is the root of the file system', async () => {
  await expect(readableBelow('/')).rejects.toMatchObject({
    code: 'config',
    hint: expect.stringMatching(/contractRoot/),
  });
  await expect(readableBelow(join(home, 'missing'))).rejects.toMatchObject({ code: 'file-missing' });
});

async function specWith(reference: string): Promise<void> {
  const schema = JSON.stringify({ $ref: reference });
  const answer = `{ '200': { description: D, content: { application/json: { schema: ${schema} } } } }`;
  await writeFile(
    join(dir, 'spec/openapi.yaml'),
    `openapi: 3.1.1\ninfo: { title: T, version: '1' }\npaths:\n  /weather:\n    get: { operationId: readWeather, security: [], responses: ${answer} }\n`,
  );
}

async function spec(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const io = fakeIo({ cwd: home, env: { BANKING_API_PASSWORD: SECRET } });
  return { code: await run(['spec', '--contract', 'handed', ...argv], io), out: io.out(), err: io.err() };
}

describe('F1: a contract folder cannot refer to files outside itself', () => {
  test.each(['/proc/self/environ', '../../secret.yaml', 'link.yaml', 'folder/secret.yaml', '%2e%2e/../secret.yaml'])(
    'a $ref to %s is rejected with its place',
    LINUX,
    async (reference) => {
      await symlink(join(home, 'secret.yaml'), join(dir, 'spec/link.yaml'));
      await symlink(home, join(dir, 'spec/folder'));
      await specWith(reference);
      const { code, out, err } = await spec();
      expect({ code, out }).toEqual({ code: 3, out: '' });
      expect(err).toContain('spec/openapi.yaml:5:137 (at /paths/~1weather/get/responses/200/content/');
      expect(err).toContain('contractRoot in the configuration');
      expect(err).not.toContain(SECRET);
    },
  );

  test.each(['file:///proc/self/environ', 'https://127.0.0.1:1/x.yaml'])('a $ref to %s is not read', async (url) => {
    await specWith(url);
    const { code, out, err } = await spec();
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringContaining(`${url} is not judged: it names no schema`),
    });
    expect(out).not.toMatch(/\$ref|a-password/);
  });

  test.each(['spec', 'assumptions', 'entities', 'seed', 'profiles', 'scenarios', 'hooks', 'suite'])(
    'the part %s must lie inside the folder',
    async (part) => {
      await writeFile(join(dir, 'contract.yaml'), `contract: 1\nname: handed\n${part}: ../secret.yaml\n`);
      const { code, err } = await spec();
      expect({ code, named: err.includes('secret.yaml: The file lies outside') }).toEqual({ code: 3, named: true });
    },
  );

  test.each([
    'contract.yaml',
    'spec/ruleset.yaml',
    'mocks/seed.yaml',
    'mocks/profiles/a.yaml',
    'contracts/a.contract.js',
  ])('the link %s must not lead out of the folder', POSIX, async (file) => {
    await mkdir(join(dir, file, '..'), { recursive: true });
    await rm(join(dir, file), { force: true });
    await symlink(join(home, 'secret.yaml'), join(dir, file));
    expect((await spec()).code).toBe(3);
  });

  test('a file that is replaced by a link is not served by a watching mock', POSIX, async () => {
    await using mock = await startMock({ listen: false, folder: await readContractFolder(dir) });
    await rm(join(dir, 'spec/string.yaml'));
    await symlink(join(home, 'secret.yaml'), join(dir, 'spec/string.yaml'));
    expect((await mock.reload()).problem?.description).toContain('lies outside');
    expect(await (await mock.fetch('/__mock/contract.json')).text()).not.toContain(SECRET);
  });

  test('a ruleset of the folder cannot extend outside files or contain code', async () => {
    const lint = async (ruleset: string) => {
      await writeFile(join(dir, 'spec/ruleset.yaml'), ruleset);
      const io = fakeIo({ cwd: home });
      return { code: await run(['lint', '--contract', 'handed'], io), err: io.err() };
    };
    await writeFile(join(dir, 'spec/functions.js'), 'throw new Error("it ran")');
    for (const name of [
      '../../secret.yaml',
      '/proc/self/environ',
      './functions.js',
      'a-package',
      'https://127.0.0.1:1/',
    ]) {
      const { code, err } = await lint(JSON.stringify({ extends: [[name, 'all']] }));
      expect({ name, code }).toEqual({ name, code: 3 });
      expect(err).not.toMatch(/it ran|a-password/);
    }
    expect((await lint('functions: [functions]\nfunctionsDir: .\nrules: {}\n')).code).toBe(3);
    expect((await lint('<<: { functions: [functions], functionsDir: . }\nrules: {}\n')).code).toBe(3);
    await writeFile(join(dir, 'spec/more.yaml'), 'extends: spectral:oas\n');
    expect((await lint('extends: ./more.yaml\n')).code).toBe(1);
  });
});

test("F1: contractRoot in the user's config widens the permitted folder", async () => {
  await specWith('../../secret.yaml');
  await writeFile(join(home, 'banking-api.config.yaml'), 'contract: handed\ncontractRoot: .\n');
  expect(await spec()).toMatchObject({ code: 0, out: expect.stringContaining(SECRET) });
  const { folder } = await loadConfig({ cwd: home, env: {}, flags: { target: 'mock' } });
  expect(JSON.stringify((await loadContract({ folder })).document)).toContain(SECRET);
  await writeFile(join(home, 'banking-api.config.yaml'), 'contract: handed\ncontractRoot: handed/spec\n');
  expect(await spec()).toMatchObject({ code: 3, err: expect.stringContaining('contract.yaml: The file lies outside') });
});
