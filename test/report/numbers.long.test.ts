/**
 * Every number that a report states, held to the exchanges: two nights against a stand-in, each with its journal. What the JSON report
 * says of findings, tickets and of what is new is computed again from the journal (`test/run/numbers.test.ts` does so of the coverage),
 * and what every other format says from the JSON report; nothing here uses the code that counted it.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { at, type Night, stated, twoNights, words } from './nights.ts';
import type { XmlNode } from './xml.ts';

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

const plainText = (html: string): string =>
  html
    .slice(html.indexOf('<body'))
    .replaceAll(/<(?:style|script)[\s\S]*?<\/(?:style|script)>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
const unescaped = (markdown: string): string =>
  markdown.replaceAll(/<!-- -->|\\(?=[^\w\s])/g, '').replaceAll('&#58;', ':');

describe('the other formats, held to the JSON report', () => {
  const sentences = (one: Night): string[] => stated(one).since.map((part) => part.toLowerCase());

  each('text (night %i)', (index) => {
    const one = nights[index];
    const told = stated(one);
    for (const part of sentences(one)) expect(one.text.toLowerCase()).toContain(part);
    expect(one.text).toContain(`run ${told.ran}, `);
    expect(one.text).toContain(`findings ${told.findings} checks ${told.checks} `);
    expect(one.text).toContain(`${told.located} of ${told.operations} operations located, ${told.called} called`);
    expect(one.text).toContain(`fields seen: ${told.seen} of ${told.fields} documented`);
    expect(one.text).toContain(`${told.operations - told.located} operations not located`);
    const { skipped = [], inconclusive = [] } = Object.groupBy(one.report.checks, ({ outcome }) => outcome);
    expect(one.text).toContain(`${skipped.length} checks were skipped:`);
    for (const [reason, own] of Map.groupBy([...skipped, ...inconclusive], (check) => check.reason)) {
      if (own.length > 1) expect(one.text).toContain(`${own.length} × ${reason}`);
    }
    for (const { severity, occurrences, exchanges, fingerprint, ticket } of one.report.findings) {
      if (severity === 'info') continue;
      const numbers = `${words(exchanges.length, 'exchange').replace(/^\d+ /, '')} ${exchanges.slice(0, 5).join(', ')}`;
      expect(one.text).toContain(`seen ${words(occurrences, 'time')}, ${numbers}`);
      expect(one.text).toContain(`fingerprint ${fingerprint}`);
      expect(one.text).toContain(`at ${ticket?.at}, x-request-id: ${ticket?.requestIds['x-request-id']}`);
    }
    const fresh = one.report.findings.filter(({ rule }) => rule === 'undocumented-field');
    for (const [operationId, own] of Map.groupBy(fresh, (finding) => finding.operationId)) {
      const many = words(own.length, 'field');
      expect(one.text).toMatch(new RegExp(`${operationId} [^.]*answers with ${many} that the reference does not show`));
    }
  });

  each('Markdown (night %i)', (index) => {
    const one = nights[index];
    const told = stated(one);
    const text = unescaped(one.markdown);
    for (const part of sentences(one)) expect(text.toLowerCase()).toContain(part);
    expect(text).toContain(`| Run | ${told.ran}, `);
    expect(text).toContain(`| Findings | ${told.findings} |\n| Checks | ${told.checks} |`);
    expect(text).toContain(
      `${told.located} of ${told.operations} operations located, ${told.called} called; ${told.seen} of ${told.fields} known fields seen.`,
    );
    expect(text).toContain(`<summary>${told.ended('skipped')} checks skipped</summary>`);
    expect(text).toContain(`<summary>${words(told.idle, 'operation')} not called</summary>`);
    const number = (severity: string): number =>
      one.report.findings.filter((each) => each.severity === severity).length;
    expect(one.markdown).toContain(
      ` error=${number('error')} warning=${number('warning')} info=${number('info')} accepted=${one.report.accepted.length} -->`,
    );
    for (const { severity, occurrences, fingerprint, ticket } of one.report.findings) {
      if (severity === 'info') continue;
      expect(text).toMatch(
        new RegExp(`Seen ${words(occurrences, 'time')}, first seen [\\d-]+\\. Fingerprint \`${fingerprint}\``),
      );
      expect(text).toContain(`At ${ticket?.at}, x-request-id: ${ticket?.requestIds['x-request-id']}`);
    }
  });

  each('HTML (night %i)', (index) => {
    const one = nights[index];
    const told = stated(one);
    const text = plainText(one.html);
    for (const part of sentences(one)) expect(text.toLowerCase()).toContain(part);
    const { findings, accepted, durationMs, checks } = one.report;
    const number = (severity: string): number => findings.filter((each) => each.severity === severity).length;
    expect(text).toContain(`Took ${(durationMs / 1000).toFixed(1)} s`);
    expect(text).toMatch(
      new RegExp(
        `Findings ${findings.length} ${number('error')} errors? ${number('warning')} warnings? ${number('info')} info ${accepted.length} accepted`,
      ),
    );
    expect(text).toContain(
      `Checks ${told.ended('passed')} of ${checks.length} passed ${told.ended('failed')} failed ${told.ended('inconclusive')} inconclusive ${told.ended('skipped')} skipped`,
    );
    expect(text).toContain(
      `Known fields seen ${Math.floor((100 * told.seen) / told.fields)} % ${told.seen} of ${told.fields} fields ${told.called} of ${told.operations} operations called`,
    );
    if (told.unanswered > 0) expect(text).toContain(`${told.unanswered} without a good answer`);
    expect(text).toContain(`${told.idle} operations not called`);
    const loud = findings.filter(({ severity }) => severity !== 'info');
    const operations = new Set(loud.map(({ operationId }) => operationId)).size;
    expect(text).toContain(`in ${words(loud.length, 'place')}, in ${words(operations, 'operation')}.`);
    for (const { occurrences, fingerprint, ticket } of loud) {
      const card = plainText(`<body ${one.html.slice(one.html.indexOf(`id="f-${fingerprint}"`))}`).slice(0, 1500);
      expect(card).toContain(`Actual ${words(occurrences, 'time')}`);
      expect(card).toContain(`At ${ticket?.at} x-request-id ${ticket?.requestIds['x-request-id']}`);
    }
    for (const { operationId, goodAnswers = 0, fields } of one.report.coverage.operations) {
      if (goodAnswers === 0 || fields.length === 0) continue;
      const row = plainText(`<body ${one.html.slice(one.html.indexOf(`<code class="label">${operationId}<`))}`);
      expect(row).toMatch(
        new RegExp(`^${operationId} ${fields.filter(({ seen }) => seen > 0).length} of ${fields.length} `),
      );
      for (const { pointer, provenance, seen, of } of fields) {
        expect(row.slice(0, 3000)).toContain(`${pointer} ${provenance} ${seen} of ${of}`);
      }
    }
  });

  each('JUnit (night %i)', (index) => {
    const { junit, report } = nights[index];
    const cases = junit.children.flatMap((suite) => suite.children.filter(({ name }) => name === 'testcase'));
    const having = (nodes: readonly XmlNode[], name: string): number =>
      nodes.filter(({ children }) => children.some((child) => child.name === name)).length;
    const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);
    expect(junit.attributes).toMatchObject({
      tests: String(report.checks.length),
      failures: String(report.checks.filter(({ outcome }) => outcome === 'failed').length),
      errors: String(report.checks.filter(({ outcome }) => outcome === 'inconclusive').length),
      time: seconds(report.durationMs),
    });
    expect(cases.map(({ attributes }) => [attributes.name, attributes.time]).sort()).toEqual(
      report.checks.map(({ id, durationMs }) => [id, seconds(durationMs)]).sort(),
    );
    for (const { attributes, children } of junit.children) {
      const own = children.filter(({ name }) => name === 'testcase');
      const checks = report.checks.filter(({ id }) => id.startsWith(`${attributes.name}.`));
      expect(attributes).toMatchObject({
        tests: String(own.length),
        failures: String(having(own, 'failure')),
        errors: String(having(own, 'error')),
        skipped: String(having(own, 'skipped')),
        time: seconds(checks.reduce((sum, { durationMs }) => sum + durationMs, 0)),
        timestamp: report.startedAt.slice(0, 19),
      });
    }
    const [properties] = junit.children[0]?.children ?? [];
    const since = properties?.children.find(({ attributes }) => attributes.name === 'since')?.attributes.value;
    for (const part of sentences(nights[index])) expect(since?.toLowerCase()).toContain(part);
    const text = cases.flatMap(({ children }) => children.map((child) => child.text)).join('\n');
    for (const { severity, ticket } of report.findings) {
      if (severity !== 'info')
        expect(text).toContain(`seen at: ${ticket?.at}, x-request-id: ${ticket?.requestIds['x-request-id']}`);
    }
  });

  each('SARIF (night %i)', (index) => {
    const { sarif, report } = nights[index];
    const [invocation] = sarif.invocations;
    expect(invocation).toMatchObject({
      exitCode: report.exitCode,
      startTimeUtc: report.startedAt,
      endTimeUtc: new Date(Date.parse(report.startedAt) + report.durationMs).toISOString(),
    });
    const loud = report.findings.filter(({ severity }) => severity !== 'info');
    const told = sarif.results.map((one) => [
      one.partialFingerprints['bankingApiContract/v1'],
      one.occurrenceCount,
      one.suppressions?.length ?? 0,
      one.baselineState,
      one.properties.ticket?.[0]?.split(',')[0],
    ]);
    const { since } = report;
    const state = (fingerprint: string): string | undefined =>
      since === undefined ? undefined : since.new.includes(fingerprint) ? 'new' : 'unchanged';
    expect(told.sort()).toEqual(
      [
        ...loud.map((one) => [
          one.fingerprint,
          one.occurrences,
          0,
          state(one.fingerprint),
          `seen at: ${one.ticket?.at}`,
        ]),
        ...report.accepted.map(({ finding: one }) => [
          ...[one.fingerprint, one.occurrences, 1, since && 'unchanged', `seen at: ${one.ticket?.at}`],
        ]),
      ].sort(),
    );
    const texts = invocation?.toolExecutionNotifications.map(({ message }) => message.text) ?? [];
    for (const part of sentences(nights[index])) expect(texts[0]?.toLowerCase()).toContain(part);
    const unclear = report.checks.filter(({ outcome }) => outcome === 'inconclusive');
    for (const [reason, own] of Map.groupBy(unclear, (check) => check.reason)) {
      if (own.length > 1) expect(texts).toContainEqual(expect.stringContaining(`${own.length} checks: ${reason}`));
    }
  });
});
