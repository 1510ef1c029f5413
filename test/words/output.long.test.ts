import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { command, listening, type Ran } from '../cli/command.ts';
import { callsOf, configured, ENV, startSandbox } from '../second-api/journey.ts';
import { DRIFT, FOLDER } from '../second-api/pigeons.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { bankWords, linesWith } from './bank-words.ts';

const LONG = { timeout: 300_000 };
const work = await temporaryFolder();
const words = await bankWords();
const REPORTS = ['text', 'json', 'junit', 'sarif', 'github', 'gitlab', 'markdown', 'html'];

/** Lines of a command's output, and of the files that it wrote, with a word of the bank. */
async function linesOf(name: string, { code, out, err }: Ran, folder?: string): Promise<string[]> {
  expect(out + err, `${name} exits with ${code}`).not.toBe('');
  const files = folder === undefined ? [] : await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = await Promise.all(
    files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name), 'utf8')),
  );
  return [out, err, ...texts].flatMap((text) => linesWith(words, text)).map((line) => `${name}: ${line.slice(0, 300)}`);
}

const reportsTo = (folder: string): string[] =>
  REPORTS.flatMap((format) => ['--report', `${format}=${join(folder, format)}`]);

test('commands that only read the contract print no word of the bank', LONG, async () => {
  const made = join(work, 'made');
  for (const argv of [
    ['lint', '--contract', FOLDER],
    ['spec', '--contract', FOLDER],
    ['facts', '--contract', FOLDER, 'readPigeon'],
    ['questions', '--contract', FOLDER],
    ['generate', '--contract', FOLDER, '--out', made],
    ['verify', '--contract', FOLDER, '--plan', '--target', 'mock'],
  ]) {
    const ran = await command(argv, { cwd: work });
    expect(await linesOf(argv.join(' '), ran, argv[0] === 'generate' ? made : undefined)).toEqual([]);
  }
});

test('the mock answers with no word of the bank', LONG, async () => {
  const mock = await listening(['mock', '--contract', FOLDER], { cwd: work });
  const answers = [];
  for (const path of [
    '/',
    '/v1/lofts',
    '/nothing',
    '/__mock/openapi.yaml',
    '/__mock/scenarios',
    '/__mock/why',
    '/__mock/journal',
  ]) {
    for (const method of ['GET', 'POST']) {
      const response = await fetch(mock.url + path, { method });
      answers.push(`${[...response.headers].join('\n')}\n${await response.text()}`);
    }
  }
  expect(answers.join('').length).toBeGreaterThan(5000);
  expect(answers.flatMap((text) => linesWith(words, text))).toEqual([]);
  expect(await linesOf('mock', await mock.end())).toEqual([]);
});

test('reports of verify and of audit contain no word of the bank', LONG, async () => {
  const [verified, audited] = [join(work, 'verified'), join(work, 'audited')];
  await using sandbox = await startSandbox(DRIFT);
  const journal = join(work, 'journal.ndjson');
  const settings = [...(await configured(work)), '--target', sandbox.url, '--probe', '--journal', journal];
  const verify = await command(['verify', ...settings, ...reportsTo(verified)], { cwd: work, env: ENV });
  expect(verify.code, verify.err).toBe(1);
  expect(await linesOf('verify', verify, verified)).toEqual([]);
  const calls = await callsOf([{ operation: 'readFlightOfOld' }, { operation: 'listLofts' }], false);
  await cp(join(import.meta.dirname, '../second-api/caller.mjs'), join(work, 'caller.mjs'));
  const drive = ['audit', '--contract', FOLDER, '--drive', ...reportsTo(audited), '--', process.execPath, 'caller.mjs'];
  const audit = await command(drive, { cwd: work, env: { ...process.env, CALLS: calls } });
  expect(audit.code, audit.err).toBe(1);
  expect(await linesOf('audit', audit, audited)).toEqual([]);
  const record = ['record', ...settings.slice(0, 6), '--out', join(work, 'recorded', 'r.yaml')];
  expect(await linesOf('record', await command(record, { cwd: work, env: ENV }))).toEqual([]);
});
