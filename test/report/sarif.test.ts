import { describe, expect, test } from 'vitest';
import { renderSarif } from '../../src/report/sarif.ts';
import { finding, report } from '../support/report-samples.ts';
import { HOSTILE, saying } from './hostile.ts';

interface Log {
  $schema: string;
  version: string;
  runs: {
    tool: { driver: { name: string; rules: { id: string; helpUri: string; shortDescription: { text: string } }[] } };
    columnKind: string;
    automationDetails: { id: string };
    invocations: {
      executionSuccessful: boolean;
      exitCode: number;
      startTimeUtc: string;
      endTimeUtc: string;
      toolExecutionNotifications: { message: { text: string } }[];
    }[];
    results: {
      ruleId: string;
      ruleIndex: number;
      level: string;
      message: { text: string };
      locations: {
        physicalLocation: {
          artifactLocation: { uri: string; uriBaseId?: string };
          region: { startLine: number; startColumn: number };
        };
        logicalLocations: { fullyQualifiedName: string }[];
      }[];
      partialFingerprints: Record<string, string>;
      suppressions?: { kind: string; status: string; justification: string }[];
    }[];
  }[];
}

const log = (text: string): Log => JSON.parse(text) as Log;
const run = (text: string): Log['runs'][0] => log(text).runs[0] as Log['runs'][0];

/** What SARIF 2.1.0 and GitHub's upload insist on. */
function expectSound(text: string): void {
  const { $schema, version, runs } = log(text);
  expect([version, $schema]).toEqual(['2.1.0', 'https://json.schemastore.org/sarif-2.1.0.json']);
  expect(runs).toHaveLength(1);
  for (const { tool, results, columnKind, automationDetails } of runs) {
    expect(columnKind).toBe('utf16CodeUnits');
    expect(automationDetails.id).toMatch(/^[\w-]+\/\w+\/$/);
    const ids = tool.driver.rules.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { helpUri, shortDescription } of tool.driver.rules) {
      expect(new URL(helpUri).protocol).toBe('https:');
      expect(shortDescription.text).not.toBe('');
    }
    for (const result of results) {
      expect(ids[result.ruleIndex]).toBe(result.ruleId);
      expect(['error', 'warning', 'note']).toContain(result.level);
      expect(result.message.text).not.toBe('');
      expect(result.partialFingerprints['bankingApiContract/v1']).toMatch(/^[0-9a-f]{16}$/);
      expect(result.locations).toHaveLength(1);
      for (const { physicalLocation } of result.locations) {
        const { uri } = physicalLocation.artifactLocation;
        // a valid relative reference or a file URL, never another scheme
        expect(['root:', 'file:']).toContain(new URL(uri, 'root://x/').protocol);
        expect(uri).toMatch(/^[\w.~!$&'()*+,;=:@%/-]+$/);
        expect(physicalLocation.region.startLine).toBeGreaterThan(0);
        expect(physicalLocation.region.startColumn).toBeGreaterThan(0);
      }
    }
  }
}

describe('SARIF', () => {
  test('a finding is a result on the contradicted line, with its fingerprint and a rule that has a page', () => {
    const text = renderSarif(report({ exitCode: 1, verdict: 'drift', findings: [finding()] }));
    expectSound(text);
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
    expectSound(text);
    const { results } = run(text);
    expect(results.map(({ locations: [at] }) => at?.physicalLocation.artifactLocation.uri)).toEqual([
      'spec/openapi.yaml',
      'over%20lays/a.yaml',
      'file:///else/where.yaml',
    ]);
  });

  test('a report file whose run ended on no day of any calendar is shown without its times', () => {
    const [invocation] = run(renderSarif(report({ durationMs: 1e300 }))).invocations;
    expect(invocation).toMatchObject({ exitCode: 0 });
    expect(invocation).not.toHaveProperty('endTimeUtc');
  });

  test.each(HOSTILE)('H1: %j stays text in a SARIF report', (text) => {
    const sarif = renderSarif(saying(text));
    expectSound(sarif);
    for (const { message } of run(sarif).results) {
      // no link, no placeholder, nothing invisible
      expect(message.text).not.toMatch(/(?<!\\)\]\(/);
      expect(message.text.replaceAll('{{', '').replaceAll('}}', '')).not.toMatch(/[{}]/);
      expect(message.text).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
    }
  });
});
