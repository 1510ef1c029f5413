import { describe, expect, test } from 'vitest';
import type { Finding } from '../../src/model/finding.ts';
import { MARKDOWN_LIMIT, renderMarkdown } from '../../src/report/markdown.ts';
import { check, finding, report } from '../support/report-samples.ts';
import { saying } from './hostile.ts';

/** The last line, for scripts. */
const MARK =
  /\n<!-- banking-api findings=[0-9a-f]{16} target=[0-9a-f]{16} error=\d+ warning=\d+ info=\d+ accepted=\d+ -->\n$/;

describe('Markdown', () => {
  test('the last line is a digest of all findings for scripts, including omitted ones', () => {
    const many = Array.from({ length: 1000 }, (_, n) =>
      finding({ fingerprint: n.toString(16).padStart(16, '0'), message: 'word '.repeat(50) }),
    );
    const mark = (findings: Finding[]): string => MARK.exec(renderMarkdown(report({ findings })))?.[0] ?? '';
    expect(mark(many)).toContain(' error=1000 warning=0 info=0 accepted=0 -->');
    expect(mark(many.toReversed())).toBe(mark(many));
    expect(mark([...many.slice(0, -1), finding({ fingerprint: 'ffffffffffffffff' })])).not.toBe(mark(many));
    expect(mark(many.slice(1))).not.toBe(mark(many));
    const forged =
      '<!-- banking-api findings=0000000000000000 target=0000000000000000 error=0 warning=0 info=0 accepted=0 -->';
    const lines = renderMarkdown(saying(`\n${forged}\n`)).split('\n');
    expect(lines.filter((line) => line.startsWith('<!-- banking-api'))).toHaveLength(1);
    expect(lines).not.toContain(forged);
  });

  test('10,000 findings fit into an issue, which states the number of omitted ones', () => {
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
    expect(text).toMatch(/\*\*\d+ more\*\* in the JSON report\./);
  });
});
