import { pathToFileURL } from 'node:url';
import { EXIT } from '../errors.ts';
import type { Finding, Severity } from '../model/finding.ts';
import type { Report } from '../model/report.ts';
import { plain } from '../text/plain.ts';
import { type Render, redacting } from './format.ts';
import { rulePage, ruleTitle, type ShownAt, shownAt } from './links.ts';
import { remarksOf } from './sections/notes.ts';
import { type Newness, newnessIn } from './since.ts';
import { callText, shapesOf, subjectOf } from './summary.ts';
import { infoLines, partInfos } from './words/infos.ts';
import { ticketLines } from './words/tickets.ts';
import { verdictLine } from './words/verdict.ts';

const LEVEL: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'note' };

/** What `semanticVersion` may hold (SemVer 2.0.0). */
const SEMANTIC = /^\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?$/;

/** Accepted findings are suppressed results. The verdict, notes, infos and obstacles are notifications. */
export const renderSarif: Render = redacting((report, { root }) => {
  const findings = partInfos(report.findings).loud;
  const newness = newnessIn(report);
  const all = [...findings, ...report.accepted.map(({ finding }) => finding)];
  const named = new Map(all.map((finding) => [finding.rule, finding]));
  const rules = [...named.keys()].sort();
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: plain(report.tool.name),
            version: plain(report.tool.version),
            ...(SEMANTIC.test(report.tool.version) && { semanticVersion: report.tool.version }),
            informationUri: `https://www.npmjs.com/package/${wordOf(report.tool.name)}`,
            rules: rules.map((rule) => descriptor(named.get(rule) ?? { rule }, report.tool.version)),
          },
        },
        automationDetails: { id: `${wordOf(report.tool.name)}/${report.command}/` },
        columnKind: 'utf16CodeUnits',
        invocations: [invocation(report, root)],
        results: [
          ...findings.map((finding) => ({ ...result(finding, rules, root), ...stateOf(newness(finding)) })),
          ...report.accepted.map(({ finding, reason, owner, expires }) => ({
            ...result(finding, rules, root),
            ...(report.since && { baselineState: 'unchanged' }),
            suppressions: [
              {
                kind: 'external',
                status: 'accepted',
                justification: plain(`${reason} (until ${expires}${owner === null ? '' : `, ${owner}`})`),
              },
            ],
          })),
        ],
        properties: { verdict: report.verdict, target: plain(report.target.baseUrl) },
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
});

function descriptor(named: Pick<Finding, 'rule' | 'engineRule'>, version: string): object {
  return {
    id: plain(named.rule),
    ...friendlyName(named.rule),
    shortDescription: { text: message(ruleTitle(named)) },
    fullDescription: { text: message(`${ruleTitle(named)}.`) },
    helpUri: rulePage(named, version),
    help: { text: `Meaning and remedy: ${rulePage(named, version)}` },
  };
}

function result(finding: Finding, rules: readonly string[], root: string | undefined): object {
  const { rule, severity, provenance, fingerprint, pointer, expected, actual, reference, occurrences } = finding;
  return {
    ruleId: plain(rule),
    ruleIndex: rules.indexOf(rule),
    kind: 'fail',
    level: LEVEL[severity],
    message: { text: message(`${subjectOf(finding)}: ${finding.message}${shapesOf(finding)}`) },
    locations: [
      {
        physicalLocation: physical(shownAt(finding, root)),
        logicalLocations: [{ fullyQualifiedName: plain(`${callText(finding)} ${pointer}`.trim()) }],
      },
    ],
    partialFingerprints: { 'bankingApiContract/v1': fingerprint },
    occurrenceCount: Math.max(1, occurrences),
    properties: {
      provenance,
      reference: plain(reference),
      pointer: plain(pointer),
      expected: plain(expected),
      actual: plain(actual),
      ...(finding.compatibility && { compatibility: finding.compatibility }),
      ...(finding.firstSeen === undefined ? {} : { firstSeen: finding.firstSeen }),
      ...(finding.ticket && { ticket: ticketLines(finding).map(plain) }),
    },
  };
}

/** `TypeContradicted` for `type-contradicted`, which GitHub filters by. One-word names have no friendly form. */
function friendlyName(rule: string): object {
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)+$/.test(rule)) return {};
  return { name: rule.replace(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase()) };
}

function invocation(report: Report, root: string | undefined): object {
  const { startedAt, durationMs, exitCode } = report;
  const [begin, end] = [new Date(startedAt), new Date(Date.parse(startedAt) + durationMs)];
  return {
    // findings do not make the execution fail
    executionSuccessful: exitCode !== EXIT.fault && exitCode !== EXIT.interrupted,
    exitCode,
    // a report file may hold an impossible date
    ...(Number.isNaN(end.getTime()) ? {} : { startTimeUtc: begin.toISOString(), endTimeUtc: end.toISOString() }),
    toolExecutionNotifications: [
      note(verdictLine(report), 'note'),
      ...remarksOf(report).map(({ title, severity, text, location }) =>
        note(`${title}: ${text}`, LEVEL[severity], location === null ? undefined : shownAt({ location }, root)),
      ),
      ...infoLines(partInfos(report.findings).infos).map((text) => note(text, 'note')),
    ],
  };
}

function note(text: string, level: string, at?: ShownAt): object {
  const locations = at === undefined ? {} : { locations: [{ physicalLocation: physical(at) }] };
  return { level, message: { text: message(text) }, ...locations };
}

function physical({ file, line, column }: ShownAt): object {
  return { artifactLocation: artifact(file), region: { startLine: line, startColumn: column } };
}

/** All results have it, or no result has it (SARIF 3.27.24). */
function stateOf(newness: Newness | null): object {
  return newness === null ? {} : { baselineState: newness === 'new' ? 'new' : 'unchanged' };
}

function artifact(file: string): object {
  if (file.startsWith('/') || /^[A-Za-z]:/.test(file)) return { uri: pathToFileURL(file).href };
  return { uri: file.split('/').map(encodeURIComponent).join('/'), uriBaseId: '%SRCROOT%' };
}

/** A plain-text message: braces would be placeholders and `[a](b)` a link (SARIF 3.11.5 and 3.11.6). */
function message(text: string): string {
  const clean = plain(text).replaceAll('{', '{{').replaceAll('}', '}}');
  return clean.includes('](') ? clean.replace(/[[\]]/g, '\\$&') : clean;
}

function wordOf(name: string): string {
  return name.replace(/[^\w-]+/g, '-').replace(/^-*$/, 'unnamed');
}
