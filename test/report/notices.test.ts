/** Problems that weaken a verdict appear in the report of every command, and in the output of `record`. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { loadContract } from '../../src/contract/load.ts';
import type { Report } from '../../src/model/report.ts';
import { startProxy } from '../../src/proxy/start-proxy.ts';
import { FORMAT_NAMES, FORMATS } from '../../src/report/formats.ts';
import { JournalBuilder } from '../audit/journal-builder.ts';
import { fakeIo } from '../cli/io.ts';
import { startSandbox } from '../run/sandbox.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PATH = '/v2/customers/{customerId}/beneficiaries';
const ACTION = { target: `$.paths['${PATH}'].get`, update: { responses: { 200: { description: 'Observed.' } } } };
const RECORDING = JSON.stringify({
  overlay: '1.0.0',
  'x-provenance': 'observed',
  'x-recorded': { contract: 'banking-api', version: '0.0.1', operations: ['getBeneficiaries'] },
  info: { title: 'T', version: '1' },
  // Omits the last action of a truncated recording.
  actions: [ACTION, ACTION],
});
/** Every problem in one recording: unmatched, made for another version, and without its last line. */
const CODES = ['overlay-target-unmatched', 'recording-cut-off', 'recording-of-another-version'];

const folder = await temporaryFolder();
const recording = join(folder, 'rec.yaml');
await writeFile(recording, RECORDING);
const journal = new JournalBuilder(await loadContract());
journal.token({ at: 0, gives: 'T1' }).call({ at: 1000 }).call({ at: 2000 });
const lines = journal.entries().map((entry) => JSON.stringify(entry));
await writeFile(join(folder, 'traffic.ndjson'), `${lines.join('\n')}\n`);
await writeFile(join(folder, 'torn.ndjson'), `${lines.join('\n')}\n${lines[0]?.slice(0, 40)}`);

async function ran(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const io = fakeIo({ cwd: folder });
  return { code: await run(argv, io), out: io.out(), err: io.err() };
}

const codes = ({ notices = [] }: Report): string[] => notices.map(({ code }) => code).sort();

/** Every human-readable format contains all of them, with any line breaks. */
function expectToldInEvery(report: Report, words: readonly string[]): void {
  for (const format of FORMAT_NAMES.filter((name) => name !== 'json')) {
    const text = FORMATS[format](report).replaceAll(/\s+/g, ' ');
    for (const each of words) expect(text, format).toContain(each);
  }
}

describe('problems that weaken a verdict', () => {
  test('the report of the proxy contains the problems', async () => {
    await using sandbox = await startSandbox();
    await using proxy = await startProxy({ target: sandbox.url, overlays: [recording] });
    const report = await proxy.report();
    expect(codes(report)).toEqual(CODES);
    expect(report.exitCode).toBe(0);
    expectToldInEvery(report, ['matches nothing', 'It is cut off', 'beside banking-api 0.0.1', 'Not watched: ']);
  });

  test('the report of audit contains the problems and a truncated journal, without changing its verdict', async () => {
    const audit = ['audit', '--report', 'json', '--overlay', 'rec.yaml'];
    const { code, out } = await ran(...audit, 'traffic.ndjson');
    const report = JSON.parse(out) as Report;
    expect([code, report.verdict, codes(report)]).toEqual([0, 'agrees', CODES]);
    expectToldInEvery(report, ['matches nothing', 'It is cut off', 'beside banking-api 0.0.1']);
    const torn = JSON.parse((await ran(...audit, 'torn.ndjson')).out) as Report;
    expect(codes(torn)).toEqual(['journal-cut-off', ...CODES]);
    expect(torn.notices?.at(-1)?.location).toMatchObject({ file: 'torn.ndjson', line: expect.any(Number) });
  });

  test('the report of audit --drive contains the problems', async () => {
    const argv = ['audit', '--report', 'json', '--overlay', 'rec.yaml', '--timeout', '1', '--drive', '--'];
    const { out } = await ran(...argv, process.execPath, '-e', '');
    expect(codes(JSON.parse(out) as Report)).toEqual(CODES);
  });

  test('the report of diff contains the problems of both sides once', async () => {
    const { code, out } = await ran('diff', '--report', 'json', 'rec.yaml', 'rec.yaml');
    const report = JSON.parse(out) as Report;
    expect([code, codes(report)]).toEqual([4, CODES]);
    expectToldInEvery(report, ['matches nothing', 'It is cut off', 'Not compared: ']);
  });

  test('the output of record contains the problems, with live answers and with traffic', async () => {
    const { err } = await ran('record', '--out', 'new.yaml', '--overlay', 'rec.yaml', '--from', 'traffic.ndjson');
    for (const words of ['matches nothing', 'It is cut off', 'beside banking-api 0.0.1']) expect(err).toContain(words);
  });
});
