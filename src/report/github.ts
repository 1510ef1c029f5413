import type { Finding, Severity } from '../model/finding.ts';
import type { Report } from '../model/report.ts';
import { plain } from '../text/plain.ts';
import { count } from '../text/words.ts';
import { type Render, redacting } from './format.ts';
import { ruleTitle, shownAt } from './links.ts';
import { coverageInWords } from './sections/coverage.ts';
import { type Note, remarksOf } from './sections/notes.ts';
import { type Newness, newnessIn } from './since.ts';
import { callersText, callText, numberOf, worstFirst } from './summary.ts';
import { partInfos } from './words/infos.ts';
import { ticketLines } from './words/tickets.ts';
import { headwordOf, verdictReason } from './words/verdict.ts';

const COMMAND: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'notice' };

/** Infos are only counted. Each line is a command, so text of a target cannot become one. */
export const renderGithub: Render = redacting((report, { root }) => {
  const newness = newnessIn(report);
  const title = `${report.tool.name}: ${headwordOf(report)}`;
  return [
    command('notice', { title }, summary(report)),
    ...worstFirst(partInfos(report.findings).loud, newness).map((finding) =>
      annotation(finding, newness(finding), root),
    ),
    ...remarksOf(report).map((remark) => noteCommand(remark, root)),
  ]
    .map((line) => `${line}\n`)
    .join('');
});

function noteCommand({ title, severity, text, location }: Note, root: string | undefined): string {
  const place = location === null ? {} : placeOf({ location }, root);
  return command(COMMAND[severity], { ...place, title }, text);
}

function placeOf(of: Pick<Finding, 'location'>, root: string | undefined): Record<string, string> {
  const { file, line, column } = shownAt(of, root);
  return { file, line: String(line), col: String(column) };
}

function annotation(finding: Finding, newness: Newness | null, root: string | undefined): string {
  const { severity, rule, message, expected, actual, fingerprint } = finding;
  const shapes = [
    ...(expected === '' ? [] : [`expected: ${expected}`]),
    ...(actual === '' ? [] : [`actual: ${actual}`]),
  ];
  const since = newness === 'known' && finding.firstSeen ? `, known since ${finding.firstSeen.slice(0, 10)}` : '';
  const body = [
    `${callText(finding)}: ${message}`,
    ...shapes,
    ...ticketLines(finding),
    `${rule}, fingerprint ${fingerprint}${since}`,
  ]
    .map(plain)
    .join('\n');
  const title = newness === 'new' ? `New: ${ruleTitle(finding)}` : ruleTitle(finding);
  return command(COMMAND[severity], { ...placeOf(finding, root), title }, body, true);
}

function summary(report: Report): string {
  const { target, checks } = report;
  const callers = callersText(report);
  const coverage = coverageInWords(report);
  return [
    `${verdictReason(report)}. ${target.baseUrl}: ${numberOf(checks, 'passed', 'failed')} of ${count(checks.length, 'check')} judged`,
    ...(coverage === '' ? [] : [coverage]),
    ...(callers === null ? [] : [`callers: ${callers}`]),
  ].join('; ');
}

/** Commands that make the runner hide these values in the log. Only for its stdout: the values are in clear text. */
export function maskCommands(secrets: readonly string[]): string {
  return [...new Set(secrets)]
    .filter((secret) => secret.trim() !== '')
    .map((secret) => `::add-mask::${data(secret)}\n`)
    .join('');
}

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
