import type { Report } from '../model/report.ts';
import { count } from '../text/words.ts';
import { type Block, list, pairs, type Section } from './blocks.ts';
import { acceptedSection, staleSection } from './sections/baseline.ts';
import { checksSection } from './sections/checks.ts';
import { coverageInWords, coverageSection } from './sections/coverage.ts';
import { createdSection } from './sections/created.ts';
import { deprecationsSection } from './sections/deprecations.ts';
import { findingsSection, infosSection } from './sections/findings.ts';
import { goneSection, historySection } from './sections/history.ts';
import { nextSection } from './sections/next-steps.ts';
import { notesSection } from './sections/notes.ts';
import { rulesSection } from './sections/rules.ts';
import { callersText, checkCounts, findingCounts, timeOf } from './summary.ts';
import { whyInconclusive } from './words/reasons.ts';
import { endingOf, HEADWORD, type ReportEnding, reasonOf } from './words/verdict.ts';

const MOST_REASONS = 4;

export interface ReportDocument {
  readonly ending: ReportEnding;
  readonly headword: string;
  readonly reason: string;
  readonly head: readonly Block[];
  /** Sections that are not empty, in their order. */
  readonly sections: readonly Section[];
}

export function documentOf(report: Report, root: string | undefined): ReportDocument {
  const sections = [
    notesSection(report, root),
    findingsSection(report, root),
    infosSection(report),
    rulesSection(report),
    acceptedSection(report, root),
    staleSection(report),
    goneSection(report),
    createdSection(report),
    checksSection(report),
    coverageSection(report),
    deprecationsSection(report),
    historySection(report),
    nextSection(report),
  ];
  return {
    ending: endingOf(report),
    headword: HEADWORD[endingOf(report)],
    reason: reasonOf(report),
    head: [headPairs(report), ...list(whyLines(report))],
    sections: sections.filter(({ blocks }) => blocks.length > 0),
  };
}

function headPairs(report: Report): Block {
  const { target, tool, startedAt, durationMs, since, coverage, checks } = report;
  const took = `${(durationMs / 1000).toFixed(1)} s`;
  return pairs([
    ['target', [{ code: target.baseUrl }, target.kind === 'mock' ? ' (a mock)' : '']],
    ['run', `${timeOf(startedAt)}, ${took}, ${tool.name} ${tool.version}, ${report.command}`],
    ['since', since === undefined ? '' : `the run of ${timeOf(since.previous)}`],
    ['findings', findingCounts(report)],
    ['checks', checkCounts(checks)],
    ['coverage', coverageInWords(coverage.operations)],
    ['callers', callersText(report) ?? ''],
  ]);
}

/** What prevented a verdict, once per reason. The first reason of an inconclusive run is in the first line. */
function whyLines(report: Report): string[] {
  const why = whyInconclusive(report).slice(report.verdict === 'inconclusive' ? 1 : 0);
  const left = why.length - MOST_REASONS;
  return [
    ...why.slice(0, MOST_REASONS).map(({ reason, checks }) => {
      const ended = checks[0]?.outcome === 'skipped' ? 'skipped' : 'not judged';
      return `${count(checks.length, 'check')} ${ended}: ${reason}`;
    }),
    ...(left > 0 ? [`${count(left, 'more reason')}, see Checks`] : []),
  ];
}
