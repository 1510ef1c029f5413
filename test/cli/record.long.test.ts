import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CARD, CREDENTIALS, PARAMETERS, type Sandbox, startSandbox } from '../run/sandbox.ts';
import { overlayOf } from '../support/overlay.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { command, type Ran } from './command.ts';

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  await writeFile(join(folder, 'config.yaml'), `parameters: ${JSON.stringify(PARAMETERS)}\n`);
});

const env = { BANKING_API_USERNAME: CREDENTIALS.username, BANKING_API_PASSWORD: CREDENTIALS.password };

const banking = (...argv: string[]): Promise<Ran> => command(argv, { cwd: folder, env });

const file = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');

describe('banking-api record', () => {
  let sandbox: Sandbox;
  let card: Record<string, unknown> = CARD;
  beforeAll(async () => {
    sandbox = await startSandbox({
      fault: (seen, response) => {
        if (!seen.path.endsWith('/cards/k-4') || !seen.authorization.startsWith('Bearer ey')) return false;
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(card));
        return true;
      },
    });
  });
  afterAll(() => sandbox[Symbol.asyncDispose]());

  test('record writes a recording, then reports no news, then the changes', async () => {
    card = CARD;
    const argv = ['record', '--target', sandbox.url, '--config', 'config.yaml', '--out', 'r.yaml', '--samples', '2'];
    const first = await banking(...argv);
    expect([first.code, first.err]).toEqual([0, expect.stringContaining('only reads are sent')]);
    expect(first.out).toMatch(/r\.yaml: new, 9 operations/);
    expect(first.err).toMatch(/^Always the same answer, so one sample: .*getCard/m);
    expect(first.err).toContain('Record again on another day');
    const text = await file('r.yaml');
    const second = await banking(...argv);
    expect([second.code, await file('r.yaml')]).toEqual([0, text]);
    expect(second.out).toMatch(/unchanged/);
    card = { ...CARD, fresh: true };
    const third = await banking(...argv);
    expect(third.err).toContain('+ GET /wallet/api/customers/{customerId}/cards/{cardId} 200 /fresh: boolean');
    expect(await file('r.yaml')).toMatch(/fresh: \{ type: boolean, x-seen: \{ in: 1, of: \d \} \}/);
    for (const { out, err } of [first, second, third]) expect(out + err).not.toMatch(/PLANTED|pässword/);

    const written = await file('r.yaml');
    const edited = written.replace('fresh: { type: boolean', 'fresh: { x-note: ours, type: boolean');
    for (const [name, by] of [['', '.'] as const, ['-2', 'too.'] as const]) {
      const text = edited.replace('ours', `ours ${by}`);
      await writeFile(join(folder, 'r.yaml'), text);
      const { code, err } = await banking(...argv);
      expect([code, await file('r.yaml'), await file(`r.before${name}.yaml`)]).toEqual([0, written, text]);
      expect(await file(`r.edits${name}.yaml`)).toContain(`x-note: ours ${by}`);
      expect(err).toContain(`r.before${name}.yaml`);
      expect(err).toContain(`r.edits${name}.yaml: add it with --overlay`);
    }

    card = CARD;
    const anew = await banking(...argv, '--fresh');
    expect(anew.err).toContain('- GET /wallet/api/customers/{customerId}/cards/{cardId} 200 /fresh: boolean');
    expect(await file('r.yaml')).toBe(text);
  });

  test('record exits with 4 and writes no file if the target is not reachable', async () => {
    const gone = await startSandbox();
    await gone[Symbol.asyncDispose]();
    const patience = `parameters: ${JSON.stringify(PARAMETERS)}\ntimeouts: { dead: 1 }\n`;
    await writeFile(join(folder, 'short.yaml'), patience);
    const { code, err } = await banking('record', '--target', gone.url, '--config', 'short.yaml', '--out', 'r.yaml');
    expect([code, err]).toEqual([4, expect.stringContaining('Nothing learned')]);
    await expect(stat(join(folder, 'r.yaml'))).rejects.toThrow();
  });
});

describe('invalid input exits with 2 or 3 before anything is sent', () => {
  test.each([
    [['record'], /--out is missing/],
    [['record', '--out', 'r.yaml', '--samples', '0'], /from 1 to 100/],
    [['record', '--out', 'r.yaml', '--from', 'j.ndjson', '--target', 'mock'], /Remove --target\./],
    [['record', '--out', 'r.yaml', '--from', 'no-such.ndjson'], /The file does not exist/],
    [['diff', 'a.yaml'], /Name two files/],
    [['diff', 'config.yaml', 'config.yaml'], /neither a recording/],
    [['diff', 'no.yaml', 'no.yaml'], /The file does not exist/],
  ])('%j', async (argv, message) => {
    const { code, err } = await banking(...argv);
    expect([2, 3]).toContain(code);
    expect(err).toMatch(message);
  });

  test('a file that is not a recording', async () => {
    const before = await file('config.yaml');
    await writeFile(join(folder, 'j.ndjson'), '');
    const { code, err } = await banking('record', '--out', 'config.yaml', '--from', 'j.ndjson');
    expect([code, await file('config.yaml')]).toEqual([2, before]);
    expect(err).toMatch(/config\.yaml:1:\d+.*It is no recording \(x-provenance: observed\) and is not overwritten\./);
  });

  test.each([
    ['code', 'export const a = 1;\n'],
    ['broken', 'overlay: 1.0.0\n  x-provenance: [\n'],
    ['empty', ''],
    [
      'documented',
      "overlay: 1.0.0\ninfo: { title: T, version: '1' }\nactions: [{ target: $.info, update: { x-a: 1 } }]\n",
    ],
  ])('record does not overwrite a file that is not a recording, and sends nothing: %s', async (_, text) => {
    await writeFile(join(folder, 'there.txt'), text);
    await using sandbox = await startSandbox();
    const argv = ['record', '--target', sandbox.url, '--config', 'config.yaml', '--out', 'there.txt'];
    const { code, err } = await banking(...argv);
    expect([code, sandbox.seen.length, await file('there.txt')]).toEqual([2, 0, text]);
    expect(err).toContain('It is no recording');
  });
});

describe('banking-api record --from', () => {
  test('record --from an empty journal writes nothing', async () => {
    await writeFile(join(folder, 'j.ndjson'), '');
    expect((await banking('record', '--out', 'r.yaml', '--from', 'j.ndjson')).code).toBe(4);
  });

  test("record --from a mock's journal records the called operations", async () => {
    const { startMock } = await import('../../src/mock/start-mock.ts');
    const { createJournalWriter } = await import('../../src/journal/write.ts');
    const journal = createJournalWriter(join(folder, 'j.ndjson'));
    await using mock = await startMock({ anyToken: true, onExchange: (exchange) => journal.append(exchange) });
    await (
      await fetch(`${mock.url}/wallet/api/customers/c/cards/card-4001`, { headers: { authorization: 'Bearer x' } })
    ).text();
    await (await fetch(`${mock.url}/v9/accounts`, { headers: { authorization: 'Bearer x' } })).text();
    await journal.close();
    const { code, out } = await banking('record', '--out', 'r.yaml', '--from', 'j.ndjson');
    expect([code, out]).toEqual([0, expect.stringContaining('Get card (getCard): 200 (1)')]);
    expect(out).toMatch(/GET \/v9\/accounts \(once\): it may be .*getAccounts/);
    expect(await file('r.yaml')).not.toMatch(/card-4001|client-2001/);
  });
});

describe('banking-api diff', () => {
  const recording = (properties: object): string => {
    const target = "$.paths['/billing/api/customers/{customerId}/client/{clientId}/card/fees/{currency}'].get";
    const schema = { type: 'object', required: Object.keys(properties), properties };
    const response = { description: 'Observed.', content: { 'application/json': { schema } } };
    return overlayOf([{ target, update: { responses: { '200': response } } }], 'observed').text;
  };

  test('diff has the exit codes and reports of verify', async () => {
    await writeFile(join(folder, 'a.yaml'), recording({ a: { type: 'string' } }));
    await writeFile(join(folder, 'b.yaml'), recording({ a: { type: ['string', 'null'] }, b: { type: 'integer' } }));
    const same = await banking('diff', 'a.yaml', 'a.yaml', '--fail-on', 'info');
    expect([same.code, same.out]).toEqual([0, expect.stringContaining('AGREES')]);
    expect((await banking('diff', 'a.yaml', 'b.yaml')).code).toBe(0);
    const drift = await banking('diff', 'a.yaml', 'b.yaml', '--fail-on', 'warning', '--report', 'json');
    expect(drift.code).toBe(1);
    const report = JSON.parse(drift.out);
    expect([report.command, report.verdict]).toEqual(['diff', 'drift']);
    expect(report.findings.map(({ rule, pointer }: { rule: string; pointer: string }) => [rule, pointer])).toEqual([
      ['type-contradicted', '/a'],
      ['unrecorded-field', '/b'],
    ]);
    expect(report.findings[0].location.file).toMatch(/a\.yaml$/);
  });

  test('--fail-on breaking fails for changes that break callers, but not for a new field', async () => {
    await writeFile(join(folder, 'a.yaml'), recording({ a: { type: 'string' } }));
    await writeFile(join(folder, 'more.yaml'), recording({ a: { type: 'string' }, b: { type: 'integer' } }));
    await writeFile(join(folder, 'null.yaml'), recording({ a: { type: ['string', 'null'] } }));
    const more = await banking('diff', 'a.yaml', 'more.yaml', '--fail-on', 'breaking');
    expect([more.code, more.out]).toEqual([0, expect.stringContaining('unrecorded-field at /b (observed, additive)')]);
    const nullable = await banking('diff', 'a.yaml', 'null.yaml', '--fail-on', 'breaking', '--report', 'sarif');
    expect(nullable.code).toBe(1);
    expect(JSON.parse(nullable.out).runs[0].results[0].properties.compatibility).toBe('breaking');
  });

  test('a recording is compared with a bundle, in either order', async () => {
    const { packageRoot } = await import('../../src/package-root.ts');
    const bundle = join(packageRoot, 'spec', 'openapi.yaml');
    await writeFile(join(folder, 'a.yaml'), recording({ a: { type: 'string' } }));
    for (const pair of [
      ['a.yaml', bundle],
      [bundle, 'a.yaml'],
    ]) {
      const { code, out } = await banking('diff', ...pair);
      expect([code, out]).toEqual([0, expect.stringContaining('AGREES')]);
    }
  });
});
