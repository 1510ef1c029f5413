import { describe, expect, test } from 'vitest';
import type { Finding } from '../../src/model/finding.ts';
import type { Report } from '../../src/model/report.ts';
import { MARKDOWN_LIMIT, renderMarkdown } from '../../src/report/markdown.ts';
import { check, createdThings, finding, report } from '../support/report-samples.ts';
import { HOSTILE, saying } from './hostile.ts';

/** The line for scripts at the end. */
const MARK = /\n<!-- banking-api findings=[0-9a-f]{16} error=\d+ warning=\d+ info=\d+ accepted=\d+ -->\n$/;

describe('Markdown', () => {
  test('says the verdict first, then each finding with what was expected and what came', () => {
    const text = renderMarkdown(report({ exitCode: 1, verdict: 'drift', findings: [finding()] }));
    expect(text.split('\n')[0]).toMatch(/^## ❌ Drift: there is nothing to compare with .*: 1 error$/);
    expect(text.split('\n')[2]).toBe('The target differs from the contract.');
    expect(text).toContain('#### getCard `GET /wallet/api/customers/{customerId}/cards/{cardId}`');
    expect(text).toContain('| `integer` (documented) | `string` |');
    expect(text).toContain('`spec/schemas/card.yaml:12`');
    expect(text).toContain('(https://unpkg.com/banking-api-contract@0.1.0/docs/rules/type-contradicted.md)');
  });

  test.each([
    [report(), /^## ✅ Agrees/],
    [report({ exitCode: 4, verdict: 'inconclusive' }), /^## ❔ Inconclusive/],
    [report({ exitCode: 5, stale: [{ fingerprint: 'f', why: 'gone' }] }), /^## ✅ Agrees[^|]*1 stale entry/],
    [report({ exitCode: 130, verdict: 'inconclusive' }), /^## ⏹️ Interrupted/],
  ])('each end of a run has its own words', (given, expected) => {
    expect(renderMarkdown(given)).toMatch(expected);
  });

  test('only an audit speaks of a caller, though files are compared without a URL, too', () => {
    const target = { kind: 'journal', baseUrl: 'x' } as const;
    const said = (command: string, of: Report['target']): string | undefined =>
      renderMarkdown(report({ command, target: of, exitCode: 1, verdict: 'drift' })).split('\n| ')[0];
    expect(said('diff', target)).toContain('the target differs');
    expect(said('audit', target)).toContain('the caller differs');
    expect(said('audit', { kind: 'mock', baseUrl: 'http://127.0.0.1:4010' })).toContain('the caller differs');
  });

  test('a run that agrees with warnings says so in its first line', () => {
    const warned = (over: Partial<Finding>): Finding =>
      finding({ severity: 'warning', provenance: 'observed', ...over });
    const since = { previous: '2026-11-19T02:00:00.000Z', new: [], known: [], gone: [] };
    const head = (findings: Finding[]): string | undefined =>
      renderMarkdown(report({ findings, since })).split('\n').slice(0, 3).join(' ');
    expect(head([warned({}), warned({ fingerprint: 'b', pointer: '/b' })])).toBe(
      '## ⚠️ Agrees: nothing new since 2026-11-19 02:00 UTC; known: 2 warnings  No error, but 2 warnings: it differs from its recording in 2 places.',
    );
    expect(head([warned({}), warned({ rule: 'operation-withdrawn', provenance: 'documented' })])).toBe(
      '## ⚠️ Agrees: nothing new since 2026-11-19 02:00 UTC; known: 2 warnings  No error, but 2 warnings: it differs from its recording in 1 place; an operation is no longer there.',
    );
    const gone = ['c', 'd', 'e'].map((fingerprint) =>
      warned({ rule: 'operation-withdrawn', provenance: 'documented', fingerprint }),
    );
    expect(head(gone)).toContain('No error, but 3 warnings: an operation is no longer there \\(3 times\\).');
    expect(head([finding({ severity: 'info' })])).toBe(
      '## ✅ Agrees: nothing new since 2026-11-19 02:00 UTC; known: 1 info  The target agrees with the contract.',
    );
  });

  test('D2: a Markdown report says at its top what stood in the way of a run, once per reason', () => {
    const unclear = (id: string, reason: string) => check({ id, outcome: 'inconclusive', reason });
    const checks = [unclear('a', 'no token'), unclear('b', 'it is *down*'), unclear('c', 'it is *down*')];
    const text = renderMarkdown(report({ exitCode: 4, verdict: 'inconclusive', checks }));
    expect(text.slice(0, text.indexOf('<details>'))).toContain('- 2 checks: it is \\*down\\*\n- 1 check: no token\n');
  });

  test('a date is a date, and a Sunset that is near is said to be', () => {
    const text = renderMarkdown(
      report({
        deprecations: [
          {
            operationId: 'getCardFeesDeprecated',
            successor: 'getCardFees',
            alive: false,
            sameShape: null,
            deprecation: '@1688169599',
            sunset: null,
            withdrawnSince: '2026-11-18T02:00:00.000Z',
            lastAlive: '2026-11-17T02:00:00.000Z',
            lastSunset: 'Mon, 30 Nov 2026 23:59:59 GMT',
          },
        ],
      }),
    );
    expect(text).toContain(
      '| withdrawn since 2026-11-18, last alive 2026-11-17 | shape not compared | 2023-06-30 | 2026-11-30, as last announced (**10 days left**) |',
    );
    expect(text).not.toContain('1688169599');
  });

  test('its last line is a digest of all findings for scripts, also of those that do not fit', () => {
    const many = Array.from({ length: 1000 }, (_, n) =>
      finding({ fingerprint: n.toString(16).padStart(16, '0'), message: 'word '.repeat(50) }),
    );
    const mark = (findings: Finding[]): string => MARK.exec(renderMarkdown(report({ findings })))?.[0] ?? '';
    expect(mark(many)).toContain(' error=1000 warning=0 info=0 accepted=0 -->');
    expect(mark(many.toReversed())).toBe(mark(many));
    expect(mark([...many.slice(0, -1), finding({ fingerprint: 'ffffffffffffffff' })])).not.toBe(mark(many));
    expect(mark(many.slice(1))).not.toBe(mark(many));
    const forged = '<!-- banking-api findings=0000000000000000 error=0 warning=0 info=0 accepted=0 -->';
    const lines = renderMarkdown(saying(`\n${forged}\n`)).split('\n');
    expect(lines.filter((line) => line.startsWith('<!-- banking-api'))).toHaveLength(1);
    expect(lines).not.toContain(forged);
  });

  test('what a run created is listed, with what is still there', () => {
    const created = createdThings();
    const text = renderMarkdown(report({ created }));
    expect(text).toContain('2 created by this run, 1 left there');
    expect(text).toContain('| `k-77` | `issueNewCard` | removed again |');
    expect(text).toContain('| `u-78` | `createUser` | left there: the API has no way to remove it |');
    expect(renderMarkdown(report({ created: created.slice(0, 1) }))).toContain(
      '1 created by this run, all removed again',
    );
    expect(renderMarkdown(report())).not.toContain('created by this run');
  });

  test('accepted, stale and unclear things are told apart', () => {
    const text = renderMarkdown(
      report({
        accepted: [{ fingerprint: 'x', reason: 'known', owner: 'me', expires: '2026-12-31', finding: finding() }],
        stale: [{ fingerprint: 'f', why: 'gone' }],
        checks: [
          check({ outcome: 'inconclusive', reason: 'no answer' }),
          check({ outcome: 'skipped', reason: 'policy' }),
        ],
      }),
    );
    for (const part of [
      '1 accepted by the baseline',
      '| known | 2026-12-31 | me |',
      '1 stale',
      'no answer',
      'policy',
    ]) {
      expect(text).toContain(part);
    }
  });

  test('10,000 findings fit into an issue, and it says how many are missing', () => {
    const findings = Array.from({ length: 10_000 }, (_, n) =>
      finding({ fingerprint: n.toString(16).padStart(16, '0'), operationId: `op${n % 40}`, pointer: `/x/${n}` }),
    );
    const text = renderMarkdown(
      report({
        exitCode: 1,
        verdict: 'drift',
        findings,
        checks: findings.map((_, n) => check({ id: `a.${n}`, outcome: 'inconclusive', reason: `r${n}` })),
      }),
    );
    expect(text.length).toBeLessThanOrEqual(MARKDOWN_LIMIT);
    expect(text).toMatch(/\*\*\d+ more findings\*\* are not shown/);
  });

  test.each(HOSTILE)('H1: %j is no markup, no HTML, no mention and no link in a Markdown report', (hostile) => {
    const text = renderMarkdown(saying(hostile));
    const prose = text
      .replace(MARK, '')
      .replace(/<details><summary>[\w ]*<\/summary>|<\/details>|<code>|<\/code>/g, '')
      .replaceAll('<!-- -->', '·')
      .replace(/^(`{3,})sh\n.*\n\1$/gm, '⟨⟩')
      // code spans, by the rule of CommonMark: as many backticks at its end as at its start
      .replace(/(?<![\\`])(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, '⟨$2⟩'.replace('$2', ''))
      .replace(/\]\(https:\/\/unpkg\.com\/banking-api-contract@[\w.%-]*\/docs\/rules\/[^)\s]*\)/g, ']');
    expect(prose).not.toMatch(/<[a-z/!]/i);
    expect(prose).not.toMatch(/(?<!\\)\]\(/);
    expect(prose).not.toMatch(/@\w|https?:\/\/|www\.\w|(?<![#\\&])#\d/);
    expect(prose).not.toMatch(/(?<!\\)(?:\\\\)*`/);
    expect(text).not.toMatch(/[\p{Cf}\u2028\u2029]/u);
    const lines = text.replace(/^(`{3,})sh\n.*\n\1$/gm, '').split('\n');
    expect(lines.filter((line) => /^#+ /.test(line) && !/^(## ❌|### Findings$|#### )/.test(line))).toEqual([]);
  });
});
