import { describe, expect, test } from 'vitest';
import { MARKDOWN_LIMIT, renderMarkdown } from '../../src/report/markdown.ts';
import { check, finding, report } from '../support/report-samples.ts';
import { HOSTILE, saying } from './hostile.ts';

describe('Markdown', () => {
  test('says the verdict first, then each finding with what was expected and what came', () => {
    const text = renderMarkdown(report({ exitCode: 1, verdict: 'drift', findings: [finding()] }));
    expect(text.split('\n')[0]).toBe('## ❌ Drift: the target differs from the contract');
    expect(text).toContain('#### getCard `GET /wallet/api/customers/{customerId}/cards/{cardId}`');
    expect(text).toContain('| `integer` (documented) | `string` |');
    expect(text).toContain('`spec/schemas/card.yaml:12`');
    expect(text).toContain('(https://unpkg.com/banking-api-contract@0.1.0/docs/rules/type-contradicted.md)');
  });

  test.each([
    [report(), /^## ✅ Agrees/],
    [report({ exitCode: 4, verdict: 'inconclusive' }), /^## ❔ Inconclusive/],
    [report({ exitCode: 5, stale: [{ fingerprint: 'f', why: 'gone' }] }), /^## ✅ Agrees.*1 stale entry/],
    [report({ exitCode: 130, verdict: 'inconclusive' }), /^## ⏹️ Interrupted/],
  ])('each end of a run has its own words', (given, expected) => {
    expect(renderMarkdown(given)).toMatch(expected);
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

  test.each(HOSTILE)('H1: %j is no markup, no HTML, no mention and no link', (hostile) => {
    const text = renderMarkdown(saying(hostile));
    const prose = text
      .replace(/<details><summary>[\w ]*<\/summary>|<\/details>|<code>|<\/code>/g, '')
      .replaceAll('<!-- -->', '·')
      // code spans, by the rule of CommonMark: as many backticks at its end as at its start
      .replace(/(?<![\\`])(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, '⟨$2⟩'.replace('$2', ''))
      .replace(/\]\(https:\/\/unpkg\.com\/banking-api-contract@0\.1\.0\/docs\/rules\/[^)\s]*\)/g, ']');
    expect(prose).not.toMatch(/<[a-z/!]/i);
    expect(prose).not.toMatch(/(?<!\\)\]\(/);
    expect(prose).not.toMatch(/@\w|https?:\/\/|www\.\w|(?<![#\\&])#\d/);
    expect(prose).not.toMatch(/(?<!\\)(?:\\\\)*`/);
    expect(text).not.toMatch(/[\p{Cf}\u2028\u2029]/u);
    expect(text.split('\n').filter((line) => /^#+ /.test(line) && !/^(## ❌|### Findings$|#### )/.test(line))).toEqual(
      [],
    );
  });
});
