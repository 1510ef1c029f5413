import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Report } from '../../src/model/report.ts';
import { createRedactor } from '../../src/redact/redact.ts';
import { keepInHistory, MOST_REPORTS, readHistory, unjudgedIn, withHistory } from '../../src/report/history.ts';
import { check, finding, report } from '../support/report-samples.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const on = (day: number, over: Partial<Report> = {}): Report =>
  report({ startedAt: `2026-11-${String(day).padStart(2, '0')}T02:00:00.000Z`, ...over });

describe('nights that could not judge', () => {
  const why = (operations: number) =>
    ({ kind: 'unsettled', service: '/core', answer: '403', operations, said: '' }) as const;
  const night = (day: number, ...ids: string[]): Report =>
    on(day, {
      target: { kind: 'url', baseUrl: 'https://bank.example' },
      checks: ids.map((operationId) => check({ operationId, outcome: 'inconclusive', why: why(ids.length) })),
    });
  const unsettled = (...nights: Report[]): string[] =>
    unjudgedIn(nights, 'https://bank.example', Date.parse('2026-11-20T02:00:00Z')).unsettled;

  test('balanced evidence of two nights before makes a warning, if it is the same operation', () => {
    expect(unsettled(night(18, 'getCard', 'getClient'), night(19, 'getCard'))).toEqual(['getCard']);
    expect(unsettled(night(19, 'getCard'))).toEqual([]);
    expect(unsettled(night(18, 'getClient'), night(19, 'getCard'))).toEqual([]);
    expect(unsettled(night(17, 'getCard'), night(18, 'getCard'), night(19))).toEqual([]);
  });

  test('two runs of one night count once, and other targets do not count', () => {
    expect(unsettled(night(19, 'getCard'), night(19, 'getCard'))).toEqual([]);
    expect(unsettled(night(20, 'getCard'), night(19, 'getCard'))).toEqual([]);
    const elsewhere = { ...night(18, 'getCard'), target: { kind: 'url', baseUrl: 'https://other.example' } } as const;
    expect(unsettled(elsewhere, night(19, 'getCard'))).toEqual([]);
  });
});

describe('history from earlier reports', () => {
  test('D4: a finding has the dates it was first and last seen', () => {
    const told = withHistory(on(20, { findings: [finding()] }), [on(18, { findings: [finding()] }), on(19)]);
    expect(told.findings[0]).toMatchObject({
      firstSeen: '2026-11-18T02:00:00.000Z',
      lastSeen: '2026-11-20T02:00:00.000Z',
    });
  });

  test('dates survive the loss of older reports, and accepted findings keep their dates', () => {
    const old = finding({ firstSeen: '2026-01-01T02:00:00.000Z' });
    const entry = { fingerprint: old.fingerprint, reason: 'r', owner: null, expires: '2026-12-31', finding: old };
    const told = withHistory(on(20, { findings: [finding()] }), [on(19, { accepted: [entry] })]);
    expect(told.findings[0]?.firstSeen).toBe('2026-01-01T02:00:00.000Z');
    const again = withHistory(on(20, { accepted: [{ ...entry, finding: finding() }] }), [on(19, { findings: [old] })]);
    expect(again.accepted[0]?.finding.firstSeen).toBe('2026-01-01T02:00:00.000Z');
  });

  test('fixed findings are listed with their dates', () => {
    const told = withHistory(on(20), [on(17, { findings: [finding()] }), on(18, { findings: [finding()] }), on(19)]);
    expect(told.history?.gone).toEqual([
      {
        fingerprint: '00000000000000a1',
        rule: 'type-contradicted',
        severity: 'error',
        operationId: 'getCard',
        pointer: '/cardLimitDaily',
        checks: ['cards.shape.getCard'],
        firstSeen: '2026-11-17T02:00:00.000Z',
        lastSeen: '2026-11-18T02:00:00.000Z',
      },
    ]);
  });

  test('D1: a finding that this run could not check is not reported as fixed', () => {
    const before = [on(18, { findings: [finding()] })];
    const told = (over: Partial<Report>): string[][] => {
      const { gone = [], notLookedFor = [] } = withHistory(on(20, over), before).history ?? {};
      return [gone, notLookedFor].map((each) => each.map(({ fingerprint }) => fingerprint));
    };
    const only = ['00000000000000a1'];
    expect(told({ checks: [check()] })).toEqual([only, []]);
    for (const outcome of ['inconclusive', 'skipped'] as const) {
      expect([outcome, told({ checks: [check({ outcome })] })]).toEqual([outcome, [[], only]]);
    }
    expect(told({ checks: [] })).toEqual([[], only]);
    expect(told({ exitCode: 130, verdict: 'inconclusive' })).toEqual([[], only]);
    // the check ran, but no answer had the field
    const fields = [{ pointer: '/cardLimitDaily', provenance: 'documented' as const, seen: 0, of: 2 }];
    const getCard = { operationId: 'getCard', located: 'documented' as const, exercised: true, fields, notShown: [] };
    expect(told({ coverage: { operations: [getCard] } })).toEqual([[], only]);
    expect(told({ findings: [finding()] })).toEqual([[], []]);
  });

  test('an audit does not report findings of rules without evidence as fixed', () => {
    const broken = finding({ rule: 'token-in-url', checks: undefined as never, operationId: null });
    for (const [outcome, gone] of [
      ['kept', 1],
      ['undecided', 0],
      ['not-exercised', 0],
    ] as const) {
      const rules = [{ rule: 'token-in-url', outcome }];
      const { history } = withHistory(on(20, { rules }), [on(19, { findings: [broken] })]);
      expect([history?.gone.length, history?.notLookedFor?.length]).toEqual([gone, 1 - gone]);
    }
  });

  test('reports of another target or command, and later reports, do not count', () => {
    const told = withHistory(on(20), [
      on(19, { target: { kind: 'url', baseUrl: 'https://production.example.com' } }),
      on(19, { command: 'audit' }),
      on(21),
    ]);
    expect(told.history?.runs).toHaveLength(1);
    const mock = (port: number, day: number): Report =>
      on(day, { target: { kind: 'mock', baseUrl: `http://127.0.0.1:${port}` } });
    expect(withHistory(mock(1, 20), [mock(2, 19)]).history?.runs).toHaveLength(2);
    const down = on(20, { target: { kind: 'url', baseUrl: 'http://127.0.0.1:1' } });
    expect(withHistory(down, [mock(1, 19), mock(2, 18)]).history?.runs).toHaveLength(2);
  });
});

describe('history folders', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });

  test('reports are read oldest first, and parallel runs do not overwrite each other', async () => {
    for (const day of [20, 18, 19, 18]) await keepInHistory(folder, on(day));
    expect(readdirSync(folder)).toHaveLength(4);
    const { reports, notes } = await readHistory(folder);
    expect(reports.map(({ startedAt }) => startedAt.slice(8, 10))).toEqual(['18', '18', '19', '20']);
    expect(notes).toEqual([]);
  });

  test('an invalid report is skipped with a note that names it, and other files are ignored', async () => {
    await keepInHistory(folder, on(18));
    writeFileSync(join(folder, 'broken.json'), '{');
    writeFileSync(join(folder, 'other.json'), '{"name":"x"}');
    writeFileSync(join(folder, 'newer.json'), JSON.stringify({ ...on(18), reportVersion: 2 }));
    mkdirSync(join(folder, 'folder.json'));
    writeFileSync(join(folder, 'readme.txt'), '{');
    const { reports, notes } = await readHistory(folder);
    expect(reports).toHaveLength(1);
    expect(notes).toHaveLength(4);
    for (const name of ['broken.json', 'other.json', 'newer.json', 'folder.json']) {
      expect(notes.join('\n')).toContain(name);
    }
  });

  test('a missing folder is empty and created by the first report; a file is not accepted as a folder', async () => {
    const missing = join(folder, 'a', 'b');
    expect(await readHistory(missing)).toEqual({
      reports: [],
      notes: [expect.stringContaining(`no folder ${missing}`)],
    });
    await keepInHistory(missing, on(18));
    expect((await readHistory(missing)).reports).toHaveLength(1);
    writeFileSync(join(folder, 'file'), '');
    await expect(readHistory(join(folder, 'file'))).rejects.toMatchObject({ code: 'file-unreadable' });
  });

  test('only the parts of a report that later reports need stay in memory', async () => {
    const parts = [{ operationId: 'getCard', pointer: '/a', fingerprint: '00000000000000f1' }];
    const often = finding({ message: 'm'.repeat(5000), actual: 'object', checks: ['cards.answers.getCard'] });
    const other = finding({ fingerprint: '00000000000000c3', severity: 'info', operationId: null, parts });
    const gone = finding({ fingerprint: '00000000000000d4', operationId: 'getClient' });
    const entry = { fingerprint: gone.fingerprint, reason: 'r', owner: null, expires: '2026-12-31', finding: gone };
    const nights = [
      on(17, { findings: [often, gone, other] }),
      on(18, { findings: [often, other], accepted: [entry] }),
      on(19, { findings: [often], verdict: 'drift', exitCode: 1 }),
    ].map((each, index, all) => withHistory(each, all.slice(0, index)));
    for (const night of nights) await keepInHistory(folder, night);
    const { reports } = await readHistory(folder);
    const tonight = on(20, { findings: [finding()], checks: [check({ operationId: 'getClient' })] });
    expect(withHistory(tonight, reports)).toEqual(withHistory(tonight, nights));
    expect(JSON.stringify(reports).length).toBeLessThan(5000);
    expect((await readHistory(folder, AbortSignal.abort())).reports).toEqual([]);
  });

  test('only the last reports of a long history are read', async () => {
    const text = JSON.stringify(on(18));
    for (let n = 0; n < MOST_REPORTS + 3; n++) writeFileSync(join(folder, `r${String(n).padStart(4, '0')}.json`), text);
    const { reports, notes } = await readHistory(folder);
    expect(reports).toHaveLength(MOST_REPORTS);
    expect(notes).toEqual([expect.stringContaining('3 older by name')]);
  });

  test('D8: a report in the history is redacted', async () => {
    const redactor = createRedactor({ secrets: ['planted-SECRET'] });
    await keepInHistory(folder, on(18, { findings: [finding({ message: 'got planted-SECRET' })] }), redactor);
    expect(JSON.stringify((await readHistory(folder)).reports)).not.toContain('planted-SECRET');
  });
});
