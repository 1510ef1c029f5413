import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Mock } from '../../src/mock/mock.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import { filesOf, watchFiles, watchMock } from '../../src/mock/watch.ts';
import { packageRoot } from '../../src/package-root.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { bearer, send } from './support/client.ts';
import { mockCommand } from './support/command.ts';

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
});

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
const EVENTUALLY = { timeout: 10_000, interval: 25 };

describe('the file watcher', () => {
  const watchers: { close(): void }[] = [];
  afterEach(() => {
    for (const watcher of watchers.splice(0)) watcher.close();
  });

  async function watching(...paths: string[]): Promise<Set<string>> {
    const told = new Set<string>();
    const onChange = (changed: readonly string[]): void => {
      for (const path of changed) told.add(path.slice(folder.length + 1));
    };
    watchers.push(await watchFiles({ paths, onChange, interval: 100 }));
    return told;
  }

  test('the watcher reports every save by renaming, even if size and content stay the same', async () => {
    const file = join(folder, 'a.yaml');
    await writeFile(file, 'same');
    const told = await watching(file);
    for (let save = 0; save < 3; save += 1) {
      told.clear();
      await writeFile(`${file}.tmp`, 'same');
      await rename(`${file}.tmp`, file);
      await expect.poll(() => [...told], EVENTUALLY).toEqual(['a.yaml']);
    }
  });

  test('the watcher reports a save that deletes and rewrites the file once', async () => {
    const file = join(folder, 'a.yaml');
    await writeFile(file, '1');
    let gone = 0;
    const onChange = (): void => {
      gone += existsSync(file) ? 0 : 1;
    };
    const told = await watching(file);
    watchers.push(await watchFiles({ paths: [file], onChange, interval: 100 }));
    await rm(file);
    await pause(30);
    await writeFile(file, '2');
    await expect.poll(() => told.size, EVENTUALLY).toBe(1);
    expect(gone).toBe(0);
  });

  test('the watcher reports documents of a folder, new ones below it, and of a recreated folder', async () => {
    const deep = join(folder, 'specs', 'deep');
    await mkdir(deep, { recursive: true });
    const told = await watching(join(folder, 'specs'));
    await mkdir(join(folder, 'specs', 'node_modules'));
    // a journal in the folder of a document grows with each request
    for (const other of ['journal.ndjson', 'node_modules/b.json', '.c.json.swp'])
      await writeFile(join(folder, 'specs', other), '1');
    await writeFile(join(deep, 'a.yaml'), '1');
    await expect.poll(() => [...told], EVENTUALLY).toEqual(['specs/deep/a.yaml']);
    told.clear();
    await rm(join(folder, 'specs'), { recursive: true });
    await expect.poll(() => told.size, EVENTUALLY).toBe(1);
    told.clear();
    await mkdir(deep, { recursive: true });
    await writeFile(join(deep, 'b.yaml'), '1');
    await expect.poll(() => [...told], EVENTUALLY).toContain('specs/deep/b.yaml');
    told.clear();
    await writeFile(join(deep, 'b.yaml'), '22');
    await expect.poll(() => [...told], EVENTUALLY).toContain('specs/deep/b.yaml');
  });

  test('the watcher combines rapid saves into one report, with the last one included', async () => {
    const file = join(folder, 'a.yaml');
    await writeFile(file, '');
    const seen: string[] = [];
    const onChange = (): void => {
      seen.push(readFileSync(file, 'utf8'));
    };
    watchers.push(await watchFiles({ paths: [file], onChange, interval: 20 }));
    for (let save = 1; save <= 100; save += 1) await writeFile(file, String(save));
    await expect.poll(() => seen.at(-1), EVENTUALLY).toBe('100');
    expect(seen.length).toBeLessThan(50);
  });

  test('a closed watcher reports nothing', async () => {
    const file = join(folder, 'a.yaml');
    await writeFile(file, '1');
    const told = await watching(file);
    for (const watcher of watchers.splice(0)) watcher.close();
    await writeFile(file, '2');
    await pause(400);
    expect(told.size).toBe(0);
  });
});

const CLIENTS = '/iam/api/customers/cust-1001/clients';

/** An overlay with the path of Get clients. */
const located = (path: string): string => `overlay: 1.0.0
info: {title: a tenant, version: "1"}
actions:
  - target: $.paths
    update:
      ${path}:
        get: {operationId: getClients, responses: {2XX: {description: "clients"}}}
`;

/** Serves an overlay and returns the status of Get clients. */
async function serving(file: string): Promise<{ mock: Mock; lines: string[]; ask: (path: string) => Promise<number> }> {
  const lines: string[] = [];
  const started = Promise.withResolvers<Mock>();
  const watcher = await watchMock({
    files: [file],
    mock: started.promise,
    tell: (line) => lines.push(line),
    cwd: folder,
  });
  const mock = await startMock({ overlays: [file] });
  started.resolve(mock);
  onTestFinished(async () => {
    watcher.close();
    await mock.close();
  });
  // one token for the whole test: a token issued before a change stays valid
  const authorization = await bearer(mock);
  return { mock, lines, ask: async (path) => (await send(mock, { path, headers: { authorization } })).status };
}

describe('mock --watch', () => {
  test('a save is served within a second, and earlier tokens stay valid', async () => {
    const file = join(folder, 'tenant.yaml');
    await writeFile(file, located('/one'));
    const { mock, lines, ask } = await serving(file);
    expect([await ask('/one'), await ask('/two')]).toEqual([200, 404]);
    await writeFile(file, located('/two'));
    const saved = Date.now();
    await expect.poll(() => ask('/two'), EVENTUALLY).toBe(200);
    // A second on an idle machine; this one may be busy.
    expect(Date.now() - saved).toBeLessThan(5_000);
    expect(await ask('/one')).toBe(404);
    expect(mock.status()).toMatchObject({ contract: 'current', problem: null });
    await expect.poll(() => lines).toEqual(['Changed and served: tenant.yaml']);
  });

  test('after a broken save the last good contract stays, the place is reported, and the next good save is served', async () => {
    const file = join(folder, 'tenant.yaml');
    await writeFile(file, located('/one'));
    const { mock, lines, ask } = await serving(file);
    await writeFile(file, located('/two').replace('{operationId', '{operationId: ]'));
    await expect.poll(() => mock.status().contract, EVENTUALLY).toBe('stale');
    expect(mock.status().problem).toMatchObject({
      file: expect.stringContaining('tenant.yaml'),
      line: 7,
      column: expect.any(Number),
    });
    expect([await ask('/one'), await ask('/two')]).toEqual([200, 404]);
    await expect.poll(() => lines.at(-1), EVENTUALLY).toMatch(/not served: tenant\.yaml\..*tenant\.yaml:7:\d+/);
    await rm(file);
    await expect.poll(() => mock.status().problem?.message, EVENTUALLY).toBe('The file does not exist.');
    expect(await ask('/one')).toBe(200);
    await writeFile(file, located('/three'));
    await expect.poll(() => ask('/three'), EVENTUALLY).toBe(200);
    expect(mock.status()).toMatchObject({ contract: 'current', problem: null });
  });

  test('a changed scenario, profile and seed take effect, and sent records are kept', async () => {
    const files = ['scenario.yaml', 'profile.yaml', 'seed.yaml'].map((name) => join(folder, name));
    const [scenario = '', profile = '', seed = ''] = files;
    const answer = (status: number): string =>
      `name: mine\nrules: [{operations: [getCard], answer: {status: ${status}}}]\n`;
    await writeFile(scenario, answer(418));
    await writeFile(profile, await readFile(join(packageRoot, 'mocks/profiles/default.yaml'), 'utf8'));
    await writeFile(seed, await readFile(join(packageRoot, 'mocks/seed.yaml'), 'utf8'));
    const options = { anyToken: true, scenarios: [scenario], profile, seedData: seed };
    await using mock = await startMock({ listen: false, ...options });
    const watcher = await watchMock({
      files: filesOf(options),
      mock: Promise.resolve(mock),
      tell: () => {},
      cwd: folder,
    });
    onTestFinished(() => watcher.close());
    const headers = { authorization: 'Bearer x', 'content-type': 'application/json' };
    const status = async (path: string): Promise<number> => (await mock.fetch(path, { headers })).status;
    const cards = '/wallet/api/customers/cust-1001/cards';
    const body = JSON.stringify({ clientId: 'client-2001', userId: 'user-3001', currency: 'GBP', cardType: 'VIRTUAL' });
    const issued = await mock.fetch(cards, { method: 'POST', headers, body });
    expect(issued.status).toBe(200);
    const { cardId } = (await issued.json()) as { cardId: string };
    expect(await status(`${cards}/card-4001`)).toBe(418);
    await writeFile(scenario, answer(419));
    await expect.poll(() => status(`${cards}/card-4001`), EVENTUALLY).toBe(419);
    await writeFile(scenario, 'name: mine\nrules: 5\n');
    await expect
      .poll(() => mock.status().problem, EVENTUALLY)
      .toMatchObject({ file: expect.stringContaining('scenario.yaml'), line: 2 });
    expect(await status(`${cards}/card-4001`)).toBe(419);
    await writeFile(scenario, 'name: mine\nrules: [{operations: [getCardFees], delay: 1}]\n');
    await expect.poll(() => status(`${cards}/${cardId}`), EVENTUALLY).toBe(200);
    for (const file of [profile, seed]) {
      const text = await readFile(file, 'utf8');
      await writeFile(file, `${text}\nnobody-knows-this: 1\n`);
      await expect.poll(() => mock.status().problem?.file, EVENTUALLY).toContain(basename(file));
      await writeFile(file, text);
      await expect.poll(() => mock.status().problem, EVENTUALLY).toBeNull();
    }
    expect(await status(`${cards}/${cardId}`)).toBe(200);
  });

  test('the mock answers throughout repeated saves', async () => {
    const file = join(folder, 'tenant.yaml');
    await writeFile(file, located('/even'));
    const { mock, ask } = await serving(file);
    let saving = true;
    const answers: number[] = [];
    const asking = (async () => {
      while (saving)
        answers.push(await ask(CLIENTS.replace('/clients', '/nowhere')), await ask('/odd'), await ask('/even'));
    })();
    for (let save = 0; save < 12; save += 1) {
      await writeFile(`${file}.tmp`, located(save % 2 === 0 ? '/odd' : '/even'));
      await rename(`${file}.tmp`, file);
      await pause(60);
    }
    saving = false;
    await asking;
    expect(answers.filter((status) => status !== 200 && status !== 404)).toEqual([]);
    await writeFile(file, located('/last'));
    await expect.poll(() => ask('/last'), EVENTUALLY).toBe(200);
    expect(mock.status().reloads).toBeGreaterThan(0);
  });

  test('a reload reads scenarios by its new contract, and keeps the old ones if it fails', async () => {
    const [overlay = '', scenario = '', profile = ''] = ['tenant.yaml', 'mine.yaml', 'profile.yaml'].map((name) =>
      join(folder, name),
    );
    const rule = (operation: string, status: number): string =>
      `name: mine\nrules: [{operations: [${operation}], answer: {status: ${status}}}]\n`;
    const added = located('/added').replace('getClients', 'getAdded');
    await writeFile(overlay, located('/one'));
    await writeFile(scenario, rule('getClients', 418));
    await writeFile(profile, 'tokenLifetime: 60\n');
    const options = { overlays: [overlay], scenarios: [scenario], profile };
    await using mock = await startMock({ listen: false, anyToken: true, ...options });
    const ask = async (path: string): Promise<number> =>
      (await mock.fetch(path, { headers: { authorization: 'Bearer x' } })).status;
    await writeFile(overlay, added);
    await writeFile(scenario, rule('getAdded', 419));
    await writeFile(profile, 'nobody-knows-this: 1\n');
    expect(await mock.reload()).toMatchObject({ problem: { file: expect.stringContaining('profile.yaml') } });
    mock.reset();
    expect([await ask('/one'), await ask('/added')]).toEqual([418, 404]);
    await writeFile(profile, 'tokenLifetime: 60\n');
    expect(await mock.reload()).toMatchObject({ contract: 'current', problem: null });
    expect([await ask('/one'), await ask('/added')]).toEqual([404, 419]);
  });

  test('reloads run one at a time', async () => {
    const file = join(folder, 'tenant.yaml');
    await writeFile(file, located('/one'));
    await using mock = await startMock({ listen: false, anyToken: true, overlays: [file] });
    const all = await Promise.all([mock.reload(), mock.reload(), mock.reload()]);
    expect(all.map(({ reloads }) => reloads)).toEqual([1, 2, 3]);
  });
});

test('mock --watch serves each save, prints load errors to the terminal, and exits with 0', async () => {
  const file = join(folder, 'tenant.yaml');
  await writeFile(file, located('/one'));
  const { child, port, ended, stderr } = await mockCommand(
    folder,
    '--any-token',
    '--watch',
    '--overlay',
    'tenant.yaml',
  );
  const ask = async (path: string): Promise<number> =>
    (await send({ port }, { path, headers: { authorization: 'Bearer x' } })).status;
  expect(await ask('/one')).toBe(200);
  await writeFile(file, located('/two'));
  await expect.poll(() => ask('/two'), EVENTUALLY).toBe(200);
  await writeFile(file, 'overlay: 1.0.0\ninfo: [');
  await expect.poll(stderr, EVENTUALLY).toMatch(/not served: tenant\.yaml.*tenant\.yaml:2:\d+/);
  expect(await ask('/two')).toBe(200);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(stderr()).not.toMatch(/^\s+at /m);
});
