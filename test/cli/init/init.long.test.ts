import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  CARD,
  CREDENTIALS,
  json,
  PARAMETERS,
  type SandboxOptions,
  type Seen,
  startSandbox,
} from '../../run/sandbox.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { command, type Ran } from '../command.ts';

const env = { BANKING_API_USERNAME: CREDENTIALS.username, BANKING_API_PASSWORD: CREDENTIALS.password };
const { cardId: _, ...known } = PARAMETERS;
const IDS = Object.entries(known).flatMap(([name, value]) => ['--parameter', `${name}=${value}`]);
const CONFIG = 'banking-api.config.yaml';
const QUICK = 'limits: { backoff: 0.01 }\n';
const CARD_LIST = 'GET /wallet/api/customers/c-1/clients/cl-2/cards';
const CARDS = { [CARD_LIST]: { cards: [{ ...CARD, token: 'a-token' }] } };

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

const failing =
  (isMeant: (request: Seen, count: number) => boolean, status: number): NonNullable<SandboxOptions['fault']> =>
  (request, response, count) =>
    isMeant(request, count) && json(response, status, { error: 'planted' });

/** The token request and the fee reads are POSTs that change nothing. */
const isWrite = ({ method, path }: Seen): boolean => method !== 'GET' && !/token$|fees$/.test(path);

describe('banking-api init', () => {
  test('init writes files with which verify runs, and sends reads only', async () => {
    await using sandbox = await startSandbox({ bodies: CARDS });
    const { code, out, err } = await init(['--target', sandbox.url, ...IDS, '--ci', 'github', '--yes']);
    expect(err).toMatch(/Credentials: BANKING_API_USERNAME and BANKING_API_PASSWORD/);
    expect([code, err]).toEqual([0, expect.stringContaining('getCard (cardId: from listClientCards)')]);
    expect(err).not.toContain('No good answer');
    const most = Number(/at most (\d+)/.exec(err)?.[1]);
    expect(sandbox.seen.length).toBeLessThanOrEqual(most);
    expect(sandbox.seen.filter(isWrite)).toEqual([]);
    expect(await files()).toEqual(['.github/workflows/banking-api-nightly.yml', CONFIG, 'recorded.overlay.yaml']);
    expect(parse(await file(CONFIG))).toEqual({
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

  test('an empty list is named, and is no reason to fail', async () => {
    const { code, err } = await initAt({ bodies: { [CARD_LIST]: { cards: [] } } }, [...IDS, '--yes']);
    expect([code, err]).toEqual([0, expect.stringMatching(/^ {2}getCard: .*listClientCards/m)]);
  });

  test('an id is found on the first page of a list', async () => {
    const page = { content: [{ ...CARD, token: 'a-token' }], page: { number: 0, totalPages: 7 }, next: '?page=1' };
    const { code, err } = await initAt({ bodies: { [CARD_LIST]: page } }, [...IDS, '--yes']);
    expect([code, err]).toEqual([0, expect.stringContaining('getCard (cardId: from listClientCards)')]);
  });

  test('an operation without a good answer is named, and gets no skip', async () => {
    const fault = failing(({ path }) => path.includes('/card/fees/'), 404);
    const { code, err } = await initAt({ bodies: CARDS, fault }, [...IDS, '--yes']);
    expect([code, err]).toEqual([0, expect.stringMatching(/No good answer:\n(?: .*\n)*? {2}getCardFees: /)]);
    expect(await file(CONFIG)).not.toContain('getCardFees');
    const refused = await initAt({ bodies: CARDS }, [...IDS, '--yes', '--force', '--skip', 'getCardFees=it fails']);
    expect([refused.code, refused.err]).toEqual([
      2,
      expect.stringContaining('--skip getCardFees: Only a located read'),
    ]);
  });

  test('init exits with 4 and changes no file if the target goes down half-way', async () => {
    await writeFile(join(cwd, CONFIG), QUICK);
    const fault = failing((_request, count) => count > 2, 503);
    const { code, err } = await initAt({ bodies: CARDS, fault }, [...IDS, '--yes', '--force']);
    expect([code, err]).toEqual([4, expect.stringContaining('No file was written.')]);
    expect([await files(), await file(CONFIG)]).toEqual([[CONFIG], QUICK]);
  });

  test('init exits with 4 and writes no file if the target rejects the credentials', async () => {
    const { code, err } = await initAt({ credentials: { username: 'other', password: 'other' } }, [...IDS, '--yes']);
    expect([code, err, await files()]).toEqual([4, expect.stringContaining('No file was written.'), []]);
  });

  test('init exits with 130 and writes no file if it is interrupted', async () => {
    const interruption = new AbortController();
    const fault = (_request: Seen, _response: unknown, count: number) => {
      if (count === 4) interruption.abort('SIGINT');
      return false;
    };
    const { code } = await initAt({ bodies: CARDS, fault }, [...IDS, '--yes'], { signal: interruption.signal });
    expect([code, await files()]).toEqual([130, []]);
  });

  test('without a terminal and --yes, init prints what it would send, and sends nothing', async () => {
    const { code, err, url, seen } = await initAt({}, IDS);
    expect([code, err]).toEqual([2, expect.stringContaining('init needs --yes')]);
    for (const told of [`Target: ${url}`, 'Credentials: BANKING_API_USERNAME', 'at most ', 'Files: ']) {
      expect(err).toContain(told);
    }
    expect([seen, await files()]).toEqual([[], []]);
  });

  test('existing files are overwritten with --force only, and other settings stay', async () => {
    const before = `# mine\nallow: destructive\nprobe: true\n${QUICK}`;
    await writeFile(join(cwd, CONFIG), before);
    await writeFile(join(cwd, 'recorded.overlay.yaml'), 'old');
    const refused = await initAt({ bodies: CARDS }, [...IDS, '--yes']);
    expect([refused.code, refused.err, refused.seen]).toEqual([
      2,
      expect.stringContaining(`${CONFIG}, recorded.overlay.yaml already exist.`),
      [],
    ]);
    expect(await file(CONFIG)).toBe(before);
    const forced = await initAt({ bodies: CARDS }, [...IDS, '--yes', '--force']);
    expect(forced.code).toBe(0);
    // the configuration allows writes and probes, init does not
    expect(forced.err).toContain('; only reads are sent. ');
    expect(forced.seen.filter(isWrite)).toEqual([]);
    expect(await file(CONFIG)).toMatch(/^# mine\nallow: destructive\nprobe: true\n/);
    expect(parse(await file(CONFIG))).toMatchObject({ ...parse(QUICK), parameters: known });
  });

  test('on a terminal, init asks for the target, the variables and the ids that no answer shows', async () => {
    await using sandbox = await startSandbox({ bodies: CARDS });
    const { customerId, ...ids } = known;
    const questions: string[] = [];
    const answers: [RegExp, string][] = [
      [/URL of the sandbox/, sandbox.url],
      [/user name and password/, 'BANK_USER $BANK_PASSWORD'],
      [/Send them/, ''],
      [/^customerId, /, customerId],
    ];
    const ask = async (question: string): Promise<string> => {
      questions.push(question);
      return answers.find(([about]) => about.test(question))?.[1] ?? '';
    };
    const given = Object.entries(ids).flatMap(([name, value]) => ['--parameter', `${name}=${value}`]);
    const own = { BANK_USER: CREDENTIALS.username, BANK_PASSWORD: CREDENTIALS.password };
    const { code, err } = await init(given, { env: own, terminal: { ask, run: async () => null } });
    expect([code, err]).toEqual([0, expect.stringContaining('Credentials: BANK_USER and BANK_PASSWORD')]);
    // cardId is found with the answer
    expect(questions.map((question) => answers.findIndex(([about]) => about.test(question)))).toEqual([0, 1, 2, 3]);
    expect(parse(await file(CONFIG))).toMatchObject({
      credentials: { username: 'env:BANK_USER', password: 'env:BANK_PASSWORD' },
      parameters: { customerId },
    });
  });

  test('ids that nobody knows are comments of the configuration, ready to paste', async () => {
    const { clientId: _, ...ids } = known;
    const given = Object.entries({ ...ids, cardId: 'k-4' }).flatMap(([name, value]) => [
      '--parameter',
      `${name}=${value}`,
    ]);
    const skip = ['--skip', 'getAccountFees=no account yet'];
    const { code } = await initAt({ bodies: CARDS }, [...given, ...skip, '--yes']);
    expect(code).toBe(0);
    const text = await file(CONFIG);
    expect(text).toMatch(/^# {3}clientId: ""$/m);
    expect(text).toMatch(/^# {3}getCardFees: \{ reason: no clientId is known, until: "\d{4}-\d\d-\d\d" \}$/m);
    expect(parse(text)).toMatchObject({ skip: { getAccountFees: { reason: 'no account yet' } } });
  });

  test('a credential on the command line is rejected, and not repeated', async () => {
    const { code, err, seen } = await initAt({}, ['--password', 'PLANTED-typed', '--yes']);
    expect([code, seen]).toEqual([2, []]);
    expect(err).toContain('--password wants env:NAME');
    expect(err).not.toContain('PLANTED');
  });

  describe('with a capture', () => {
    const CLIENTS = '/iam/api/customers/c-1/clients';
    const WRONG = '/wallet/api/customers/c-1/clients/cl-2/beneficiaries';
    const capture = async (): Promise<string[]> => {
      const entries = [
        ['GET', CLIENTS],
        ['GET', WRONG],
        ['POST', WRONG],
      ].map(([method, path]) => ({
        startedDateTime: '2026-11-28T00:00:00Z',
        time: 1,
        request: { method, url: `https://bank.test${path}`, httpVersion: 'HTTP/1.1', headers: [] },
        response: {
          status: 200,
          httpVersion: 'HTTP/1.1',
          headers: [{ name: 'content-type', value: 'application/json' }],
          content: { mimeType: 'application/json', text: '[]' },
        },
      }));
      await writeFile(join(cwd, 'app.har'), JSON.stringify({ log: { version: '1.2', entries } }));
      return ['--from', 'app.har'];
    };
    const GET_CLIENTS = 'getClients=GET /iam/api/customers/{customerId}/clients';
    const BENEFICIARIES = '/wallet/api/customers/{customerId}/clients/{clientId}/beneficiaries';

    test('an accepted path is observed, a wrong match becomes a comment, and a POST is never called', async () => {
      const from = await capture();
      const accepted = ['--accept-path', GET_CLIENTS, '--accept-path', `getBeneficiaries=GET ${BENEFICIARIES}`];
      const bodies = { ...CARDS, [`GET ${CLIENTS}`]: { clients: [{ id: 'cl-2' }] } };
      const { code, err, seen } = await initAt({ bodies }, [...IDS, ...from, ...accepted, '--yes']);
      expect([code, err]).toEqual([0, expect.stringMatching(/No good answer:\n(?: .*\n)*? {2}getBeneficiaries: /)]);
      expect(seen.filter(isWrite)).toEqual([]);
      const overlay = await file('tenant.overlay.yaml');
      const { 'x-provenance': provenance, actions } = parse(overlay);
      expect([provenance, actions]).toEqual([
        'observed',
        [
          {
            target: '$.paths',
            update: { '/iam/api/customers/{customerId}/clients': { get: { operationId: 'getClients' } } },
          },
        ],
      ]);
      expect(overlay).toMatch(/^ +# +operationId: getBeneficiaries$/m);
      expect(parse(await file(CONFIG)).overlays).toEqual(['tenant.overlay.yaml', 'recorded.overlay.yaml']);
    });

    test('nothing is accepted without a flag, and only a proposed GET can be', async () => {
      const from = await capture();
      const { code, seen } = await initAt({ bodies: CARDS }, [...IDS, ...from, '--yes']);
      expect(code).toBe(0);
      expect(seen.filter(({ path }) => path === CLIENTS || path === WRONG)).toEqual([]);
      expect(parse(await file(CONFIG)).overlays).toEqual(['recorded.overlay.yaml']);
      for (const [stated, problem] of [
        [`addBeneficiary=POST ${BENEFICIARIES}`, 'Only a GET can be accepted.'],
        ['getClients=GET /elsewhere', 'The captured traffic does not propose it.'],
      ] as const) {
        const refused = await initAt({}, [...IDS, ...from, '--accept-path', stated, '--yes', '--force']);
        expect([refused.code, refused.seen, refused.err]).toEqual([2, [], expect.stringContaining(problem)]);
      }
    });
  });

  describe('with one document', () => {
    const DOCUMENT = `openapi: 3.1.1
info: { title: Library, version: '1' }
paths:
  /books:
    get: { operationId: listBooks, responses: { '200': { description: The books } } }
  /books/{bookId}:
    get:
      operationId: getBook
      parameters: [{ name: bookId, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: The book } }
`;
    const books: SandboxOptions = {
      fault: ({ path }, response) => {
        if (path === '/books') return json(response, 200, [{ id: 'b-1', title: 'Dune' }]);
        return path === '/books/b-1' && json(response, 200, { id: 'b-1', title: 'Dune' });
      },
    };

    test('the document is named in the configuration, and verify runs with it', async () => {
      await writeFile(join(cwd, 'library.yaml'), DOCUMENT);
      await using sandbox = await startSandbox(books);
      const { code, err } = await init(['--target', sandbox.url, '--spec', 'library.yaml', '--yes'], { env: {} });
      expect([code, err]).toEqual([0, expect.stringContaining('getBook (bookId: from listBooks)')]);
      expect(parse(await file(CONFIG))).toMatchObject({ spec: 'library.yaml', target: { baseUrl: sandbox.url } });
      expect(err).toContain('Credentials: none');
      const again = await command(['verify'], { cwd, env: {} });
      expect([again.code, again.out]).toEqual([0, expect.stringContaining('2 of 2 operations called')]);
    });

    test('the document replaces a contract folder of an earlier configuration', async () => {
      await writeFile(join(cwd, 'library.yaml'), DOCUMENT);
      await writeFile(join(cwd, 'older.yaml'), DOCUMENT);
      await writeFile(join(cwd, CONFIG), `spec: older.yaml\n${QUICK}`);
      const { code } = await initAt(books, ['--spec', 'library.yaml', '--yes', '--force'], { env: {} });
      expect([code, parse(await file(CONFIG)).spec]).toEqual([0, 'library.yaml']);
    });

    test('a URL of a document is rejected, because a configuration names no URL', async () => {
      const { code, err, seen } = await initAt(books, ['--spec', 'https://x.example/api.yaml', '--yes'], { env: {} });
      expect([code, seen, err]).toEqual([2, [], expect.stringContaining('--spec: init needs a file')]);
    });
  });
});
