import type { Finding, Severity } from '../model/finding.ts';
import type { Report } from '../model/report.ts';
import { plain } from '../plain.ts';
import { type Render, redacting } from './format.ts';
import { ruleTitle, shownAt } from './links.ts';
import { callersText, callOf, findingCounts, numberOf, worstFirst } from './summary.ts';
import { partInfos } from './words/infos.ts';
import { byReason, reasonLine } from './words/reasons.ts';
import { type Remark, remarksOf } from './words/remarks.ts';
import { type Newness, newnessIn, sinceSentence } from './words/since.ts';
import { ticketLines } from './words/tickets.ts';
import { warningsOf } from './words/verdict.ts';
import { capitalised, count } from './wrap.ts';

const COMMAND: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'notice' };

/**
 * Workflow commands of GitHub Actions: first what is new, then an annotation per finding, on the line of the contract that it
 * contradicts, the worst first, and one for each reason why checks could not be judged. Infos are counted only. Every line is a
 * command, so that no text of a target can be one.
 */
export const renderGithub: Render = redacting((report, { root }) => {
  const unclear = report.checks.filter(({ outcome }) => outcome === 'inconclusive');
  const newness = newnessIn(report);
  const title = `${report.tool.name}: ${report.verdict}${warned(report)}`;
  return [
    command('notice', { title }, summary(report)),
    ...worstFirst(partInfos(report.findings).loud, newness).map((finding) =>
      annotation(finding, newness(finding), root),
    ),
    ...remarksOf(report).map((remark) => remarked(remark, root)),
    ...byReason(unclear).map((shared) => command('warning', { title: 'Could not be judged' }, reasonLine(shared))),
    ...report.stale.map(({ fingerprint, why }) =>
      command('warning', { title: 'Stale in the baseline' }, `${fingerprint}: ${why}`),
    ),
  ]
    .map((line) => `${line}\n`)
    .join('');
});

/** On the line that it is about, where it is about one. */
function remarked({ title, severity, text, location }: Remark, root: string | undefined): string {
  if (location === null) return command(COMMAND[severity], { title }, text);
  const { file, line, column } = shownAt({ location }, root);
  return command(COMMAND[severity], { file, line: String(line), col: String(column), title }, text);
}

function annotation(finding: Finding, newness: Newness | null, root: string | undefined): string {
  const { file, line, column } = shownAt(finding, root);
  const { severity, rule, message, expected, actual, fingerprint } = finding;
  const shapes = [
    ...(expected === '' ? [] : [`expected: ${expected}`]),
    ...(actual === '' ? [] : [`actual: ${actual}`]),
  ];
  const body = [
    `${callOf(finding)}: ${message}`,
    ...shapes,
    ...ticketLines(finding),
    `${rule}, fingerprint ${fingerprint}`,
  ]
    .map(plain)
    .join('\n');
  return command(
    COMMAND[severity],
    {
      file,
      line: String(line),
      col: String(column),
      title: newness === 'new' ? `New: ${ruleTitle(finding)}` : ruleTitle(finding),
    },
    body,
    true,
  );
}

function warned(report: Report): string {
  const warnings = warningsOf(report).length;
  return warnings === 0 ? '' : `, with ${count(warnings, 'warning')}`;
}

function summary(report: Report): string {
  const { target, checks } = report;
  const callers = callersText(report);
  const judged = numberOf(checks, 'passed', 'failed');
  const since = sinceSentence(report);
  return `${since === null ? '' : `${capitalised(since)}. `}${target.baseUrl}: findings: ${findingCounts(report)}; ${judged} of ${count(checks.length, 'check')} judged${callers === null ? '' : `; callers: ${callers}`}`;
}

/** Has the runner hide these values in the log of the job, where it prints them itself. For its stdout only: each stands there as it is. */
export function maskCommands(secrets: readonly string[]): string {
  return [...new Set(secrets)]
    .filter((secret) => secret.trim() !== '')
    .map((secret) => `::add-mask::${data(secret)}\n`)
    .join('');
}

/** One command; see toolkit's `issueCommand` for what has to be escaped. */
function command(name: string, properties: Readonly<Record<string, string>>, message: string, lines = false): string {
  const shown = Object.entries(properties).map(([key, value]) => `${key}=${property(plain(value))}`);
  return `::${name} ${shown.join(',')}::${data(lines ? message : plain(message))}`;
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
