import { expect, test } from 'vitest';
import type { Report } from '../../src/model/report.ts';
import { withHistory } from '../../src/report/history.ts';
import { renderText } from '../../src/report/text.ts';
import { finding, report } from '../support/report-samples.ts';

const target = { kind: 'url', baseUrl: 'https://bank.example' } as const;

/** A run that saw some of ten fields of getCard. */
function night(date: string, seen: number, over: Partial<Report> = {}): Report {
  const fields = [...Array(10).keys()].map((index) => ({
    pointer: `/f${index}`,
    provenance: 'documented' as const,
    seen: index < seen ? 1 : 0,
    of: 1,
  }));
  const operations = [
    { operationId: 'getCard', located: 'documented' as const, exercised: true, goodAnswers: 1, fields, notShown: [] },
  ];
  return report({ startedAt: `${date}T02:00:00.000Z`, target, findings: [], coverage: { operations }, ...over });
}

test('a difference names the last run that saw the fact as it should be', () => {
  const wrong = finding({ pointer: '/f0' });
  const nights = [night('2026-11-01', 10), night('2026-11-02', 10), night('2026-11-03', 10, { findings: [wrong] })];
  const { findings } = withHistory(night('2026-11-04', 10, { findings: [wrong] }), nights);
  expect(findings[0]?.lastConfirmed).toBe('2026-11-02T02:00:00.000Z');
  expect(renderText(withHistory(night('2026-11-04', 10, { findings: [wrong] }), nights))).toContain(
    'last confirmed on 2026-11-02',
  );
});

test('a fact that no earlier run saw has no date, and a mock confirms nothing', () => {
  const missing = finding({ pointer: '/f9' });
  const mocked = night('2026-11-02', 10, { target: { ...target, kind: 'mock' } });
  const told = withHistory(night('2026-11-04', 9, { findings: [missing] }), [night('2026-11-01', 9), mocked]);
  expect(told.findings[0]).not.toHaveProperty('lastConfirmed');
});

test('the first lines ask to record again if more than a tenth of the facts are older than 60 days', () => {
  const told = (seen: number, days?: number): Report =>
    withHistory(night('2026-11-20', seen), [night('2026-09-20', 10)], undefined, days);
  expect(told(8).age).toEqual({ old: 2, of: 10, days: 60 });
  expect(renderText(told(8)).split('\n').slice(0, 8).join('\n')).toMatch(
    /age +record again: 2 of 10 known fields were not seen for 60 days/,
  );
  // a tenth, and a longer time
  expect(told(9).age).toBeUndefined();
  expect(told(8, 61).age).toBeUndefined();
});

test('a fact does not age if the last run saw it, or if no run ever saw it', () => {
  expect(withHistory(night('2026-11-20', 3), [night('2026-09-01', 3)]).age).toBeUndefined();
});
