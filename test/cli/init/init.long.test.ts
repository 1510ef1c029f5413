import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { CARD, CREDENTIALS, PARAMETERS, type SandboxOptions, startSandbox } from '../../run/sandbox.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { command, type Ran } from '../command.ts';

const env = { BANKING_API_USERNAME: CREDENTIALS.username, BANKING_API_PASSWORD: CREDENTIALS.password };
const { cardId: _, ...known } = PARAMETERS;
const IDS = Object.entries(known).flatMap(([name, value]) => ['--parameter', `${name}=${value}`]);
const CARDS = { 'GET /wallet/api/customers/c-1/clients/cl-2/cards': { cards: [{ ...CARD, token: 'a-token' }] } };

let cwd: string;
beforeEach(async () => {
  cwd = await temporaryFolder();
});

const file = (name: string): Promise<string> => readFile(join(cwd, name), 'utf8');
const files = async (): Promise<string[]> =>
  (await readdir(cwd, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(cwd.length + 1))
    .sort();

const init = (argv: readonly string[], over: Parameters<typeof command>[1] = {}): Promise<Ran> =>
  command(['init', ...argv], { cwd, env, ...over });

async function initAt(options: SandboxOptions, argv: readonly string[], over: Parameters<typeof command>[1] = {}) {
  await using sandbox = await startSandbox(options);
  const ran = await init(['--target', sandbox.url, ...argv], over);
  return { ...ran, url: sandbox.url, seen: sandbox.seen };
}

describe('banking-api init', () => {
  test('init writes files with which verify runs, and sends reads only', async () => {
    await using sandbox = await startSandbox({ bodies: CARDS });
    const { code, out, err } = await init(['--target', sandbox.url, ...IDS, '--ci', 'github', '--yes']);
    expect(err).toMatch(/Credentials: BANKING_API_USERNAME and BANKING_API_PASSWORD/);
    expect([code, err]).toEqual([0, expect.stringContaining('getCard (cardId: from listClientCards)')]);
    const most = Number(/at most (\d+)/.exec(err)?.[1]);
    expect(sandbox.seen.length).toBeLessThanOrEqual(most);
    expect(sandbox.seen.filter(({ method, path }) => method !== 'GET' && !/token$|fees$/.test(path))).toEqual([]);
    expect(await files()).toEqual([
      '.github/workflows/banking-api-nightly.yml',
      'banking-api.config.yaml',
      'recorded.overlay.yaml',
    ]);
    expect(parse(await file('banking-api.config.yaml'))).toEqual({
      target: { baseUrl: sandbox.url },
      overlays: ['recorded.overlay.yaml'],
      parameters: known,
    });
    expect(await file('recorded.overlay.yaml')).toContain('x-provenance: observed');
    expect(out).toMatch(/^Written: .*banking-api\.config\.yaml/);
    expect(out).toMatch(/AGREES/);
    expect(out + err).not.toMatch(/PLANTED|pässword/);
    const again = await command(['verify'], { cwd, env });
    expect([again.code, again.out]).toEqual([0, expect.stringContaining('AGREES')]);
  });
});
