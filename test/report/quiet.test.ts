/** What is worth little stays out of the way of what has to be done this morning. */
import { expect, test } from 'vitest';
import type { GoneFinding, Report } from '../../src/model/report.ts';
import { renderHtml } from '../../src/report/html.ts';
import { renderText } from '../../src/report/text.ts';
import { nextSteps } from '../../src/report/words/next-steps.ts';
import { sinceSentence } from '../../src/report/words/since.ts';
import { check, finding, report } from '../support/report-samples.ts';

const PREVIOUS = '2026-11-19T02:00:00.000Z';
const SINCE = { previous: PREVIOUS, new: [], known: [], gone: [] };

const gone = (fingerprint: string, severity: GoneFinding['severity']): GoneFinding => ({
  ...{ fingerprint, severity, rule: 'undocumented-field', operationId: 'getCard', pointer: `/${fingerprint}` },
  ...{ firstSeen: PREVIOUS, lastSeen: PREVIOUS },
});
const RUN = { verdict: 'agrees', exitCode: 0, findings: { error: 0, warning: 0, info: 0 }, accepted: 0 } as const;
const history = (...all: GoneFinding[]): NonNullable<Report['history']> => ({
  runs: [PREVIOUS, '2026-11-20T02:00:00.000Z'].map((startedAt) => ({ ...RUN, startedAt })),
  gone: all,
});

test('infos that are gone, since they were recorded, are counted as such and folded', () => {
  const all = [gone('e1', 'error'), gone('i1', 'info'), gone('i2', 'info')];
  const told = report({ since: { ...SINCE, gone: ['e1', 'i1', 'i2'] }, history: history(...all) });
  expect(sinceSentence(told)).toBe('nothing new since 2026-11-19 02:00 UTC; 3 gone (1 error, 2 info)');
  const page = renderHtml(told);
  expect(page.indexOf('/i1')).toBeGreaterThan(page.indexOf('<summary>2 of severity info</summary>'));
  expect(page.indexOf('/e1')).toBeLessThan(page.indexOf('<summary>2 of severity info</summary>'));
  // what the history does not have is counted only
  expect(sinceSentence({ ...told, history: history() })).toContain('; 3 gone');
});

test('a run that could not judge all says so where it found nothing new', () => {
  const told = report({ since: SINCE, verdict: 'inconclusive', exitCode: 4 });
  expect(sinceSentence(told)).toBe('nothing new since 2026-11-19 02:00 UTC in what could be judged');
});

test('a page of a run that drifted says what could not be judged, too', () => {
  const unclear = check({
    id: 'fees.answers.getCardFees',
    outcome: 'inconclusive',
    reason: 'the service /billing is out',
  });
  const page = renderHtml(report({ verdict: 'drift', exitCode: 1, findings: [finding()], checks: [check(), unclear] }));
  expect(page.slice(0, page.indexOf('class="facts"'))).toContain('the service /billing is out');
});

test('a note that only names infos is not said twice', () => {
  const quiet = 'info: undocumented-field (6 times), info: type-contradicted';
  const checks = [check({ reason: quiet }), check({ id: 'b', reason: 'info: undocumented-field, answered after 503' })];
  const text = renderText(report({ checks }));
  expect(text).toContain('1 check passed with a note:');
  expect(text).not.toContain(quiet);
});

test('what more could be watched is advice for a morning that agrees', () => {
  const operations = [
    {
      ...({ operationId: 'getCard', located: 'documented', exercised: true, goodAnswers: 1, notShown: [] } as const),
      fields: [{ pointer: '/a', provenance: 'observed', seen: 1, of: 1 } as const],
    },
    { operationId: 'getClients', located: null, exercised: false, fields: [], notShown: [] },
  ];
  const told = report({ since: SINCE, coverage: { operations } });
  expect(nextSteps(told).join(' ')).toContain('docs/overlays.md');
  const drifted = { ...told, verdict: 'drift', exitCode: 1, findings: [finding()] } as const;
  expect(nextSteps(drifted).join(' ')).not.toContain('docs/overlays.md');
});
