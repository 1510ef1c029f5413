import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { parseBaseline } from '../../src/judge/baseline.ts';
import { finding, report } from '../support/report-samples.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { command, type Ran } from './command.ts';

let cwd: string;
beforeEach(async () => {
  cwd = await temporaryFolder();
});

const FINDINGS = [
  finding(),
  finding({ fingerprint: '00000000000000b2', severity: 'warning', operationId: 'getClient' }),
  finding({ fingerprint: '00000000000000c3', severity: 'info', operationId: 'getUser' }),
];

async function accept(
  argv: string[],
  over: Parameters<typeof report>[0] = { findings: FINDINGS },
  env: Record<string, string> = {},
): Promise<Ran> {
  writeFileSync(join(cwd, 'report.json'), JSON.stringify(report(over)));
  return command(['accept', ...argv], { cwd, env });
}
const written = (name = 'banking-api.baseline.yaml'): string => readFileSync(join(cwd, name), 'utf8');
const fingerprints = async (name?: string): Promise<string[]> =>
  (await parseBaseline(written(name), 'b')).entries.map(({ fingerprint }) => fingerprint);
const WHY = ['--reason', 'fixed in 2.4', '--expires', '2999-12-31'];

describe('banking-api accept', () => {
  test('accept writes every error and warning of a report, with reason, owner and date', async () => {
    const { code, err } = await accept(['report.json', ...WHY, '--owner', 'team']);
    expect(code).toBe(0);
    expect(err).toContain('2 accepted, 0 renewed, until 2999-12-31; 2 in all. 1 of severity info left out.');
    expect(await fingerprints()).toEqual(['00000000000000a1', '00000000000000b2']);
    expect(written()).toMatch(/reason: fixed in 2\.4\n {4}owner: team\n {4}expires: 2999-12-31/);
  });

  test('--fingerprint selects findings, even infos, and --out names the file', async () => {
    const pick = ['--fingerprint', '00000000000000c3', '--fingerprint', '00000000000000a1', '--out', 'b.yaml'];
    expect((await accept(['report.json', ...WHY, ...pick])).code).toBe(0);
    expect(await fingerprints('b.yaml')).toEqual(['00000000000000a1', '00000000000000c3']);
  });

  test('an accepted finding is renewed only if it is named', async () => {
    const [first] = FINDINGS as [(typeof FINDINGS)[0]];
    await accept(['report.json', ...WHY], { findings: [first] });
    writeFileSync(join(cwd, 'banking-api.baseline.yaml'), `${written()}    note: by hand\n`);
    const later = {
      accepted: [{ fingerprint: first.fingerprint, reason: 'r', owner: null, expires: '2999-12-31', finding: first }],
    };
    const more = ['report.json', '--reason', 'later', '--expires', '3000-01-01'];
    expect((await accept(more, later)).err).toContain('nothing to accept');
    expect(written()).not.toContain('later');
    expect((await accept([...more, '--fingerprint', first.fingerprint], later)).err).toContain('0 accepted, 1 renewed');
    expect(written()).toMatch(/reason: later\n {4}expires: 3000-01-01\n {4}note: by hand/);
  });

  test.each([
    [['report.json', '--expires', '2999-01-01'], /--reason is missing/],
    [['report.json', '--reason', 'x'], /--expires is missing/],
    [['report.json', '--reason', 'x', '--expires', '2026-02-30'], /must be a day/],
    [['report.json', '--reason', 'x', '--expires', '2020-01-01'], /is in the past/],
    [['report.json', ...WHY, '--fingerprint', 'abc'], /no finding "abc"/],
    [['gone.json', ...WHY], /gone\.json: The file does not exist/],
    [[...WHY], /JSON report is missing/],
  ])('%j is a usage error (2), and no file is written', async (argv, expected) => {
    const { code, err } = await accept(argv);
    expect([code, err]).toEqual([2, expect.stringMatching(expected)]);
    expect(() => written()).toThrow();
  });

  test('an invalid baseline is reported with its line and left unchanged', async () => {
    const broken = 'baselineVersion: 1\naccepted:\n  - fingerprint: x\n';
    writeFileSync(join(cwd, 'banking-api.baseline.yaml'), broken);
    const { code, err } = await accept(['report.json', ...WHY]);
    expect([code, err]).toEqual([2, expect.stringMatching(/banking-api\.baseline\.yaml:3:\d+/)]);
    expect(written()).toBe(broken);
  });

  test.each(['', "a'b", 'two\nlines'])(
    'an invalid fingerprint in a report is reported with its place: %j',
    async (fingerprint) => {
      const { code, err } = await accept(['report.json', ...WHY], { findings: [finding(), finding({ fingerprint })] });
      expect(code).toBe(2);
      expect(err).toMatch(/report\.json:1:\d+ \(at \/findings\/1\/fingerprint\): [^:]*: 16 hexadecimal digits/);
      expect(() => written()).toThrow();
    },
  );

  test('D8: a secret in the reason of an entry does not reach the baseline', async () => {
    const env = { BANKING_API_USERNAME: 'tenant', BANKING_API_PASSWORD: 'planted-SECRET' };
    await accept(['report.json', '--reason', 'see planted-SECRET', '--expires', '2999-12-31'], undefined, env);
    expect(written()).not.toContain('planted-SECRET');
  });

  test('--prune removes stale entries with their comments, and accepts nothing', async () => {
    await accept(['report.json', ...WHY, '--owner', 'team']);
    const text = written();
    writeFileSync(
      join(cwd, 'banking-api.baseline.yaml'),
      text.replace("  - fingerprint: '00000000000000b2'", "  # CARD-2\n  - fingerprint: '00000000000000b2'"),
    );
    const stale = [{ fingerprint: '00000000000000b2', why: 'gone' }];
    const { code, err } = await accept(['report.json', '--prune'], { findings: FINDINGS, stale });
    expect([code, err]).toEqual([0, expect.stringContaining('1 stale entry removed; 1 left.')]);
    expect(await fingerprints()).toEqual(['00000000000000a1']);
    expect(text.startsWith(written())).toBe(true);
    const rest = [{ fingerprint: '00000000000000a1', why: 'gone' }];
    await accept(['report.json', '--prune'], { stale: rest });
    expect(await fingerprints()).toEqual([]);
    const again = await accept(['report.json', '--prune'], { stale: rest });
    expect(again.err).toContain('lists no stale entry');
    expect((await accept(['report.json', '--prune', ...WHY], { findings: FINDINGS })).code).toBe(0);
    expect(await fingerprints()).toEqual(['00000000000000a1', '00000000000000b2']);
  });

  test('a baseline for another target is rejected', async () => {
    const head = (target: string): void =>
      writeFileSync(join(cwd, 'banking-api.baseline.yaml'), `baselineVersion: 1\ntarget: ${target}\naccepted: []\n`);
    head('production.example.com');
    const refused = await accept(['report.json', ...WHY]);
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('is for production.example.com')]);
    expect((await accept(['report.json', '--prune'])).code).toBe(2);
    for (const target of ['sandbox.example.com', 'https://sandbox.example.com/', 'sandbox.example.com:443']) {
      head(target);
      expect([target, (await accept(['report.json', ...WHY])).code]).toEqual([target, 0]);
      expect(written()).toContain(`target: ${target}\n`);
    }
  });
});
