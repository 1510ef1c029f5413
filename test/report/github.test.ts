import { describe, expect, test } from 'vitest';
import { maskCommands, renderGithub } from '../../src/report/github.ts';
import { renderGitlab } from '../../src/report/gitlab.ts';
import { finding, report } from '../support/report-samples.ts';
import { HOSTILE, saying } from './hostile.ts';

/** Reads workflow commands as the runner does. */
function commands(text: string): { name: string; properties: Record<string, string>; message: string }[] {
  return text
    .split(/\r\n|\n|\r/)
    .filter((line) => line !== '')
    .map((line) => {
      const match = /^::(\w+) (.*?)::(.*)$/.exec(line);
      if (match === null) throw new Error(`no command: ${line}`);
      const [, name = '', properties = '', message = ''] = match;
      const unescaped = (value: string): string =>
        value.replace(/%(0D|0A|3A|2C|25)/g, (code) => decodeURIComponent(code));
      return {
        name,
        properties: Object.fromEntries(
          properties.split(',').map((pair) => [pair.split('=')[0], unescaped(pair.slice(pair.indexOf('=') + 1))]),
        ),
        message: unescaped(message),
      };
    });
}

describe('D12: GitHub annotations', () => {
  test('each finding stands on the contradicted line, the worst first, with what was expected and what came', () => {
    const [summary, first, ...rest] = commands(
      renderGithub(report({ findings: [finding({ severity: 'info' }), finding()], exitCode: 1, verdict: 'drift' })),
    );
    expect(first).toMatchObject({
      name: 'error',
      properties: { file: 'spec/schemas/card.yaml', line: '12', col: '7', title: 'A field has another type' },
    });
    expect(first?.message.split('\n')).toEqual([
      'getCard · GET /wallet/api/customers/{customerId}/cards/{cardId}: /cardLimitDaily is string, not integer.',
      'expected: integer',
      'actual: string',
      'type-contradicted, fingerprint 00000000000000a1',
    ]);
    expect(summary).toMatchObject({
      name: 'notice',
      properties: { title: 'banking-api-contract: DRIFT' },
      message: '1 error (type-contradicted in getCard), 1 info. https://sandbox.example.com: 1 of 1 check judged',
    });
    // infos are counted and not annotated
    expect(rest).toEqual([]);
  });

  test('masks are commands of their own, one per secret, whatever is in it', () => {
    expect(maskCommands(['p%0A::error::x\r\ny', 'b', 'b', '', ' \n'])).toBe(
      '::add-mask::p%250A::error::x%0D%0Ay\n::add-mask::b\n',
    );
  });

  test.each(HOSTILE)('H1: %j cannot begin a workflow command of its own or end ours', (text) => {
    const all = commands(renderGithub(saying(text)));
    expect(all.map(({ name }) => name)).toEqual([
      'notice',
      'error',
      'warning',
      'warning',
      'warning',
      'notice',
      'warning',
      'warning',
    ]);
    expect(Object.keys(all[1]?.properties ?? {})).toEqual(['file', 'line', 'col', 'title']);
  });
});

describe('GitLab code quality', () => {
  interface Issue {
    description: string;
    check_name: string;
    fingerprint: string;
    severity: string;
    location: { path: string; lines: { begin: number } };
  }
  const issues = (text: string): Issue[] => JSON.parse(text) as Issue[];

  test('no fingerprint stands in it twice, and without findings it is an empty list', () => {
    expect(issues(renderGitlab(report({ findings: [finding(), finding()] })))).toHaveLength(2);
    expect(issues(renderGitlab(report()))).toEqual([]);
  });

  test.each(HOSTILE)('H1: %j stays text in a GitLab report', (text) => {
    for (const issue of issues(renderGitlab(saying(text)))) {
      expect(JSON.stringify(issue)).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
      expect(['critical', 'minor', 'info']).toContain(issue.severity);
    }
  });
});
