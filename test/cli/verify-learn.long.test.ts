import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Report } from '../../src/model/report.ts';
import { CARD, CREDENTIALS, json, PARAMETERS, startSandbox } from '../run/sandbox.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { command, type Ran } from './command.ts';

const env = { BANKING_API_USERNAME: CREDENTIALS.username, BANKING_API_PASSWORD: CREDENTIALS.password };
const GET_CARD = '/wallet/api/customers/c-1/cards/k-4';
const CARDS = '/wallet/api/customers/c-1/clients/cl-2/cards';

let folder: string;
let card: Record<string, unknown>;
let list: Record<string, unknown> | undefined;
let whenAsked: () => void = () => {};
const sandbox = await startSandbox({
  fault({ path, authorization }, response) {
    if (!authorization.startsWith('Bearer ey')) return false;
    whenAsked();
    if (path === CARDS && list !== undefined) return json(response, 200, list);
    return path === GET_CARD ? json(response, 200, card) : false;
  },
});
afterAll(() => sandbox[Symbol.asyncDispose]());
beforeEach(async () => {
  folder = await temporaryFolder();
  await writeFile(join(folder, 'banking-api.config.yaml'), `parameters: ${JSON.stringify(PARAMETERS)}\n`);
  card = { ...CARD, alias: null, tags: [] };
  list = undefined;
  whenAsked = () => {};
});

const banking = (...argv: string[]): Promise<Ran> => command(argv, { cwd: folder, env });

const verify = (...argv: string[]) => banking('verify', '--target', sandbox.url, ...argv);
const record = (...argv: string[]) => banking('record', '--target', sandbox.url, '--out', 'r.yaml', ...argv);
const file = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');

describe('verify --journal', () => {
  test('the journal has every exchange, redacted, readable only by its owner; runs append to it and record --from reads it', async () => {
    card = { ...card, note: 'x' };
    const before = sandbox.seen.length;
    const first = await verify('--journal', 'j.ndjson', '--report', 'json=first.json');
    expect(first.code).toBe(0);
    const lines = (await file('j.ndjson')).trimEnd().split('\n');
    expect(lines).toHaveLength(sandbox.seen.length - before);
    expect((await stat(join(folder, 'j.ndjson'))).mode & 0o777).toBe(0o600);
    for (const secret of ['PLANTED', 'planted-SECRET', 'eyJ', Buffer.from('tenant-7:').toString('base64')]) {
      expect(await file('j.ndjson')).not.toContain(secret);
    }
    const { length } = lines;
    expect(lines.map((line) => (JSON.parse(line) as { seq: number }).seq).sort((a, b) => a - b)).toEqual(
      Array.from({ length }, (_, index) => index + 1),
    );

    card = { ...card, id: 4711, cardLimitDaily: 'much' };
    const second = await verify('--journal', 'j.ndjson', '--report', 'json=second.json');
    expect(second.code).toBe(1);
    const all = (await file('j.ndjson')).trimEnd().split('\n');
    const entries = all.map((line) => JSON.parse(line) as { seq: number; operationId: string });
    expect(entries.length).toBeGreaterThan(length);
    // a finding refers to lines of the journal
    const { findings } = JSON.parse(await file('second.json')) as Report;
    expect(findings.filter(({ severity }) => severity === 'error')).toHaveLength(1);
    for (const { operationId, exchanges } of findings) {
      const shown = exchanges.map((seq) => entries.find((one) => one.seq === seq)?.operationId);
      expect(new Set(shown)).toEqual(new Set([operationId]));
    }

    const learned = await banking('record', '--out', 'from.yaml', '--from', 'j.ndjson');
    expect([learned.code, learned.out]).toEqual([0, expect.stringContaining('Get card (getCard): 200')]);
    // rejections and requests with another method are not reported as unknown
    expect(learned.out).not.toContain('it may be');
    expect(await file('from.yaml')).toContain('id: { type: [ integer, string ]');
  });

  test('a plan writes no journal, and an invalid journal file is rejected before anything is sent', async () => {
    expect((await verify('--plan', '--journal', 'j.ndjson')).code).toBe(0);
    expect(existsSync(join(folder, 'j.ndjson'))).toBe(false);
    await writeFile(join(folder, 'j.ndjson'), 'my notes\n');
    const before = sandbox.seen.length;
    const { code, err } = await verify('--journal', 'j.ndjson');
    expect([code, sandbox.seen.length, await file('j.ndjson')]).toEqual([2, before, 'my notes\n']);
    expect(err).toContain('It is no journal');
  });
});

describe('verify --learn', () => {
  test('a passing run is merged into a new file beside the unchanged recording, and runs add up', async () => {
    await record();
    const text = await file('r.yaml');
    card = { ...card, alias: 'mine' };
    const first = await verify('--learn', 'r.yaml');
    expect([first.code, await file('r.yaml')]).toEqual([0, text]);
    expect(first.err).toContain(
      '~ GET /wallet/api/customers/{customerId}/cards/{cardId} 200 /alias: null so far → string or null',
    );
    card = { ...card, alias: null, tags: ['x'] };
    const second = await verify('--learn', 'r.yaml');
    expect(second.err).toContain('200 /tags/*: string');
    const learned = await file('r.yaml.new');
    expect(learned).toContain("alias: { type: [ string, 'null' ]");
    await writeFile(join(folder, 'r.yaml'), text.replace('alias: {', 'alias: { x-note: ours,'));
    expect((await verify('--learn', 'r.yaml')).err).toContain('r.edits.yaml: add it with --overlay.');
    expect([await file('r.yaml.new'), await file('r.edits.yaml')]).toEqual([learned, expect.stringContaining('ours')]);
    await writeFile(join(folder, 'r.yaml'), text);
    expect([await file('r.yaml'), await file('banking-api.config.yaml')]).toEqual([text, expect.any(String)]);
    await writeFile(join(folder, 'r.yaml'), learned);
    expect((await verify('--learn', 'r.yaml')).err).toContain('Nothing new for');
    expect(await file('r.yaml.new')).toBe(learned);
  });

  test('a failed comparison with the recording learns nothing', async () => {
    await record();
    card = { ...card, alias: 1, id: 4 };
    const { code, err } = await verify('--learn', 'r.yaml', '--fail-on', 'warning');
    expect([code, existsSync(join(folder, 'r.yaml.new'))]).toEqual([1, false]);
    expect(err).toContain('Nothing learned: the run must exit with 0, or find only additions to the recording.');
  });

  test('a run that fails only because of additions is learned', async () => {
    await record();
    card = { ...card, tier: 'gold' };
    const { code, err } = await verify('--learn', 'r.yaml', '--fail-on', 'warning');
    expect([code, err]).toEqual([1, expect.stringContaining('200 /tier: string')]);
    expect(await file('r.yaml.new')).toContain('tier:');
  });

  test('an operation with a breaking warning teaches nothing, and earlier nights keep what they taught', async () => {
    list = { cards: [CARD], next: null };
    await record();
    card = { ...card, tier: 'gold' };
    await verify('--learn', 'r.yaml');
    card = { ...card, alias: 'new', id: 7 };
    list = { ...list, page: 1 };
    const { code, err } = await verify('--learn', 'r.yaml');
    expect([code, err]).toEqual([0, expect.stringContaining('200 /page: integer')]);
    const learned = await file('r.yaml.new');
    expect(learned).toContain('tier:');
    expect(learned).toContain('page:');
    expect(learned).toContain('alias: { x-only-null: true }');
  });

  test('a failure of learning is a message and does not change the exit code', async () => {
    await record();
    card = { ...card, alias: 'new' };
    const next = join(folder, 'r.yaml.new');
    whenAsked = () => void mkdir(next, { recursive: true });
    const { code, err } = await verify('--learn', 'r.yaml');
    await rm(next, { recursive: true });
    expect([code, err]).toEqual([0, expect.stringMatching(/^Nothing learned: .*r\.yaml\.new/m)]);
  });

  test('without a recording the first passing run writes one; another kind of file is left unchanged', async () => {
    expect((await verify('--learn', 'r.yaml')).code).toBe(0);
    expect(existsSync(join(folder, 'r.yaml'))).toBe(false);
    expect(await file('r.yaml.new')).toContain('x-provenance: observed');
    await writeFile(join(folder, 'r.yaml.new'), 'mine\n');
    const before = sandbox.seen.length;
    const refused = await verify('--learn', 'r.yaml');
    expect([refused.code, sandbox.seen.length, await file('r.yaml.new')]).toEqual([2, before, 'mine\n']);
  });
});

test('two recordings of different answers agree with both, in verify, the mock and diff', async () => {
  const first = { cards: [CARD], next: null, hint: 'x', total: 5 };
  const second = { cards: [CARD, { ...CARD, id: 5 }], next: 'p2', total: null };
  for (const [name, body] of Object.entries({ a: first, b: second })) {
    list = body;
    await banking('record', '--target', sandbox.url, '--out', `${name}.yaml`);
  }
  for (const files of [
    ['a.yaml', 'b.yaml'],
    ['b.yaml', 'a.yaml'],
  ]) {
    const overlays = files.map((name) => `--overlay=${name}`);
    for (list of [first, second]) {
      const { code, out, err } = await verify(...overlays, '--learn', files[1] ?? '', '--fail-on', 'warning');
      expect([code, out]).toEqual([0, expect.stringMatching(/^AGREES: .* seen .*; no findings/)]);
      expect(err).not.toContain('Nothing learned');
    }
    const spec = await banking('spec', ...overlays);
    expect([spec.code, spec.err]).toEqual([0, expect.not.stringContaining('warning')]);
    expect((await banking('verify', '--target', 'mock', ...overlays, '--fail-on', 'warning')).code).toBe(0);
  }
});

test('record calls a changing sandbox until nothing new appears, and a constant one at most three times', async () => {
  const asked = (path: string, from: number): number =>
    sandbox.seen.slice(from).filter((one) => one.path === path && one.authorization.startsWith('Bearer ey')).length;
  const still = sandbox.seen.length;
  await record();
  expect(asked(GET_CARD, still)).toBeLessThanOrEqual(4);
  let count = 0;
  const fixed = card;
  card = Object.defineProperty({ ...fixed }, 'n', {
    enumerable: true,
    get: () => {
      count += 1;
      return count;
    },
  });
  const lively = sandbox.seen.length;
  const { err } = await record();
  expect(asked(GET_CARD, lively)).toBeGreaterThan(10);
  expect(asked(GET_CARD, lively)).toBeLessThan(40);
  expect(err).toMatch(/^Settled: 1 of \d+ operations/m);
});
