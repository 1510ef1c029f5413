import { styleText } from 'node:util';
import { PROVENANCES } from '../contract/contract.ts';
import type { Finding, Severity } from '../model/finding.ts';
import type { Check, Created, FieldCoverage, OperationCoverage, Report } from '../model/report.ts';
import { plain } from '../plain.ts';
import { watchWords } from './deprecation-words.ts';
import { type Render, redacting } from './format.ts';
import { pageName } from './links.ts';
import { nextSteps } from './next-steps.ts';
import { areaOf, byReason, firstIds, partsOf, whyInconclusive, whyNotCalled } from './reasons.ts';
import {
  byOperation,
  callersText,
  callOf,
  checkCounts,
  findingCounts,
  type Tone,
  toneOf,
  tookOf,
  VERDICT,
  verdictSentences,
  whenOf,
} from './summary.ts';
import { capitalised, count, hanging, wrap } from './wrap.ts';

const NARROWEST = 60;
const WIDEST = 120;
/** Width of the labels in the head, and in a finding. */
const LABEL = 9;
/** Where the text of a finding begins. */
const INDENT = 10;
const MOST_REASONS = 4;
const MOST_NAMED = 5;
const MOST_EXCHANGES = 5;
const MOST_ROWS = 8;

/** What the lines are made for: a width, and colours or none. */
interface Page {
  readonly width: number;
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly good: (text: string) => string;
  readonly severity: (severity: Severity, text: string) => string;
}

type Style = Parameters<typeof styleText>[0];

const STYLES: Readonly<Record<Severity, Style>> = { error: 'red', warning: 'yellow', info: 'cyan' };

/** The caller decides on colours; the stream is not asked. */
function createPage(color: boolean, columns: number): Page {
  const paint =
    (style: Style) =>
    (text: string): string =>
      color ? styleText(style, text, { validateStream: false }) : text;
  return {
    width: Math.min(WIDEST, Math.max(NARROWEST, columns)),
    bold: paint('bold'),
    dim: paint('dim'),
    good: paint('green'),
    severity: (severity, text) => paint(STYLES[severity])(text),
  };
}

/** The report for a person at a terminal, free of control characters of the target's. */
export const renderText: Render = redacting((report, { color = false, columns = 100 }) => {
  const page = createPage(color, columns);
  const stale = report.stale.map(({ fingerprint, why }) => plain(`  ${fingerprint}  ${why}`));
  const sections: [title: string, lines: string[]][] = [
    ['Findings', findingLines(report.findings, page)],
    ['Rules', scoreCardLines(report.rules ?? [], page)],
    ['Accepted by the baseline', acceptedLines(report.accepted, page)],
    ['Stale in the baseline', [...stale, '']],
    ['Created by this run', createdLines(report.created ?? [])],
    ['Checks', checkLines(report.checks, page)],
    ['Not located', notLocatedLines(report.coverage.operations, page)],
    ['Coverage', coverageLines(report, page)],
    ['Deprecated forms', deprecationLines(report, page)],
    ['What to do next', nextSteps(report).flatMap((step) => hanging(plain(step), page.width, '  · '))],
  ];
  const body = sections
    .filter(([, lines]) => lines.some((line) => line !== ''))
    .flatMap(([title, lines]) => [
      page.bold(`── ${title} ${'─'.repeat(Math.max(0, page.width - title.length - 4))}`),
      ...lines,
    ]);
  return `${[...head(report, page), '', ...body].join('\n').trimEnd()}\n`;
});

/** A text under a label. */
type LabelledText = readonly [label: string, text: string];

/** Rows whose labels stand `indent` characters in and are `label` wide; nothing is said of an empty text. */
function labelled(rows: readonly LabelledText[], { width, dim }: Page, indent: number, label: number): string[] {
  return rows
    .filter(([, text]) => text !== '')
    .flatMap(([name, text]) =>
      wrap(plain(text), width - indent - label).map(
        (line, index) => `${' '.repeat(indent)}${dim((index === 0 ? name : '').padEnd(label))}${line}`,
      ),
    );
}

function head(report: Report, page: Page): string[] {
  const { target, tool } = report;
  const rows: LabelledText[] = [
    ['target', target.kind === 'mock' ? `${target.baseUrl} (a mock)` : target.baseUrl],
    ['run', `${whenOf(report)}, ${tookOf(report)}, ${tool.name} ${tool.version}`],
    ['findings', findingCounts(report)],
    ['checks', checkCounts(report.checks)],
    ['callers', callersText(report) ?? ''],
  ];
  return [...verdictLines(report, page), ...labelled(rows, page, 2, LABEL + 1), ...whyLines(report, page)];
}

function verdictLines(report: Report, page: Page): string[] {
  const tone = toneOf(report);
  const paint: Readonly<Record<Tone, (text: string) => string>> = {
    drift: (text) => page.severity('error', text),
    inconclusive: (text) => page.severity('warning', text),
    warned: (text) => page.severity('warning', text),
    agrees: page.good,
    interrupted: (text) => text,
  };
  const sentences = verdictSentences(report).map((sentence) => `${capitalised(sentence)}.`);
  const text = `${VERDICT[tone].toUpperCase()}  ${sentences.join(' ')}`;
  return wrap(plain(text), page.width).map((line) => page.bold(paint[tone](line)));
}

/** What stood in the way of a run that proved nothing. */
function whyLines(report: Report, { width, dim }: Page): string[] {
  const why = whyInconclusive(report);
  const left = why.length - MOST_REASONS;
  const texts = [
    ...why.slice(0, MOST_REASONS).map(({ reason, checks }) => `${count(checks.length, 'check')}: ${reason}`),
    ...(left > 0 ? [`${count(left, 'more reason')}, under Checks`] : []),
  ];
  return texts
    .flatMap((text) => wrap(plain(text), width - LABEL - 3).map((line, index) => (index === 0 ? line : `  ${line}`)))
    .map((line, index) => `  ${dim((index === 0 ? 'why' : '').padEnd(LABEL))} ${line}`);
}

/** Findings under the operation that shows them; the operation with the worst finding comes first. */
function findingLines(findings: readonly Finding[], page: Page): string[] {
  return byOperation(findings).flatMap((group) => [
    ...group.slice(0, 1).map((first) => page.bold(titleOf(first))),
    ...group.flatMap((finding) => [
      findingHead(finding, page),
      ...wrap(plain(finding.message), page.width - INDENT).map((line) => ' '.repeat(INDENT) + line),
      ...labelled([...shapes(finding), ['seen', seen(finding)]], page, INDENT, INDENT),
    ]),
    '',
  ]);
}

/** Accepted findings as they are, with why they are and until when. */
function acceptedLines(accepted: Report['accepted'], page: Page): string[] {
  return accepted.flatMap(({ finding, reason, owner, expires }) => {
    const by = owner === null ? '' : ` by ${owner}`;
    const rows: LabelledText[] = [['accepted', `${reason} (until ${expires}${by})`], ...shapes(finding)];
    return [titleOf(finding), findingHead(finding, page), ...labelled(rows, page, INDENT, INDENT), ''];
  });
}

function titleOf(finding: Finding): string {
  return plain(callOf(finding, '  '));
}

function findingHead({ severity, rule, pointer, provenance }: Finding, page: Page): string {
  const place = pointer === '' ? '' : ` at ${plain(pointer)}`;
  return `  ${page.severity(severity, severity.padEnd(7))} ${page.bold(plain(rule))}${place} ${page.dim(`(${provenance})`)}`;
}

/** What was expected by which line of the contract, and what came. */
function shapes(finding: Finding): LabelledText[] {
  const { expected, actual, reference, location } = finding;
  return [
    ['expected', expected],
    ['actual', actual],
    ['see', `${reference}; docs/rules/${pageName(finding)}.md`],
    ['spec', location === null ? '' : `${location.file}:${location.line}:${location.column}`],
  ];
}

function seen({ occurrences, exchanges, fingerprint, firstSeen }: Finding): string {
  const numbers = exchanges.slice(0, MOST_EXCHANGES).join(', ');
  const more = exchanges.length > MOST_EXCHANGES ? ', …' : '';
  const parts = [
    count(occurrences, 'time'),
    ...(exchanges.length === 0 ? [] : [`exchange${exchanges.length === 1 ? '' : 's'} ${numbers}${more}`]),
    ...(firstSeen === undefined ? [] : [`first ${firstSeen.slice(0, 10)}`]),
    `fingerprint ${fingerprint}`,
  ];
  return parts.join(', ');
}

const OUTCOMES = { kept: 'kept', broken: 'broken', 'not-exercised': 'not exercised' } as const;

/** What became of each rule on a caller, a line each; empty for the reports of other commands. */
function scoreCardLines(rules: NonNullable<Report['rules']>, page: Page): string[] {
  if (rules.length === 0) return [];
  const width = Math.max(...rules.map(({ rule }) => rule.length));
  const widest = Math.max(...rules.map(({ outcome }) => OUTCOMES[outcome].length));
  const lines = rules.map(({ rule, outcome, evidence = '' }) => {
    const text = `  ${plain(rule).padEnd(width)}  ${OUTCOMES[outcome].padEnd(widest)}  ${plain(evidence)}`.trimEnd();
    if (outcome === 'broken') return page.severity('error', text);
    return outcome === 'kept' ? page.good(text) : page.dim(text);
  });
  const sum = Object.entries(OUTCOMES).map(
    ([outcome, words]) => `${rules.filter((each) => each.outcome === outcome).length} ${words}`,
  );
  return [...lines, `  ${sum.join(', ')}`, ''];
}

/** What a run created in the target, a line each: what is gone again, and what is left and why. */
export function createdLines(created: readonly Created[]): string[] {
  if (created.length === 0) return [];
  const lines = created.map(({ id, operationId, removed, reason }) =>
    plain(`  ${id} (${operationId}): ${removed ? 'removed again' : `left there: ${reason}`}`),
  );
  return [...lines, ''];
}

/** Checks that failed, could not be judged, or were not run, folded by their reason; passed ones are counted only. */
function checkLines(checks: readonly Check[], page: Page): string[] {
  const { passed = [], failed = [], inconclusive = [], skipped = [] } = Object.groupBy(checks, (each) => each.outcome);
  const noted = passed.filter(({ reason }) => reason !== '');
  const sections: [title: string, of: readonly Check[], lines: string[]][] = [
    [
      page.severity('warning', `${count(inconclusive.length, 'check')} could not be judged:`),
      inconclusive,
      reasonLines(inconclusive, page),
    ],
    [
      page.severity('error', `${count(failed.length, 'check')} failed:`),
      failed,
      wrap(firstOf(failed), page.width - 2).map((line) => `  ${line}`),
    ],
    [`${count(noted.length, 'check')} passed with a note:`, noted, reasonLines(noted, page)],
    [`${count(skipped.length, 'check was', 'checks were')} skipped:`, skipped, skippedLines(skipped, page)],
  ];
  const lines = sections.flatMap(([title, of, own]) => (of.length === 0 ? [] : [title, ...own]));
  return lines.length === 0 ? lines : [...lines, ''];
}

function skippedLines(skipped: readonly Check[], page: Page): string[] {
  return byReason(skipped).flatMap(({ reason, checks }) => {
    // those not located have a list of their own
    const isListed = checks.every(({ why }) => why?.kind === 'not-located' || why?.kind === 'only-assumed');
    return entry(`${checks.length} × ${reason}`, isListed ? '' : areas(checks), page);
  });
}

/** A check with its reason; several that share one, as a list under it. */
function reasonLines(checks: readonly Check[], page: Page): string[] {
  return byReason(checks).flatMap(({ reason, checks: own }) =>
    own.length === 1 ? entry(own[0]?.id ?? '', reason, page) : entry(`${own.length} × ${reason}`, firstOf(own), page),
  );
}

function firstOf(checks: readonly Check[]): string {
  return plain(firstIds(checks, MOST_NAMED, ' (json report)'));
}

/** The ids of a few, else how many there are of each area, which is what an id begins with. */
function areas(checks: readonly Check[]): string {
  if (checks.length <= 2) return firstOf(checks);
  return [...Map.groupBy(checks, ({ id }) => plain(areaOf(id)))]
    .map(([area, own]) => `${own.length} ${area}`)
    .join(', ');
}

function entry(title: string, text: string, { width, dim }: Page): string[] {
  const lines = wrap(plain(title), width - 2).map((line) => `  ${line}`);
  return text === '' ? lines : [...lines, ...wrap(plain(text), width - 6).map((line) => `      ${dim(line)}`)];
}

/** Operations whose method and path nobody has told. */
function notLocatedLines(operations: readonly OperationCoverage[], page: Page): string[] {
  const { notLocated } = partsOf(operations);
  const title = `${count(notLocated.length, 'operation')} not located (known by name only, never called by guess)`;
  return notLocated.length === 0 ? [] : [...named(title, notLocated, page), ''];
}

/** What was located, called and seen, in numbers; named is only what was not. The JSON report has each operation and field. */
function coverageLines(report: Report, page: Page): string[] {
  const { operations } = report.coverage;
  if (operations.length === 0) return [];
  const { located, answered, unanswered, idle } = partsOf(operations);
  const by = PROVENANCES.filter((each) => each !== 'documented').flatMap((each) => {
    const own = located.filter((operation) => operation.located === each).length;
    return own === 0 ? [] : [`${own} ${each}`];
  });
  const unknown = answered.filter(({ fields }) => fields.length === 0);
  return [
    `${located.length} of ${count(operations.length, 'operation')} located${by.length === 0 ? '' : ` (${by.join(', ')})`}, ${answered.length + unanswered.length} called`,
    ...fieldLine(located.flatMap(({ fields }) => fields)),
    ...unseenLines(answered, page),
    ...named('called, but no field of the answer is known', unknown, page),
    ...named('called, no good answer', unanswered, page),
    // where nothing answered, the head of the report says why
    ...(answered.length === 0
      ? []
      : [...whyNotCalled(idle, report.checks)].flatMap(([why, own]) =>
          named(`not called${why === '' ? '' : `, ${plain(why)}`}`, own, page),
        )),
    '',
  ];
}

function fieldLine(fields: readonly FieldCoverage[]): string[] {
  const parts = PROVENANCES.flatMap((provenance) => {
    const own = fields.filter((field) => field.provenance === provenance);
    return own.length === 0 ? [] : [`${own.filter((field) => field.seen > 0).length} of ${own.length} ${provenance}`];
  });
  return parts.length === 0 ? [] : [`fields seen: ${parts.join(', ')}`];
}

/** Known fields that no answer had; operations that miss the same stand in one row. */
function unseenLines(called: readonly OperationCoverage[], { width, dim }: Page): string[] {
  const unseen = Map.groupBy(called, ({ fields }) =>
    fields
      .filter((field) => field.seen === 0)
      .map(({ pointer }) => plain(pointer))
      .join(' '),
  );
  unseen.delete('');
  if (unseen.size === 0) return [];
  const rows = [...unseen].map(([pointers, own]) => `${namesOf(own)}: ${pointers}`);
  const shown =
    rows.length > MOST_ROWS + 1
      ? [...rows.slice(0, MOST_ROWS), `and ${rows.length - MOST_ROWS} more (json report)`]
      : rows;
  const lines = shown.flatMap((row) => hanging(row, width));
  return ['never seen:', ...lines.map((line) => line.replace(/\S.*/, dim))];
}

function namesOf(operations: readonly OperationCoverage[]): string {
  return operations.map(({ operationId }) => plain(operationId)).join(', ');
}

function named(what: string, operations: readonly OperationCoverage[], { width, dim }: Page): string[] {
  if (operations.length === 0) return [];
  return [...wrap(`${what}:`, width), ...wrap(namesOf(operations), width - 2).map((line) => `  ${dim(line)}`)];
}

/** The deprecated forms and what is known of each. */
function deprecationLines({ deprecations, startedAt }: Report, { width }: Page): string[] {
  if (deprecations.length === 0) return [];
  const nothing = deprecations.every(
    ({ alive, withdrawnSince, lastAlive }) => alive === null && withdrawnSince === undefined && lastAlive === undefined,
  );
  if (nothing) {
    const names = deprecations.map(({ operationId }) => operationId).join(', ');
    return [...wrap(plain(`not known whether they live: ${names}`), width - 4).map((line) => `  ${line}`), ''];
  }
  const lines = deprecations.flatMap((watch) => {
    const { life, shape, deprecation, sunset, nearness } = watchWords(watch, startedAt);
    const end = `Sunset ${sunset}${nearness === null ? '' : ` (${nearness.text})`}`;
    const facts = [life, shape.text, `Deprecation ${deprecation}`, end].join(', ');
    return hanging(plain(`${watch.operationId} → ${watch.successor}: ${facts}`), width);
  });
  return [...lines, ''];
}
