import type { Finding } from '../model/finding.ts';
import type { Check, Report } from '../model/report.ts';
import { plain, plainLines } from '../text/plain.ts';
import { type Render, redacting } from './format.ts';
import { rulePage, shownAt } from './links.ts';
import { notesOf } from './sections/notes.ts';
import { type Newness, type NewnessOf, newnessIn } from './since.ts';
import { callersText, callText, numberOf, worstFirst } from './summary.ts';
import { basisText } from './words/basis.ts';
import { infoLines, partInfos } from './words/infos.ts';
import { areaOf } from './words/reasons.ts';
import { ticketLines } from './words/tickets.ts';
import { verdictLine } from './words/verdict.ts';

/** An unjudged check is an `error`: CI systems read `failure` as drift, and `skipped` would look like agreement. */

/** For Jenkins, GitLab, GitHub and Azure. Valid by Jenkins' schema, and by Windy Road's if the run agrees. */
export const renderJunit: Render = redacting((report, { root }) => {
  const newness = newnessIn(report);
  const shown = [
    ...report.checks.map((check) => caseOf(check, report, root, newness)),
    ...unattached(report).map((finding) => own(finding, root, newness)),
  ];
  const all = shown.length > 0 ? shown : [empty(report)];
  const suites = [...Map.groupBy(all, ({ area }) => area)];
  const timestamp = report.startedAt.slice(0, 19);
  const { skipped: _, ...total } = counts(all);
  const name = `${report.tool.name} ${report.command}`;
  return `${[
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name, ...total, time: seconds(report.durationMs) })}>`,
    ...suites.flatMap(([area, cases], index) => [
      `  <testsuite${attributes({
        id: index,
        package: report.tool.name,
        name: area,
        ...counts(cases),
        time: seconds(cases.reduce((sum, { durationMs }) => sum + durationMs, 0)),
        timestamp,
        hostname: hostOf(report.target.baseUrl),
      })}>`,
      ...properties([['target', report.target.baseUrl], ...(index === 0 ? facts(report) : [])]),
      ...cases.map(({ xml }) => xml),
      '    <system-out/>',
      '    <system-err/>',
      '  </testsuite>',
    ]),
    '</testsuites>',
  ].join('\n')}\n`;
});

type Property = readonly [name: string, value: string];

function facts(report: Report): Property[] {
  const callers = callersText(report);
  return [
    ['since', verdictLine(report)],
    ...notesOf(report).map(({ title, text }) => [title, text] as const),
    ...(callers === null ? [] : [['callers', callers] as const]),
  ];
}

function properties(all: readonly Property[]): string[] {
  const lines = all.map(([name, value]) => `      <property${attributes({ name, value })}/>`);
  return ['    <properties>', ...lines, '    </properties>'];
}

interface TestCase {
  readonly area: string;
  readonly outcome: Check['outcome'];
  readonly durationMs: number;
  readonly xml: string;
}

function caseOf(check: Check, report: Report, root: string | undefined, newness: NewnessOf): TestCase {
  const { id, outcome, reason, durationMs } = check;
  const findings = report.findings.filter((finding) => finding.checks?.includes(id));
  const { loud, infos } = partInfos(findings);
  const noted = infoLines(infos).map((line) => `info: ${plain(line)}`);
  const details = [...loud.map((finding) => detailOf(finding, root)), ...noted].join('\n\n');
  const inside: string[] = [];
  if (outcome === 'failed') {
    const type = loud[0]?.rule ?? 'drift';
    const message =
      loud.length > 0 ? loud.map((each) => `${isNew(newness(each))}${each.rule}: ${each.message}`).join(' ') : reason;
    inside.push(element('failure', message, details === '' ? reason : details, type));
  } else if (outcome === 'inconclusive') inside.push(element('error', reason, details, 'inconclusive'));
  else if (outcome === 'skipped') inside.push(`<skipped>${text(reason)}</skipped>`);
  const note = outcome === 'passed' ? [reason, details].filter((part) => part !== '').join('\n\n') : '';
  if (note !== '') inside.push(`<system-out>${text(note)}</system-out>`);
  const area = areaOf(id) || 'checks';
  return { area, outcome, durationMs, xml: testcase(area, id, durationMs, inside) };
}

/** Findings that failed the run without a failed check, as in `audit`. */
function unattached({ findings, checks, verdict }: Report): Finding[] {
  if (verdict !== 'drift') return [];
  const failed = new Set(checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id));
  const reported = findings.filter(({ provenance }) => provenance !== 'assumed');
  const worst = worstFirst(reported)[0]?.severity;
  return reported.filter(({ severity, checks: ids }) => severity === worst && !ids?.some((id) => failed.has(id)));
}

/** Jenkins rejects a file without a test case. */
function empty({ command, verdict }: Report): TestCase {
  const clear = verdict !== 'inconclusive';
  const inside = clear ? [] : [element('error', 'Nothing was checked.', '', 'inconclusive')];
  const xml = testcase(command, 'all', 0, inside);
  return { area: command, outcome: clear ? 'passed' : 'inconclusive', durationMs: 0, xml };
}

function isNew(newness: Newness | null): string {
  return newness === 'new' ? 'new: ' : '';
}

function own(finding: Finding, root: string | undefined, newness: NewnessOf): TestCase {
  const failure = element('failure', isNew(newness(finding)) + finding.message, detailOf(finding, root), finding.rule);
  const name = `${finding.rule} ${callText(finding)} ${finding.pointer}`.trim();
  return { area: 'findings', outcome: 'failed', durationMs: 0, xml: testcase('findings', name, 0, [failure]) };
}

function detailOf(finding: Finding, root: string | undefined): string {
  const { severity, rule, message, pointer, expected, actual, reference, fingerprint } = finding;
  const { file, line } = shownAt(finding, root);
  return [
    `${severity}: ${rule}: ${plain(message)}`,
    `  where:       ${plain(`${callText(finding)} ${pointer}`.trim())}`,
    ...(expected === '' ? [] : [`  expected:    ${plain(expected)} (${basisText(finding)})`]),
    ...(actual === '' ? [] : [`  actual:      ${plain(actual)}`]),
    `  contract:    ${plain(`${file}:${line}`)}${reference && ` (${plain(reference)})`}`,
    ...ticketLines(finding).map((line) => `  ${plain(line)}`),
    `  fingerprint: ${fingerprint}`,
    `  more:        ${rulePage(finding)}`,
  ].join('\n');
}

function testcase(area: string, name: string, durationMs: number, inside: readonly string[]): string {
  const open = `    <testcase${attributes({ classname: area, name, time: seconds(durationMs) })}`;
  if (inside.length === 0) return `${open}/>`;
  return [`${open}>`, ...inside.map((each) => `      ${each}`), '    </testcase>'].join('\n');
}

function element(name: 'failure' | 'error', message: string, body: string, type: string): string {
  return `<${name}${attributes({ message, type })}>${text(body)}</${name}>`;
}

function counts(cases: readonly TestCase[]): Record<string, number> {
  return {
    tests: cases.length,
    failures: numberOf(cases, 'failed'),
    errors: numberOf(cases, 'inconclusive'),
    skipped: numberOf(cases, 'skipped'),
  };
}

/** The host of the target. For a file it is `localhost`, because the schemas require a host. */
function hostOf(baseUrl: string): string {
  return URL.parse(baseUrl)?.host || 'localhost';
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(plain(String(value))).replaceAll('"', '&quot;')}"`)
    .join('');
}

function text(value: string): string {
  return escaped(plainLines(value));
}

function escaped(value: string): string {
  return value
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
