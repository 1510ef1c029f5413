import { access, lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { schemaCheck } from '../../src/files/schema.ts';
import type { Report } from '../../src/model/report.ts';
import { createRedactor } from '../../src/redact/redact.ts';
import { renderJson } from '../../src/report/format.ts';
import { FORMAT_NAMES, FORMATS } from '../../src/report/formats.ts';
import { readReport } from '../../src/report/read.ts';
import { renderText } from '../../src/report/text.ts';
import { assertReportsWritable, parseReportRequests, writeReports } from '../../src/report/write.ts';
import { fakeIo } from '../cli/io.ts';
import { LINUX, POSIX } from '../support/needs.ts';
import { finding, fullReport } from '../support/report-samples.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = await temporaryFolder();

const empty: Report = fullReport({
  exitCode: 0,
  verdict: 'agrees',
  findings: [],
  accepted: [],
  stale: [],
  checks: [],
  coverage: { operations: [] },
  deprecations: [],
});

describe('json', () => {
  it('the JSON report matches the published schema', async () => {
    const check = await schemaCheck('report');
    for (const each of [fullReport(), empty]) {
      const value: unknown = JSON.parse(renderJson(each));
      expect(value).toEqual(each);
      expect(check(value)).toEqual([]);
    }
  });

  it('fingerprints, rules and dates are never redacted', () => {
    const iban = 'GB82WEST12345698765432';
    const value = JSON.parse(
      renderJson(fullReport({ findings: [finding({ fingerprint: iban, actual: iban })] })),
    ) as Report;
    expect(value.findings[0]).toMatchObject({ fingerprint: iban, actual: '[redacted]' });
  });
});

describe('text', () => {
  const text = renderText(fullReport());

  it('a text report stays short if most operations of a large contract could not be called', () => {
    const operations = Array.from({ length: 45 }, (_, index) => ({
      operationId: `operationWithALongName${index}`,
      located: index < 30 ? ('documented' as const) : null,
      exercised: index < 20,
      fields: [{ pointer: `/field${index}`, provenance: 'documented' as const, seen: 0, of: 1 }],
      notShown: [],
    }));
    const lines = renderText(fullReport({ findings: [], checks: [], coverage: { operations } })).split('\n');
    expect(lines.length).toBeLessThan(65);
    expect(lines).toContain('  · and 12 more in the JSON report');
  });

  it('a text report has colours only on request, with the same words', () => {
    const coloured = renderText(fullReport(), { color: true });
    expect(coloured).toContain('\u001b[');
    expect(text).not.toContain('\u001b');
    expect(stripVTControlCharacters(coloured)).toBe(text);
  });

  it('a text report wraps prose at the width of the terminal', () => {
    const long = finding({ message: 'word '.repeat(200).trim(), actual: 'object or array '.repeat(30) });
    for (const columns of [60, 80, 200]) {
      const lines = renderText(fullReport({ findings: [long] }), { columns }).split('\n');
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(Math.min(columns, 120) + 40);
      expect(lines.filter((line) => line.includes('word word')).every((line) => line.length <= columns)).toBe(true);
    }
  });
});

it.each(FORMAT_NAMES)('D8, H4: no secret appears in a %s report, even if a rule did not redact it', (format) => {
  const secret = 'correct horse "battery"';
  const bearer = 'Bearer abcdef1234567890';
  const leaky = fullReport({
    target: { kind: 'url', baseUrl: 'https://bob:hunter2hunter2@x.example/?token=hunter3' },
    findings: [
      finding({
        message: `got ${secret}`,
        actual: encodeURIComponent(secret),
        pointer: `/${secret}`,
        expected: bearer,
      }),
    ],
    checks: [
      {
        id: 'a',
        operationId: null,
        kind: 'any',
        outcome: 'inconclusive',
        reason: `Basic ${Buffer.from(`bob:${secret}`).toString('base64')}`,
        durationMs: 0,
      },
    ],
  });
  const text = FORMATS[format](leaky, {
    redactor: createRedactor({ credentials: [{ username: 'bob', password: secret }] }),
  });
  for (const leak of [
    'horse',
    'battery',
    'abcdef1234567890',
    'hunter2',
    'hunter3',
    Buffer.from(`bob:${secret}`).toString('base64').slice(0, 12),
  ]) {
    expect(text).not.toContain(leak);
  }
});

describe('--report', () => {
  it('--report accepts FORMAT and FORMAT=FILE', () => {
    expect(parseReportRequests(['text', 'json=a=b.json'])).toEqual([
      { format: 'text', file: null },
      { format: 'json', file: 'a=b.json' },
    ]);
  });

  it.each([
    [['jsn'], /no report format "jsn"\. Did you mean json\?/],
    [['text', 'json'], /Only one report can go to stdout/],
    [['text=a', 'json=a'], /Two reports would be written to a/],
    [['json='], /file of --report json= is missing/],
  ])('--report rejects %j', (texts, message) => {
    expect(() => parseReportRequests(texts)).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringMatching(message) }),
    );
  });

  it('D11: a report is written through a symbolic link, even to a new file, and the link stays', POSIX, async () => {
    const links = join(folder, 'links');
    await mkdir(join(links, 'store'), { recursive: true });
    await writeFile(join(links, 'store', 'old.json'), 'the last good one');
    await symlink('store/old.json', join(links, 'report.json'));
    await symlink('report.json', join(links, 'twice.json'));
    await symlink('store/made/new.json', join(links, 'new.json'));
    await mkdir(join(links, 'far', 'away'), { recursive: true });
    await symlink('far/away', join(links, 'folder'));
    await symlink('../up.json', join(links, 'far', 'away', 'up.json'));
    await symlink('loop.json', join(links, 'loop.json'));
    for (const name of ['twice.json', 'new.json', 'folder/up.json']) {
      const requests = parseReportRequests([`json=${join(links, name)}`]);
      await assertReportsWritable(requests);
      await writeReports(fullReport(), requests, fakeIo());
    }
    expect(JSON.parse(await readFile(join(links, 'store', 'old.json'), 'utf8'))).toEqual(fullReport());
    expect(JSON.parse(await readFile(join(links, 'store', 'made', 'new.json'), 'utf8'))).toEqual(fullReport());
    expect(JSON.parse(await readFile(join(links, 'far', 'up.json'), 'utf8'))).toEqual(fullReport());
    for (const name of ['report.json', 'twice.json', 'new.json', 'folder/up.json']) {
      expect((await lstat(join(links, name))).isSymbolicLink()).toBe(true);
    }
    expect((await readdir(join(links, 'store'))).sort()).toEqual(['made', 'old.json']);
    await expect(
      writeReports(fullReport(), parseReportRequests([`json=${join(links, 'loop.json')}`]), fakeIo()),
    ).rejects.toMatchObject({ code: 'file-unwritable', message: expect.stringContaining('ELOOP') });
  });

  it('an unwritable file is reported before the run, and no file is created', LINUX, async () => {
    const file = join(folder, 'later.json');
    await assertReportsWritable(parseReportRequests([`json=${file}`, 'text=/dev/null']));
    await expect(access(file)).rejects.toThrow();
    for (const bad of [folder, '/proc/none/report.json', '/dev/null/x']) {
      await expect(assertReportsWritable([{ format: 'json', file: bad }])).rejects.toMatchObject({
        code: 'file-unwritable',
      });
    }
  });

  it('D11: one failed report does not stop other reports or stdout, and the last good report stays', async () => {
    const good = join(folder, 'good.json');
    const io = fakeIo();
    const requests = parseReportRequests([`text=${folder}`, `json=${good}`, 'text']);
    await expect(writeReports(fullReport(), requests, io)).rejects.toMatchObject({ code: 'file-unwritable' });
    expect(io.out()).toContain('DRIFT');
    expect(JSON.parse(await readFile(good, 'utf8'))).toEqual(fullReport());
  });
});

describe('the report command', () => {
  async function saved(text: string): Promise<string> {
    const file = join(folder, 'saved.json');
    await writeFile(file, text);
    return file;
  }

  it('the report command accepts a report with fields of a later version', async () => {
    const file = await saved(JSON.stringify({ ...fullReport(), later: 1 }));
    expect((await readReport(file)).verdict).toBe('drift');
  });

  it.each([
    ['no JSON', '{\n  "reportVersion": 1,,\n}', 2, /no JSON/],
    ['a word outside JSON', '{\n  "reportVersion": NaN\n}', 2, /no JSON/],
    ['another version', '{"reportVersion":2}', 1, /version 2; this tool reads version 1/],
    [
      'a wrong severity',
      renderJson(fullReport()).replace('"warning"', '"bad"'),
      43,
      /must be one of "error", "warning", "info"/,
    ],
    ['something else', '[]', 1, /must be object/],
  ])('the report command exits with 2 for %s and names the place', async (_what, text, line, message) => {
    const file = await saved(text);
    const io = fakeIo();
    expect(await run(['report', 'text', file], io)).toBe(2);
    expect(io.err()).toMatch(new RegExp(`saved\\.json:${line}:\\d+`));
    expect(io.err()).toMatch(message);
  });

  it.each([
    [['report']],
    [['report', 'text']],
    [['report', 'text', 'a', 'b']],
    [['report', 'pdf', 'a']],
    [['report', 'text', 'none.json']],
  ])('%j exits with 2', async (argv) => {
    expect(await run(argv, fakeIo({ cwd: folder }))).toBe(2);
  });
});
