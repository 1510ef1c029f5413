import { EXIT } from '../../errors.ts';
import type { Reason } from '../../model/reason.ts';
import type { Report } from '../../model/report.ts';
import { count } from '../wrap.ts';
import { whyInconclusive } from './reasons.ts';
import { newnessIn } from './since.ts';
import { warningsOf } from './verdict.ts';

/** What a person would do next, most pressing first: what this run asks for, then the one next step on the way to a nightly run. */
export function nextSteps(report: Report): string[] {
  return [...asked(report), ...(report.command === 'verify' ? onTheWay(report) : [])];
}

/** What this run asks for. */
function asked(report: Report): string[] {
  const steps: string[] = [];
  const { since, notices = [], expired = [] } = report;
  const isNew = newnessIn(report);
  if (report.exitCode === EXIT.interrupted)
    steps.push('The run was interrupted; what is listed is what was known by then.');
  if (report.verdict === 'drift') {
    const fresh = report.findings.filter((finding) => finding.severity !== 'info' && isNew(finding) === 'new');
    const first = fresh.length === 0 || since === undefined ? '' : `Begin with what is new (${fresh.length}). `;
    steps.push(
      `${first}Each finding names its page under docs/rules/, which says what it means for a caller and what to do.`,
    );
  }
  const warnings = warningsOf(report);
  if (warnings.length > 0) {
    const accept = report.command === 'verify' ? ' What is known can be accepted until a date: docs/baseline.md.' : '';
    const [look, they] = warnings.length === 1 ? ['the warning', 'it'] : [`the ${warnings.length} warnings`, 'them'];
    steps.push(`Look at ${look}; with --fail-on warning a run fails on ${they}.${accept}`);
    if (warnings.some(({ provenance }) => provenance === 'observed'))
      steps.push('Where a change of the target is meant, record it again: docs/record.md.');
  }
  const unwatched = new Set(notices.flatMap((notice) => notice.unwatched ?? []));
  const isOpen = whyInconclusive(report).length > 0 || unwatched.size === 0;
  if (report.verdict === 'inconclusive' && report.exitCode !== EXIT.interrupted && isOpen) {
    steps.push(
      whyInconclusive(report).length === 0
        ? 'Nothing is proven either way: nothing was checked.'
        : 'Nothing is proven either way. The reasons at the top say what stood in the way; run again when it is gone.',
    );
  }
  if (unwatched.size > 0)
    steps.push(
      `Put the overlays right, or record again, so that what was recorded is watched: ${[...unwatched].join(', ')}.`,
    );
  if (expired.length > 0)
    steps.push(`Renew or mend what was accepted until a day that is over (${count(expired.length, 'finding')}).`);
  if (report.stale.length > 0)
    steps.push(
      'The baseline has entries whose finding is gone: banking-api accept report.json --prune takes them out of it.',
    );
  return steps;
}

/** The next step from a first run to one that runs every night: credentials, parameters, a recording, a workflow, then more than reads. */
function onTheWay(report: Report): string[] {
  const reasons = report.checks.flatMap(({ why }) => why ?? []);
  const having = (kind: Reason['kind']): boolean => reasons.some((reason) => reason.kind === kind);
  const { target, coverage, findings, since, history } = report;
  if (having('no-credentials')) return ['Set BANKING_API_USERNAME and BANKING_API_PASSWORD.'];
  const names = new Set(reasons.flatMap((reason) => (reason.kind === 'missing-parameter' ? reason.names : [])));
  if (names.size > 0)
    return [`Give parameters in banking-api.config.yaml to run more checks: ${[...names].join(', ')}.`];
  const { operations } = coverage;
  if (target.kind !== 'url' || !operations.some(({ goodAnswers = 0 }) => goodAnswers > 0)) return [];
  const isRecorded = operations.some(({ fields }) => fields.some(({ provenance }) => provenance === 'observed'));
  if (!isRecorded || findings.some(({ rule, engineRule = rule }) => engineRule === 'undocumented-field'))
    return [
      'Record what the target sends beyond the reference: banking-api record --out recording.yaml, then --overlay recording.yaml (docs/record.md).',
    ];
  if (since === undefined && (history?.runs.length ?? 0) < 2)
    return ['Run it every night, with --history for what is new since the last one: docs/ci.md has the workflows.'];
  // what more could be watched is for a quiet morning
  if (report.verdict !== 'agrees') return [];
  if (operations.some(({ located }) => located === null))
    return ['If you know the path of an operation that is not located, write it into an overlay: docs/overlays.md.'];
  if (having('needs-allow') || having('host-not-listed'))
    return ['More than reads are sent with --allow, on hosts that writesAllowedOn of the configuration names.'];
  return [];
}
