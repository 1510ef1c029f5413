import type { Report } from '../model/report.ts';
import { count } from '../text/words.ts';
import { type Block, pairs } from './blocks.ts';
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
import { callersText, checkCounts, timeOf } from './summary.ts';
import { originText } from './words/share.ts';
import { endingOf, headwordOf, verdictReason } from './words/verdict.ts';

export function documentOf(report: Report, root: string | undefined) {
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
    headword: headwordOf(report),
    reason: verdictReason(report),
    head: [headPairs(report)],
    sections: sections.filter(({ blocks }) => blocks.length > 0),
  };
}

/** `birdId: from listBirds`. */
function inputsText({ discovered = [] }: Report): string {
  const texts = discovered.map(({ parameter, from }) => `${parameter}: ${originText(from)}`);
  return [...new Set(texts)].join(', ');
}

function headPairs(report: Report): Block {
  const { target, tool, startedAt, durationMs, since, checks, age } = report;
  const coverage = coverageInWords(report);
  // three numbers fill one line
  const [first = ''] = /^[^,;]*(?:, [^,;]*){0,2}/.exec(coverage) ?? [];
  const took = `${(durationMs / 1000).toFixed(1)} s`;
  return pairs([
    ['target', [{ code: target.baseUrl }, target.kind === 'mock' ? ' (a mock)' : '']],
    ['run', `${timeOf(startedAt)}, ${took}, ${tool.name} ${tool.version}, ${report.command}`],
    ['since', since === undefined ? '' : `the run of ${timeOf(since.previous)}`],
    ['checks', checkCounts(checks)],
    first === coverage ? ['coverage', coverage] : ['coverage', coverage, first],
    ['inputs', inputsText(report)],
    [
      'age',
      age === undefined
        ? ''
        : `record again: ${age.old} of ${count(age.of, 'known field')} were not seen for ${age.days} days`,
    ],
    ['callers', callersText(report) ?? ''],
  ]);
}
