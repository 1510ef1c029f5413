import { EXIT } from '../../errors.ts';
import type { Reason } from '../../model/reason.ts';
import type { Report } from '../../model/report.ts';
import { count } from '../../text/words.ts';
import { type Block, list, type Section, text, yaml } from '../blocks.ts';
import { newnessIn } from '../since.ts';
import { idsOf, isBlind, type SharedReason, whyInconclusive } from '../words/reasons.ts';
import { warningsOf } from '../words/verdict.ts';

export function nextSection(report: Report): Section {
  return { id: 'next', title: 'What to do next', blocks: [...list(nextSteps(report)), ...linesToAdd(report)] };
}

export function nextSteps(report: Report): string[] {
  return [...requested(report), ...(report.command === 'verify' ? towardsNightly(report) : [])];
}

function requested(report: Report): string[] {
  const steps: string[] = [];
  const { since, notices = [], expired = [], exitCode, verdict, command } = report;
  const isNew = newnessIn(report);
  if (exitCode === EXIT.interrupted) steps.push('The run was interrupted, so the report is incomplete.');
  if (verdict === 'drift') {
    const fresh = report.findings.filter((finding) => finding.severity !== 'info' && isNew(finding) === 'new');
    const first = fresh.length === 0 || since === undefined ? '' : `Start with the new findings (${fresh.length}). `;
    steps.push(`${first}The rule page of each finding explains its effect on callers and the fix.`);
  }
  const warnings = warningsOf(report);
  if (warnings.length > 0) {
    const accept = command === 'verify' ? ' Known warnings can be accepted until a date: docs/baseline.md.' : '';
    steps.push(
      `Check the ${count(warnings.length, 'warning')}. With --fail-on warning, the run fails on a warning.${accept}`,
    );
    if (warnings.some(({ provenance }) => provenance === 'observed'))
      steps.push('If a change of the target is intended, record it again: docs/record.md.');
  }
  const unwatched = new Set(notices.flatMap((notice) => notice.unwatched ?? []));
  const why = whyInconclusive(report);
  if (verdict === 'inconclusive' && exitCode !== EXIT.interrupted && (why.length > 0 || !isBlind(notices)))
    steps.push(whatToRepeat(report, why));
  if (unwatched.size > 0)
    steps.push(`Fix the overlays or record again, so that these operations are watched: ${[...unwatched].join(', ')}.`);
  if (expired.length > 0)
    steps.push(`Fix expired findings or accept them again (${count(expired.length, 'finding')}).`);
  if (report.stale.length > 0) steps.push('Remove the stale baseline entries: banking-api accept report.json --prune.');
  return steps;
}

const DAY = 86_400_000;
/** Days that a skip can last. */
const LONGEST_SKIP = 180;

/** The lines of the configuration that each operation without an input needs: its parameters, or a skip. */
function linesToAdd({ checks, startedAt }: Report): Block[] {
  const lacking = new Map<string, Set<string>>();
  for (const { operationId, outcome, why } of checks) {
    if (outcome !== 'inconclusive' || (why?.kind !== 'lacks-input' && why?.kind !== 'body-unknown')) continue;
    if (why.kind === 'lacks-input' && why.outage !== undefined) continue;
    const id = why.kind === 'body-unknown' ? why.operationId : (operationId ?? '');
    const names = why.kind === 'lacks-input' ? why.names : [];
    lacking.set(id, new Set([...(lacking.get(id) ?? []), ...names]));
  }
  if (lacking.size === 0) return [];
  const parameters = new Set([...lacking.values()].flatMap((names) => [...names]));
  const givers = [...parameters].map((name) => {
    const users = [...lacking].filter(([, names]) => names.has(name)).map(([id]) => id);
    return `  ${keyOf(name)}: ${JSON.stringify(`<${name}>`)} # for ${users.join(', ')}`;
  });
  const until = new Date(Date.parse(startedAt) + LONGEST_SKIP * DAY).toISOString().slice(0, 10);
  const skips = [...lacking].map(([id, names]) => {
    const reason = `no ${names.size === 0 ? 'body' : [...names].join(', ')} is known`;
    return `  ${keyOf(id)}: { reason: ${JSON.stringify(reason)}, until: ${JSON.stringify(until)} }`;
  });
  return [
    ...(givers.length === 0
      ? []
      : [text('Give the missing parameters in the configuration:'), yaml(['parameters:', ...givers])]),
    text(`${givers.length === 0 ? 'Skip' : 'Or skip'} the operations for a while:`),
    yaml(['skip:', ...skips]),
  ];
}

function keyOf(name: string): string {
  return /^[A-Za-z][\w.-]*$/.test(name) ? name : JSON.stringify(name);
}

const MOST_IDS = 5;

function whatToRepeat({ checks }: Report, why: readonly SharedReason[]): string {
  if (why.length === 0) return 'Nothing was checked, so this run proves nothing.';
  const unclear = why.flatMap((reason) => reason.checks);
  const what = checks.some(({ outcome }) => outcome === 'passed')
    ? `${count(unclear.length, 'check')} could not be judged: ${idsOf(unclear, MOST_IDS)}.`
    : 'This run proves nothing.';
  return `${what} Fix the reasons listed under Checks, then run it again.`;
}

function towardsNightly(report: Report): string[] {
  const reasons = report.checks.flatMap(({ why }) => why ?? []);
  const having = (kind: Reason['kind']): boolean => reasons.some((reason) => reason.kind === kind);
  const { target, coverage, findings, since, history } = report;
  const lacking = report.checks.find(({ why }) => why?.kind === 'no-credentials');
  if (lacking !== undefined) return [`${lacking.reason.replace(/^./, (first) => first.toUpperCase())}.`];
  const names = new Set(reasons.flatMap((reason) => (reason.kind === 'missing-parameter' ? reason.names : [])));
  if (names.size > 0) return [`Set parameters in the configuration to run more checks: ${[...names].join(', ')}.`];
  const { operations } = coverage;
  if (target.kind !== 'url' || !operations.some(({ goodAnswers = 0 }) => goodAnswers > 0)) return [];
  const isRecorded = operations.some(({ fields }) => fields.some(({ provenance }) => provenance === 'observed'));
  if (!isRecorded || findings.some(({ rule, engineRule = rule }) => engineRule === 'undocumented-field'))
    return [
      'Record the omitted response shapes: banking-api record --out recording.yaml. Then pass --overlay recording.yaml (docs/record.md).',
    ];
  if (since === undefined && (history?.runs.length ?? 0) < 2)
    return ['Run it every night with --history DIR to see new findings. docs/ci.md has the workflows.'];
  // suggestions for more coverage appear only if the run agrees
  if (report.verdict !== 'agrees') return [];
  if (operations.some(({ located }) => located === null))
    return ['If you know the path of an operation that is not located, add it in an overlay: docs/overlays.md.'];
  if (having('needs-allow') || having('host-not-listed'))
    return ['To send more than reads, pass --allow and list the host under writesAllowedOn in the configuration.'];
  return [];
}
