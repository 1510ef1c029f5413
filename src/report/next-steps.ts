import { EXIT } from '../errors.ts';
import type { Reason } from '../model/reason.ts';
import type { Report } from '../model/report.ts';
import { whyInconclusive } from './reasons.ts';
import { warningsOf } from './summary.ts';

/** What a person would do next, most pressing first. */
export function nextSteps(report: Report): string[] {
  const steps: string[] = [];
  const reasons = report.checks.flatMap(({ why }) => why ?? []);
  const having = (kind: Reason['kind']): boolean => reasons.some((reason) => reason.kind === kind);
  if (report.verdict === 'drift') {
    steps.push('Each finding names its page under docs/rules/, which says what it means for a caller and what to do.');
  }
  const warnings = warningsOf(report);
  if (warnings.length > 0) {
    const accept = report.command === 'verify' ? ' What is known can be accepted until a date: docs/baseline.md.' : '';
    const [look, they] = warnings.length === 1 ? ['the warning', 'it'] : [`the ${warnings.length} warnings`, 'them'];
    steps.push(`Look at ${look}; with --fail-on warning a run fails on ${they}.${accept}`);
    if (warnings.some(({ provenance }) => provenance === 'observed'))
      steps.push('Where a change of the target is meant, record it again: docs/record.md.');
  }
  if (report.exitCode === EXIT.interrupted)
    steps.push('The run was interrupted; what is listed is what was known by then.');
  if (report.verdict === 'inconclusive') {
    steps.push(
      whyInconclusive(report).length === 0
        ? 'Nothing is proven either way: nothing was checked.'
        : 'Nothing is proven either way. The reasons at the top say what stood in the way; run again when it is gone.',
    );
  }
  if (report.stale.length > 0) steps.push('The baseline has entries whose finding is gone: take them out of it.');
  if (having('no-credentials')) steps.push('Set BANKING_API_USERNAME and BANKING_API_PASSWORD.');
  const names = new Set(reasons.flatMap((reason) => (reason.kind === 'missing-parameter' ? reason.names : [])));
  if (names.size > 0) {
    steps.push(`Give parameters in banking-api.config.yaml to run more checks: ${[...names].join(', ')}.`);
  }
  if (having('needs-allow')) {
    steps.push('More than reads are sent with --allow, on hosts that writesAllowedOn of the configuration names.');
  }
  if (report.target.kind === 'url' && report.coverage.operations.some(({ located }) => located === null)) {
    steps.push('If you know the path of an operation that is not located, write it into an overlay: docs/overlays.md.');
  }
  return steps;
}
