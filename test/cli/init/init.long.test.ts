import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { CARD, CREDENTIALS, PARAMETERS, type SandboxOptions, startSandbox } from '../../run/sandbox.ts';
import { answers, api } from '../../support/api.ts';
import { serveOnLoopback } from '../../support/loopback.ts';
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

  test('without a terminal, init needs --yes, and says before the first request what it would send', async () => {
    const { code, err, seen } = await initAt({ bodies: CARDS }, [...IDS, '--ci', 'none']);
    expect([code, seen, await files()]).toEqual([2, [], []]);
    expect(err).toMatch(/--yes/);
  });

  test('no file is overwritten without --force, and with it other settings stay', async () => {
    const before = '# ours\nrepeatReads: 1\ntarget: { baseUrl: https://old.example }\n';
    await writeFile(join(cwd, 'banking-api.config.yaml'), before);
    const argv = [...IDS, '--ci', 'none', '--yes'];
    const refused = await initAt({ bodies: CARDS }, argv);
    expect([refused.code, refused.seen, await file('banking-api.config.yaml')]).toEqual([2, [], before]);
    expect(refused.err).toMatch(/banking-api\.config\.yaml.*--force|--force/s);
    const forced = await initAt({ bodies: CARDS }, [...argv, '--force']);
    expect(forced.code).toBe(0);
    expect(await file('banking-api.config.yaml')).toMatch(/^# ours\nrepeatReads: 1\n/);
    expect(parse(await file('banking-api.config.yaml'))).toMatchObject({ target: { baseUrl: forced.url } });
  });

  test('an empty list leaves out the read that needs its id', async () => {
    const list = 'GET /wallet/api/customers/c-1/clients/cl-2/cards';
    const { code, err, seen } = await initAt({ bodies: { [list]: { cards: [] } } }, [...IDS, '--ci', 'none', '--yes']);
    expect([code, err]).toEqual([0, expect.stringContaining('getCard: no cardId to read: listClientCards is empty')]);
    expect(seen.some(({ path }) => path.includes('/cards/'))).toBe(false);
  });

  test('an id that no answer shows is a comment, ready to paste, and --skip leaves its reads out', async () => {
    const ids = IDS.filter((_, index) => !/^clientId=/.test(IDS[index | 1] ?? ''));
    const argv = [...ids, '--parameter', 'cardId=k-4', '--ci', 'none', '--yes'];
    expect((await initAt({}, argv)).code).toBe(0);
    const config = await file('banking-api.config.yaml');
    expect(config).toMatch(/^# {3}clientId: ""$/m);
    expect(config).toMatch(/^# {3}listClientCards: \{ reason: .*clientId.*, until: "\d{4}-\d\d-\d\d" \}$/m);
    expect(parse(config)).not.toHaveProperty('skip');
    const skipping = await initAt({}, [...argv, '--force', '--skip', 'listClientCards=no client yet']);
    expect(skipping.code).toBe(0);
    expect(parse(await file('banking-api.config.yaml')).skip).toMatchObject({
      listClientCards: { reason: 'no client yet' },
    });
    const failing = await initAt({}, [...argv, '--force', '--skip', 'getCard=it fails']);
    expect([failing.code, failing.err]).toEqual([2, expect.stringContaining('--skip getCard')]);
  });

  test('nothing is written without a token, or if no operation answers well', async () => {
    const argv = [...IDS, '--ci', 'none', '--yes'];
    const locked = await initAt({ credentials: { username: 'other', password: 'other' } }, argv);
    expect([locked.code, await files()]).toEqual([4, []]);
    const down = await initAt(
      { fault: ({ path }, response) => !path.endsWith('/token') && Boolean(response.writeHead(503).end()) },
      argv,
    );
    expect([down.code, await files()]).toEqual([4, []]);
    expect(locked.err + down.err + locked.out + down.out).not.toContain(CREDENTIALS.password);
  });

  test('an operation that fails half-way is named, and the others are recorded', async () => {
    const { code, err } = await initAt(
      {
        bodies: CARDS,
        fault: ({ path }, response) => path.endsWith('/cards/k-4') && Boolean(response.writeHead(500).end()),
      },
      [...IDS, '--ci', 'none', '--yes'],
    );
    expect(code).toBe(0);
    expect(err).toMatch(/Not recorded:\n(?: .*\n)*? +getCard: /);
    const overlay = await file('recorded.overlay.yaml');
    expect(overlay).toContain('fees');
  });

  test('captured traffic proposes paths: only a GET can be accepted, other methods are comments', async () => {
    const entry = (method: string, path: string) => ({
      startedDateTime: '2026-01-01T00:00:00Z',
      time: 1,
      request: { method, url: `https://bank.example${path}`, headers: [], queryString: [] },
      response: {
        status: 200,
        headers: [{ name: 'content-type', value: 'application/json' }],
        content: { mimeType: 'application/json', text: '{"clients":[]}' },
      },
    });
    const entries = [
      entry('GET', '/iam/api/customers/c-1/clients'),
      entry('POST', '/wallet/api/customers/c-1/accounts'),
      entry('DELETE', '/iam/api/customers/c-1/clients/cl-2'),
    ];
    await writeFile(join(cwd, 'capture.har'), JSON.stringify({ log: { version: '1.2', entries } }));
    const argv = [...IDS, '--ci', 'none', '--yes', '--from', 'capture.har'];
    const { code, seen } = await initAt({ bodies: CARDS }, argv);
    expect(code).toBe(0);
    expect(seen.filter(({ method, path }) => method !== 'GET' && !/token$|fees$/.test(path))).toEqual([]);
    expect(seen.some(({ path }) => path === '/iam/api/customers/c-1/clients')).toBe(false);
    const proposed = await file('tenant.overlay.yaml');
    expect(parse(proposed).actions ?? []).toEqual([]);
    expect(proposed).toMatch(/^ *#.*\bpost\b/im);
    const wrong = await initAt({ bodies: CARDS }, [
      ...argv,
      '--force',
      '--accept-path',
      'addClient=POST /iam/api/clients',
    ]);
    expect([wrong.code, wrong.seen]).toEqual([2, []]);
    expect(wrong.err).toContain('Only a GET can be accepted.');
  });

  test('--spec makes a document the contract of the configuration', async () => {
    await using server = await serveOnLoopback(({ path }, response) => {
      const bodies: Record<string, unknown> = {
        '/birds': [{ id: 'b-1', name: 'Wren' }],
        '/birds/b-1': { id: 'b-1', name: 'Wren' },
      };
      const body = bodies[path];
      response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body ?? {}));
      return true;
    });
    const bird = { type: 'object', properties: { id: { type: 'string' } } };
    const parameters = [{ name: 'birdId', in: 'path', required: true, schema: { type: 'string' } }];
    const document = api({
      '/birds': { get: { operationId: 'listBirds', ...answers({ type: 'array', items: bird }) } },
      '/birds/{birdId}': { get: { operationId: 'getBird', parameters, ...answers(bird) } },
    });
    await writeFile(join(cwd, 'birds.json'), JSON.stringify(document));
    const argv = ['--target', server.url, '--spec', 'birds.json', '--ci', 'none', '--yes'];
    const { code, err, out } = await init(argv, { env: {} });
    expect([code, err]).toEqual([0, expect.stringContaining('getBird (birdId: from listBirds)')]);
    expect(parse(await file('banking-api.config.yaml'))).toMatchObject({ spec: 'birds.json' });
    expect(await file('recorded.overlay.yaml')).toContain('name');
    expect(out).toContain('AGREES: 2 of 2 operations called');
    const url = await init([...argv.slice(0, 3), 'https://birds.example/api.json', ...argv.slice(4), '--force'], {
      env: {},
    });
    expect([url.code, url.err]).toEqual([2, expect.stringContaining('Save the document')]);
  });
});
