import { execFileSync } from 'node:child_process';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { readContractFolder } from '../../../src/contract/folder.ts';
import { startMock } from '../../../src/mock/start-mock.ts';
import { packageRoot } from '../../../src/package-root.ts';
import { FOLDER } from '../../second-api/pigeons.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const GUARD = 'export const ringBeforeFlight = ({ named }) => named("pigeonRef")?.ringNumber !== undefined;\n';

/** Sends a letter overseas to a mock whose hooks are the given text, with the declared value that decides what they do. */
async function letters(hooks: string) {
  const dir = await temporaryFolder();
  await cp(FOLDER, dir, { recursive: true });
  await writeFile(join(dir, 'mocks/hooks/letters.js'), GUARD + hooks);
  const mock = await startMock({ folder: await readContractFolder(dir) });
  const token = await mock.fetch('/oauth2/token', {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'sandbox',
      client_secret: 'sandbox-secret',
    }),
  });
  const { access_token } = (await token.json()) as { access_token: string };
  const send = async (declaredValue: number) => {
    const response = await mock.fetch('/v2/letters', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${access_token}`,
        'content-type': 'application/json',
        'x-post-office': 'gotland',
      },
      body: JSON.stringify({ pigeonRef: 'pigeon-ada', addressee: 'Ann', service: 'OVERSEAS', declaredValue }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return { send, [Symbol.asyncDispose]: () => mock[Symbol.asyncDispose]() };
}

test('F4: a hook of a foreign folder sees no variable of the environment, and gets its input', async () => {
  vi.stubEnv('BANKING_API_PASSWORD', 'a-secret-of-the-keeper');
  await using mock =
    await letters(`export const seaRoute = ({ record, random, listed, decimals, now }) => JSON.stringify(
    [Object.keys(process.env), record.addressee, random.hex(4).length, listed('pigeon').length > 1, decimals('SEK'), typeof now]);`);
  const { status, body } = await mock.send(7);
  expect([status, body.seaRoute]).toEqual([201, JSON.stringify([[], 'Ann', 4, true, 2, 'number'])]);
});

test('F4: an endless loop in a hook of a foreign folder ends after a second, and the mock serves on', async () => {
  await using mock = await letters(`export function seaRoute({ record }) {
  if (record.declaredValue === 9) throw new Error('no ship');
  while (record.declaredValue === 8);
  return 'Kalmar Strait';
}`);
  expect(await mock.send(8)).toMatchObject({
    status: 501,
    body: { detail: 'The hook seaRoute did not end within 1000 ms.' },
  });
  await vi.waitFor(async () => expect(await mock.send(7)).toMatchObject({ status: 201 }), 10_000);
  expect(await mock.send(9)).toMatchObject({ status: 501, body: { detail: 'The hook seaRoute failed: no ship.' } });
});

test('a process that loaded hooks of a foreign folder ends by itself', () => {
  const module = join(packageRoot, 'src/mock/tenant/foreign-hooks.ts');
  const script = `import { foreignHooks } from ${JSON.stringify(module)};
console.log(Object.keys(await foreignHooks([${JSON.stringify(join(FOLDER, 'mocks/hooks/letters.js'))}])));`;
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', script], { timeout: 15_000 });
  expect(String(out)).toBe("[ 'ringBeforeFlight', 'seaRoute' ]\n");
});
