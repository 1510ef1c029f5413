/**
 * Every number that a report states, held to the exchanges: two nights against a stand-in, each with its journal. What the JSON report
 * says of findings, tickets and of what is new is computed again from the journal (`test/run/numbers.test.ts` does so of the coverage);
 * nothing here uses the code that counted it. The other formats are rendered from the JSON report: `samples.test.ts`.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { at, type Night, twoNights } from './nights.ts';

let nights: readonly [Night, Night];
beforeAll(async () => {
  nights = await twoNights();
}, 120_000);

const each = test.each([0, 1] as const);

/** The objects that hold the last part of a pointer, with `*` for any item. */
function holders(value: unknown, parts: readonly string[]): Record<string, unknown>[] {
  const [part = '', ...rest] = parts;
  if (typeof value !== 'object' || value === null) return [];
  const object = value as Record<string, unknown>;
  if (rest.length === 0) return part === '*' || Array.isArray(value) ? [] : [object];
  if (part === '*') return Array.isArray(value) ? value.flatMap((item) => holders(item, rest)) : [];
  return holders(object[part], rest);
}
const partsOf = (pointer: string): string[] => pointer.split('/').slice(1);

describe('the JSON report, held to the journal', () => {
  each('how often a finding occurred, in which exchanges, and what its ticket says of the last (night %i)', (index) => {
    const one = nights[index];
    const bySeq = new Map(one.journal.map((entry) => [entry.seq, entry]));
    const all = [...one.report.findings, ...one.report.accepted.map(({ finding }) => finding)];
    const counted = all.filter(({ rule, provenance }) => {
      return rule === 'undocumented-field' || (rule === 'type-contradicted' && provenance === 'documented');
    });
    expect(counted.length).toBeGreaterThan(4);
    for (const { rule, operationId, pointer, actual, occurrences, exchanges, ticket } of counted) {
      const parts = partsOf(pointer);
      const name = parts.at(-1) ?? '';
      const showing = one.journal.flatMap((entry) => {
        if (entry.operationId !== operationId || entry.response?.body?.kind !== 'json') return [];
        const objects = holders(entry.response.body.json, parts).filter((object) => Object.hasOwn(object, name));
        const isWrong = (value: unknown): boolean =>
          rule === 'undocumented-field' || typeof value === (actual === 'integer' ? 'number' : actual);
        const wrong = objects.filter((object) => isWrong(object[name]));
        return entry.response.status < 300 && wrong.length > 0 ? [{ seq: entry.seq, wrong: wrong.length }] : [];
      });
      expect(exchanges).toEqual(showing.map(({ seq }) => seq));
      expect(occurrences).toBe(showing.reduce((sum, { wrong }) => sum + wrong, 0));
      const last = bySeq.get(exchanges.at(-1) ?? 0);
      const field = (fields: readonly (readonly [string, string])[] = [], name: string) =>
        fields.find(([each]) => each === name)?.[1];
      expect(ticket).toMatchObject({
        at: last?.startedAt,
        requestIds: { 'x-request-id': field(last?.response?.headers, 'x-request-id') },
        sentIds: { 'x-correlation-id': field(last?.request.headers, 'x-correlation-id') },
      });
      expect(ticket?.requestIds['x-request-id']).toMatch(/^req-\d+$/);
    }
  });

  each(
    'a run lasts as long as its exchanges, and a check at least as long as those that show its findings (night %i)',
    (index) => {
      const { report, journal } = nights[index];
      const begin = Date.parse(report.startedAt);
      expect(begin).toBeLessThanOrEqual(Date.parse(journal[0]?.startedAt ?? ''));
      expect(begin + report.durationMs).toBeGreaterThanOrEqual(Date.parse(journal.at(-1)?.endedAt ?? ''));
      for (const { exchanges, checks = [] } of report.findings) {
        const own = journal.filter(({ seq }) => exchanges.includes(seq) && seq > 2);
        const spent = own.reduce((sum, { startedAt, endedAt }) => sum + Date.parse(endedAt) - Date.parse(startedAt), 0);
        const lasted = report.checks
          .filter(({ id }) => checks.includes(id))
          .reduce((sum, { durationMs }) => sum + durationMs, 0);
        expect(lasted).toBeGreaterThanOrEqual(spent - own.length);
      }
    },
  );

  test('what is new, known and gone, accepted and expired, follows from the two nights', () => {
    const [first, second] = nights;
    const { since, accepted, expired, findings } = second.report;
    const before = new Set(first.report.findings.map(({ fingerprint }) => fingerprint));
    expect(since?.previous).toBe(first.report.startedAt);
    expect(since?.new).toEqual(
      findings.filter(({ fingerprint }) => !before.has(fingerprint)).map((one) => one.fingerprint),
    );
    expect(since?.known).toEqual(
      findings.filter(({ fingerprint }) => before.has(fingerprint)).map((one) => one.fingerprint),
    );
    expect(since?.new).toContain(at(second, '/cardLimitMonthly').fingerprint);
    expect(since?.gone).toEqual([at(first, '/cards/*/cardDesign').fingerprint]);
    expect(accepted.map(({ finding }) => finding.pointer)).toEqual(['/cards/*/cardLimitTransaction']);
    expect(expired?.map(({ fingerprint }) => fingerprint)).toEqual([at(second, '/cardLimitDaily').fingerprint]);
    expect(first.report.since).toBeUndefined();
  });
});
