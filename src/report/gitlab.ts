import type { Severity } from '../model/finding.ts';
import { plain } from '../plain.ts';
import { type Render, redacting } from './format.ts';
import { shownAt } from './links.ts';
import { callOf, shapesOf } from './summary.ts';

const SEVERITY: Readonly<Record<Severity, string>> = { error: 'critical', warning: 'minor', info: 'info' };

/** Findings for GitLab's code quality widget, on the line of the contract that each contradicts. Accepted ones are not in it. */
export const renderGitlab: Render = redacting((report, { root }) => {
  const seen = new Set<string>();
  const issues = report.findings.flatMap((finding) => {
    // GitLab drops the whole file where a fingerprint stands in it twice
    if (seen.has(finding.fingerprint)) return [];
    seen.add(finding.fingerprint);
    const { file, line } = shownAt(finding, root);
    return [
      {
        description: plain(`${callOf(finding)}: ${finding.message}${shapesOf(finding)}`),
        check_name: plain(finding.rule),
        fingerprint: finding.fingerprint,
        severity: SEVERITY[finding.severity],
        location: { path: plain(file), lines: { begin: line } },
        categories: ['Compatibility'],
      },
    ];
  });
  return `${JSON.stringify(issues, null, 2)}\n`;
});
