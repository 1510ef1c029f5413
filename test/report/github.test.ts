import { describe, expect, test } from 'vitest';
import { maskCommands, renderGithub } from '../../src/report/github.ts';
import { renderGitlab } from '../../src/report/gitlab.ts';
import { check, finding, report } from '../support/report-samples.ts';
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
      message: expect.stringMatching(
        /^There is nothing to compare with .* findings: 1 error, 1 info; 1 of 1 check judged$/,
      ),
    });
    // infos are counted and not annotated
    expect(rest).toEqual([]);
  });

  test('what could not be judged and what is stale are warnings, never silence', () => {
    const unclear = report({
      checks: [check({ outcome: 'inconclusive', reason: 'no answer' })],
      stale: [{ fingerprint: 'f', why: 'gone' }],
      verdict: 'inconclusive',
      exitCode: 4,
    });
    expect(commands(renderGithub(unclear)).map(({ name, message }) => `${name} ${message}`)).toMatchObject([
      expect.stringMatching(/^notice /),
      'warning cards.shape.getCard: no answer',
      'warning f: gone',
    ]);
  });

  test('one cause is one annotation, which counts the checks and names the first', () => {
    const checks = Array.from({ length: 32 }, (_, n) =>
      check({ id: `a.${n}`, outcome: 'inconclusive', reason: 'down' }),
    );
    const one = check({ id: 'b', outcome: 'inconclusive', reason: '' });
    const given = report({ checks: [...checks, one], verdict: 'inconclusive', exitCode: 4 });
    expect(commands(renderGithub(given)).map(({ message }) => message)).toEqual([
      expect.stringMatching(/ https:\/\/sandbox\.example\.com: findings: none; 0 of 33 checks judged$/),
      '32 checks: down (a.0, a.1, a.2 and 29 more)',
      'b: no reason given',
    ]);
  });

  test('the first line says of a run that agrees that it has warnings', () => {
    const warned = renderGithub(report({ findings: [finding({ severity: 'warning' })] }));
    expect(commands(warned)[0]).toMatchObject({
      properties: { title: 'banking-api-contract: agrees, with 1 warning' },
      message: expect.stringMatching(/ https:\/\/sandbox\.example\.com: findings: 1 warning; 1 of 1 check judged$/),
    });
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

  test('a finding is an issue on the contradicted line', () => {
    expect(issues(renderGitlab(report({ findings: [finding()] })))).toEqual([
      expect.objectContaining({ check_name: 'summary', severity: 'info' }),
      {
        description: expect.stringContaining('Expected integer, got string.'),
        check_name: 'type-contradicted',
        fingerprint: '00000000000000a1',
        severity: 'critical',
        location: { path: 'spec/schemas/card.yaml', lines: { begin: 12 } },
        categories: ['Compatibility'],
      },
    ]);
  });

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
