import type { Severity } from '../model/finding.ts';
import type { Report } from '../model/report.ts';
import { plain } from '../text/plain.ts';
import { type Render, redacting } from './format.ts';
import { type ShownAt, shownAt } from './links.ts';
import { notesOf } from './sections/notes.ts';
import { newnessIn } from './since.ts';
import { callText, shapesOf, shortDigest } from './summary.ts';
import { partInfos } from './words/infos.ts';
import { ticketLines } from './words/tickets.ts';
import { verdictLine } from './words/verdict.ts';

const SEVERITY: Readonly<Record<Severity, string>> = { error: 'critical', warning: 'minor', info: 'info' };

/** For GitLab's code quality widget, without accepted findings and infos. The first issue is the verdict. */
export const renderGitlab: Render = redacting((report, { root }) => {
  const newness = newnessIn(report);
  const findings = partInfos(report.findings).loud.map((finding) => {
    const isNew = newness(finding) === 'new' ? 'New: ' : '';
    const ticket = ticketLines(finding).map((line) => ` ${line}.`);
    const text = `${isNew}${callText(finding)}: ${finding.message}${shapesOf(finding)}${ticket.join('')}`;
    return issue(text, finding.rule, finding.fingerprint, finding.severity, shownAt(finding, root));
  });
  const notes = notesOf(report).map(({ title, text, severity, location, about }) => {
    const place = shownAt({ location }, root);
    const fingerprint = shortDigest(title, about, `${place.file}:${place.line}:${place.column}`);
    return issue(`${title}: ${text}`, wordOf(title), fingerprint, severity, place);
  });
  const issues = [summary(report, root), ...findings, ...notes];
  // GitLab drops the whole file if it has a fingerprint twice
  const once = [...Map.groupBy(issues, ({ fingerprint }) => fingerprint).values()].map(([first]) => first);
  return `${JSON.stringify(once, null, 2)}\n`;
});

function issue(text: string, name: string, fingerprint: string, severity: Severity, { file, line }: ShownAt) {
  return {
    description: plain(text),
    check_name: plain(name),
    fingerprint,
    severity: SEVERITY[severity],
    location: { path: plain(file), lines: { begin: line } },
    categories: ['Compatibility'],
  };
}

/** The same in every run, so that it is neither new nor resolved. */
function summary(report: Report, root: string | undefined) {
  const place = shownAt({ location: null }, root);
  return issue(verdictLine(report), 'summary', shortDigest('summary', report.command), 'info', place);
}

function wordOf(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-');
}
