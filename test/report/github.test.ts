import { expect, test } from 'vitest';
import { maskCommands } from '../../src/report/github.ts';
import { renderGitlab } from '../../src/report/gitlab.ts';
import { finding, report } from '../support/report-samples.ts';

test('D12: masks for GitHub are separate commands, one per secret, for any characters', () => {
  expect(maskCommands(['p%0A::error::x\r\ny', 'b', 'b', '', ' \n'])).toBe(
    '::add-mask::p%250A::error::x%0D%0Ay\n::add-mask::b\n',
  );
});

test('every fingerprint is unique in a report for GitLab', () => {
  expect(JSON.parse(renderGitlab(report({ findings: [finding(), finding()] })))).toHaveLength(2);
});
