import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { command } from '../../src/cli/commands/report.ts';
import { run } from '../../src/cli/run.ts';
import { FORMAT_NAMES } from '../../src/report/formats.ts';
import { parseReportRequests, writeReports } from '../../src/report/write.ts';
import { fakeIo } from '../cli/io.ts';
import { finding, report } from '../support/report-samples.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let cwd: string;
beforeEach(async () => {
  cwd = await temporaryFolder();
});

const table = [{ name: 'report', summary: '', load: async () => ({ command }) }];
async function render(
  argv: string[],
  env: Record<string, string> = {},
): Promise<{ code: number; out: string; err: string }> {
  const io = fakeIo({ cwd, env });
  const code = await run(['report', ...argv], io, table);
  return { code, out: io.out(), err: io.err() };
}
const save = (name: string, over: Parameters<typeof report>[0]): void =>
  writeFileSync(join(cwd, name), JSON.stringify(report(over)));

describe('D12: the job summary of GitHub', () => {
  test('a github report appends Markdown to GITHUB_STEP_SUMMARY', async () => {
    save('r.json', { exitCode: 1, verdict: 'drift', findings: [finding()] });
    writeFileSync(join(cwd, 'summary.md'), 'of another step\n');
    const { code, out } = await render(['github', 'r.json'], { GITHUB_STEP_SUMMARY: join(cwd, 'summary.md') });
    expect(code).toBe(0);
    expect(out).toMatch(/\n::error file=spec\/schemas\/card\.yaml,line=12/);
    expect(readFileSync(join(cwd, 'summary.md'), 'utf8')).toMatch(/^of another step\n## ❌ DRIFT/);
  });

  test('other formats do not write the summary, and without the variable it is not written', async () => {
    save('r.json', {});
    await render(['text', 'r.json'], { GITHUB_STEP_SUMMARY: join(cwd, 'summary.md') });
    await render(['github', 'r.json']);
    expect(readdirSync(cwd)).toEqual(['r.json']);
  });

  test('an unwritable summary is reported with exit code 2, and the annotations are printed', async () => {
    save('r.json', {});
    const { code, out, err } = await render(['github', 'r.json'], { GITHUB_STEP_SUMMARY: cwd });
    expect([code, err]).toEqual([2, expect.stringContaining(cwd)]);
    expect(out).toContain('::notice');
  });

  test('an overlay below GITHUB_WORKSPACE is annotated by its path in the repository', async () => {
    save('r.json', { findings: [finding({ location: { file: '/repo/overlays/a.yaml', line: 2, column: 1 } })] });
    expect((await render(['github', 'r.json'], { GITHUB_WORKSPACE: '/repo' })).out).toContain(
      'file=overlays/a.yaml,line=2',
    );
  });
});

describe('D12: secrets are masked in the log of GitHub', () => {
  const secret = 'p@ss%\nwörd';
  const actions = { GITHUB_ACTIONS: 'true', BANKING_API_USERNAME: 'me', BANKING_API_PASSWORD: secret };
  const MASK = '::add-mask::p@ss%25%0Awörd\n';

  test('in GitHub Actions the password is masked once, before the rest of a github report on stdout', async () => {
    save('r.json', { findings: [finding({ message: `got ${secret}` })] });
    const { out } = await render(['github', 'r.json'], { ...actions, GITHUB_STEP_SUMMARY: join(cwd, 's.md') });
    expect(out.startsWith(MASK)).toBe(true);
    expect(out.slice(MASK.length)).not.toMatch(/add-mask|p@ss/);
    expect(readFileSync(join(cwd, 's.md'), 'utf8')).not.toMatch(/add-mask|p@ss/);
  });

  test('the mask is not printed in other formats, in files, outside of Actions or without a password', async () => {
    save('r.json', {});
    for (const format of FORMAT_NAMES.filter((name) => name !== 'github')) {
      expect((await render([format, 'r.json'], actions)).out).not.toMatch(/add-mask|p@ss/);
    }
    await render(['github=out.gh', 'r.json'], actions);
    expect(readFileSync(join(cwd, 'out.gh'), 'utf8')).not.toMatch(/add-mask|p@ss/);
    for (const over of [{ GITHUB_ACTIONS: '' }, { GITHUB_ACTIONS: 'false' }, { BANKING_API_PASSWORD: '' }]) {
      expect((await render(['github', 'r.json'], { ...actions, ...over })).out).not.toContain('add-mask');
    }
    const io = fakeIo({ cwd, env: actions });
    await run(['report', 'github', 'r.json'], { ...io, stdout: { ...io.stdout, isFile: true } }, table);
    expect(io.out()).toMatch(/^::notice /);
  });
});

describe('saved reports', () => {
  test('--history with a saved report gives the first dates of its findings, and rejects other files', async () => {
    save('r.json', { findings: [finding()] });
    const old = join(cwd, 'h');
    await writeReports(
      report({ startedAt: '2026-11-01T02:00:00.000Z', findings: [finding()] }),
      parseReportRequests([`json=${old}/a.json`]),
      { stdout: { write() {} } },
    );
    writeFileSync(join(old, 'b.json'), 'x');
    const { code, out, err } = await render(['json', 'r.json', '--history', 'h']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      findings: [{ firstSeen: '2026-11-01T02:00:00.000Z' }],
      history: { runs: [{}, {}] },
    });
    expect(err).toMatch(/History: skipped .*b\.json/);
  });

  test('a missing --history folder is reported on stderr', async () => {
    save('r.json', {});
    const { code, err } = await render(['json', 'r.json', '--history', 'nosuchdir']);
    expect(code).toBe(0);
    expect(err).toMatch(/^History: there is no folder .*nosuchdir; no earlier run is known\.$/m);
  });
});

describe('D11: reports are written atomically', () => {
  test('many parallel writers of one file leave one whole report and no other file', async () => {
    const requests = parseReportRequests([`html=${join(cwd, 'r.html')}`]);
    const runs = Array.from({ length: 8 }, (_, n) => report({ durationMs: n * 1000, findings: [finding()] }));
    await Promise.all(runs.map((each) => writeReports(each, requests, { stdout: { write() {} } })));
    expect(readdirSync(cwd)).toEqual(['r.html']);
    expect(readFileSync(join(cwd, 'r.html'), 'utf8')).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
  });

  test('a report that cannot be rendered keeps the last good one', async () => {
    const file = join(cwd, 'r.html');
    writeFileSync(file, 'the last good one');
    const broken = { ...report(), findings: null } as never;
    await expect(
      writeReports(broken, parseReportRequests([`html=${file}`]), { stdout: { write() {} } }),
    ).rejects.toThrow();
    expect(readFileSync(file, 'utf8')).toBe('the last good one');
    expect(readdirSync(cwd)).toEqual(['r.html']);
  });
});
