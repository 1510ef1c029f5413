import { describe, expect, test } from 'vitest';
import { renderSarif } from '../../src/report/sarif.ts';
import { finding, report } from '../support/report-samples.ts';
import { HOSTILE, saying } from './hostile.ts';

interface Run {
  readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string; readonly helpUri: string }[] } };
  readonly invocations: readonly object[];
  readonly results: readonly {
    readonly ruleId: string;
    readonly ruleIndex: number;
    readonly message: { readonly text: string };
    readonly locations: readonly [
      { readonly physicalLocation: { readonly artifactLocation: { readonly uri: string }; readonly region: object } },
    ];
  }[];
}

const run = (text: string): Run => (JSON.parse(text) as { runs: [Run] }).runs[0];
const urisOf = ({ results }: Run): string[] =>
  results.map(({ locations: [at] }) => at.physicalLocation.artifactLocation.uri);

describe('SARIF', () => {
  test('a finding is a result on the contradicted line, with its fingerprint and a rule that has a page', () => {
    const text = renderSarif(report({ exitCode: 1, verdict: 'drift', findings: [finding()] }));
    const { results, tool } = run(text);
    expect(results[0]).toMatchObject({
      ruleId: 'type-contradicted',
      level: 'error',
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'spec/schemas/card.yaml', uriBaseId: '%SRCROOT%' },
            region: { startLine: 12, startColumn: 7 },
          },
        },
      ],
    });
    expect(tool.driver.rules[0]?.helpUri).toBe(
      'https://unpkg.com/banking-api-contract@0.1.0/docs/rules/type-contradicted.md',
    );
  });

  test('a finding without a line points at the contract; a file below the checkout is relative to it', () => {
    const text = renderSarif(
      report({
        findings: [
          finding({ location: null }),
          finding({ location: { file: '/repo/over lays/a.yaml', line: 1, column: 1 } }),
          finding({ location: { file: '/else/where.yaml', line: 1, column: 1 } }),
        ],
      }),
      { root: '/repo' },
    );
    expect(urisOf(run(text))).toEqual(['spec/openapi.yaml', 'over%20lays/a.yaml', 'file:///else/where.yaml']);
  });

  test('a report file whose run ended on no day of any calendar is shown without its times', () => {
    const [invocation] = run(renderSarif(report({ durationMs: 1e300 }))).invocations;
    expect(invocation).toMatchObject({ exitCode: 0 });
    expect(invocation).not.toHaveProperty('endTimeUtc');
  });

  test.each(HOSTILE)('H1: %j stays text in a SARIF report', (text) => {
    const sarif = run(renderSarif(saying(text)));
    for (const uri of urisOf(sarif)) {
      // a valid relative reference or a file URL, never another scheme
      expect(['root:', 'file:']).toContain(new URL(uri, 'root://x/').protocol);
      expect(uri).toMatch(/^[\w.~!$&'()*+,;=:@%/-]+$/);
    }
    for (const { message, ruleId, ruleIndex } of sarif.results) {
      expect(sarif.tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
      // no link, no placeholder, nothing invisible
      expect(message.text).not.toMatch(/(?<!\\)\]\(/);
      expect(message.text.replaceAll('{{', '').replaceAll('}}', '')).not.toMatch(/[{}]/);
      expect(message.text).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
    }
  });
});
