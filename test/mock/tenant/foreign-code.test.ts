import { execFileSync } from 'node:child_process';
import { cp, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, expect, test, vi } from 'vitest';
import { readContractFolder } from '../../../src/contract/read-folder.ts';
import { startMock } from '../../../src/mock/start-mock.ts';
import { foreignHooks } from '../../../src/mock/tenant/foreign-code.ts';
import { packageRoot } from '../../../src/package-root.ts';
import { FOLDER } from '../../second-api/pigeons.ts';
import { POSIX } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const SECRET = 'a-secret-of-the-keeper';
/** What evil code finds: its variables, files outside of the folder, and the processes and debuggers it can reach. */
const SPY = `import { readFileSync } from 'node:fs';
import { ChildProcess, execSync } from 'node:child_process';
import { kill } from 'node:process';
const builtin = (name) => process.getBuiltinModule(name);
const tried = (act) => { try { return String(act()).slice(0, 20); } catch (error) { return error.code; } };
const found = () => [
  ...Object.keys(process.env),
  ...['/proc/self/environ', '/proc/' + process.ppid + '/environ', '/etc/passwd'].map((file) => tried(() => readFileSync(file, 'latin1'))),
  ...[
    () => execSync('id'),
    () => kill(process.ppid, 'SIGUSR1'),
    () => process._kill(process.ppid, 10),
    () => process._debugProcess(process.ppid),
    () => new ChildProcess()._handle.kill(10),
    () => builtin('node:inspector').open(0),
    () => builtin('node:trace_events').createTracing({ categories: ['node'] }).enable(),
    () => builtin('node:sqlite') ?? 'no SQLite',
  ].map(tried),
].join();\n`;
const NOTHING = [...Array.from({ length: 10 }, () => 'ERR_ACCESS_DENIED'), 'no SQLite'].join();
const GUARD = 'export const ringBeforeFlight = ({ named }) => named("pigeonRef")?.ringNumber !== undefined;\n';

let dir: string;
beforeEach(async () => {
  vi.stubEnv('BANKING_API_PASSWORD', SECRET);
  dir = await temporaryFolder();
  await cp(FOLDER, dir, { recursive: true });
});

const put = (file: string, text: string): Promise<void> => writeFile(join(dir, file), text);
const start = async () => startMock({ folder: await readContractFolder(dir) });

/** Sends requests to a mock of the folder, with a token. */
async function post() {
  const mock = await start();
  const client = { grant_type: 'client_credentials', client_id: 'sandbox', client_secret: 'sandbox-secret' };
  const token = await fetch(`${mock.url}/oauth2/token`, { method: 'POST', body: new URLSearchParams(client) });
  const { access_token } = (await token.json()) as { access_token: string };
  const send = async (path: string, sent?: object) => {
    const response = await fetch(`${mock.url}${path}`, {
      method: sent === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${access_token}`,
        'content-type': 'application/json',
        'x-post-office': 'gotland',
      },
      ...(sent !== undefined && { body: JSON.stringify(sent) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  /** Overseas: the hook `seaRoute` computes this field. */
  const letter = (declaredValue: number) =>
    send('/v2/letters', { pigeonRef: 'pigeon-ada', addressee: 'Ann', service: 'OVERSEAS', declaredValue });
  return { send, letter, [Symbol.asyncDispose]: () => mock[Symbol.asyncDispose]() };
}

test(
  'F4: a foreign hook gets its input, but no environment variable and no file outside its folder',
  POSIX,
  async () => {
    await put(
      'mocks/hooks/letters.js',
      `${SPY}${GUARD}export const seaRoute = ({ record, random, listed, decimals, now }) => JSON.stringify(
    [found(), record.addressee, random.hex(4).length, listed('pigeon').length > 1, decimals('SEK'), typeof now]);`,
    );
    await using office = await post();
    const { status, body } = await office.letter(7);
    expect([status, body.seaRoute]).toEqual([201, JSON.stringify([NOTHING, 'Ann', 4, true, 2, 'number'])]);
  },
);

test('F4: a foreign seed module gets no environment variable and no file outside its folder', POSIX, async () => {
  await put('mocks/town.txt', 'Visby ');
  await put(
    'mocks/seed.mjs',
    `${SPY}export default async () => {
  const nearestTown = readFileSync(${JSON.stringify(join(dir, 'mocks/town.txt'))}, 'utf8') + found();
  return { lofts: [{ loftCode: 'LOFT-001', nearestTown, pigeons: [{ pigeonRef: 'pigeon-ada', plumage: 'WHITE' }] }] };
};`,
  );
  await put('contract.yaml', 'contract: 1\nname: pigeon-post\nseed: mocks/seed.mjs\n');
  await using office = await post();
  const { body } = await office.send('/v2/lofts');
  expect(JSON.stringify(body)).toContain(`Visby ${NOTHING}`);
});

test('F4: a seed module below a foreign folder is confined even if an option names it', async () => {
  await put('mocks/spy.mjs', `${SPY}throw new Error(found());`);
  const folder = await readContractFolder(dir);
  await expect(startMock({ folder, seedData: join(dir, 'mocks/spy.mjs') })).rejects.toThrow(NOTHING);
});

test('F4: SIGUSR1 opens no debugger of a process that runs foreign hooks', POSIX, async () => {
  const module = join(packageRoot, 'src/mock/tenant/foreign-code.ts');
  const code = { root: FOLDER, files: [join(FOLDER, 'mocks/hooks/letters.js')] };
  const script = `import { foreignHooks } from ${JSON.stringify(pathToFileURL(module))};
import { url } from 'node:inspector';
await foreignHooks(${JSON.stringify(code)});
process.once('SIGUSR1', () => setTimeout(() => console.log(String(url())), 200));
process.kill(process.pid, 'SIGUSR1');
setTimeout(() => undefined, 1000);`;
  expect(String(execFileSync(process.execPath, ['--input-type=module', '-e', script]))).toBe('undefined\n');
});

test('F4: an endless loop in a foreign hook is stopped after a second, and the mock keeps serving', async () => {
  await put(
    'mocks/hooks/letters.js',
    `${GUARD}export function seaRoute({ record }) {
  if (record.declaredValue === 9) throw new Error('no ship');
  while (record.declaredValue === 8);
  return 'Kalmar Strait';
}`,
  );
  await using office = await post();
  expect(await office.letter(8)).toMatchObject({
    status: 501,
    body: { detail: 'The hook seaRoute did not end within 1000 ms.' },
  });
  await vi.waitFor(async () => expect(await office.letter(7)).toMatchObject({ status: 201 }), 10_000);
  expect(await office.letter(9)).toMatchObject({ status: 501, body: { detail: 'The hook seaRoute failed: no ship.' } });
});

test('F4: a foreign hook that writes to its answer channel fails, and the mock keeps serving', async () => {
  await put(
    'mocks/hooks/letters.js',
    `import { writeSync } from 'node:fs';
${GUARD}export const seaRoute = ({ record }) => (record.declaredValue === 8 && writeSync(3, 'what\\n'), 'Kalmar Strait');`,
  );
  await using office = await post();
  expect(await office.letter(8)).toMatchObject({ status: 501 });
  expect(await office.send('/v2/lofts')).toMatchObject({ status: 200 });
});

test('F4: the mock does not start if loading foreign code ends in an error', async () => {
  await put('mocks/hooks/letters.js', `${GUARD}throw new Error("sunk");`);
  await expect(start()).rejects.toMatchObject({ code: 'spec-invalid', message: expect.stringMatching(/sunk/) });
});

test('F4: foreign code that loops endlessly while it loads is rejected', async () => {
  await put('mocks/hooks/letters.js', `${GUARD}for (;;);`);
  const code = { root: dir, files: [join(dir, 'mocks/hooks/letters.js')], loadTime: 500 };
  await expect(foreignHooks(code)).rejects.toMatchObject({
    code: 'spec-invalid',
    message: expect.stringMatching(/not within 500 ms/),
  });
});

test('F4: foreign code does not run if a link leads out of the folder', POSIX, async () => {
  await symlink('/', join(dir, 'mocks/world'));
  await expect(start()).rejects.toMatchObject({ code: 'spec-invalid', place: { file: join(dir, 'mocks/world') } });
});

test('a process that loaded foreign hooks exits by itself', () => {
  const module = join(packageRoot, 'src/mock/tenant/foreign-code.ts');
  const code = { root: FOLDER, files: [join(FOLDER, 'mocks/hooks/letters.js')] };
  const script = `import { foreignHooks } from ${JSON.stringify(pathToFileURL(module))};
console.log(Object.keys(await foreignHooks(${JSON.stringify(code)})));`;
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', script], { timeout: 15_000 });
  expect(String(out)).toBe("[ 'ringBeforeFlight', 'seaRoute' ]\n");
});
