import type { Reason } from '../../model/reason.ts';
import type { Check, OperationCoverage, Outcome, Report, ReportNotice } from '../../model/report.ts';
import { count, firstFew } from '../../text/words.ts';

export const NO_REASON = 'no reason given';

export interface SharedReason {
  readonly reason: string;
  readonly checks: readonly Check[];
}

export function areaOf(id: string): string {
  return id.split('.', 1)[0] ?? '';
}

const POLICY: ReadonlySet<Reason['kind']> = new Set([
  'needs-allow',
  'host-not-listed',
  'not-expendable',
  'needs-probe',
  'probe-of-more-than-reads',
  'mock-only',
]);

/** Reasons that explain others. */
const CAUSES: ReadonlySet<Reason['kind']> = new Set([
  'service-out',
  'token-not-accepted',
  'foreign-answer',
  'ids-gone',
]);

function weightOf({ checks: [first] }: SharedReason): number {
  const kind = first?.why?.kind;
  if (kind === undefined) return 0;
  if (CAUSES.has(kind)) return -1;
  if (kind === 'not-located' || kind === 'only-assumed') return 1;
  return POLICY.has(kind) ? 2 : 0;
}

export function byReason(checks: readonly Check[]): SharedReason[] {
  return [...Map.groupBy(checks, ({ reason }) => reason)]
    .map(([reason, own]) => ({ reason: reason || NO_REASON, checks: own }))
    .sort((a, b) => weightOf(a) - weightOf(b) || b.checks.length - a.checks.length);
}

export function idsOf(checks: readonly Pick<Check, 'id'>[], most: number): string {
  return firstFew(
    checks.map(({ id }) => id),
    most,
  );
}

const MOST_IDS = 3;

export function reasonLine({ reason, checks }: SharedReason): string {
  const [only] = checks;
  if (checks.length === 1 && only !== undefined) return `${only.id}: ${reason}`;
  return `${count(checks.length, 'check')}: ${reason} (${idsOf(checks, MOST_IDS)})`;
}

export const BELOW_FLOOR = 'coverage-below-floor';

export function isBlind(notices: readonly ReportNotice[]): boolean {
  return notices.some(({ code, unwatched = [] }) => code === BELOW_FLOOR || unwatched.length > 0);
}

export function whyInconclusive({ command, verdict, checks, notices = [] }: Report): SharedReason[] {
  const unclear = checks.filter(({ outcome }) => outcome === 'inconclusive');
  if (verdict === 'drift') return byReason(unclear);
  if (verdict !== 'inconclusive') return [];
  // the notices explain it
  if (unclear.length === 0 && command === 'verify' && isBlind(notices)) return [];
  return byReason(unclear.length > 0 ? unclear : checks.filter(({ outcome }) => outcome === 'skipped'));
}

export function operationParts(operations: readonly OperationCoverage[]) {
  const located = operations.filter((operation) => operation.located !== null);
  // reports of early versions do not count good answers
  const isAnswered = ({ exercised, goodAnswers = 1 }: OperationCoverage): boolean => exercised && goodAnswers > 0;
  return {
    located,
    answered: located.filter(isAnswered),
    unanswered: located.filter((each) => each.exercised && !isAnswered(each)),
    idle: located.filter(({ exercised }) => !exercised),
    notLocated: operations.filter((operation) => operation.located === null),
  };
}

export function documentedFields(operations: readonly OperationCoverage[]): { seen: number; of: number } {
  const located = operations.filter((operation) => operation.located !== null);
  const fields = located.flatMap((operation) => operation.fields).filter((each) => each.provenance === 'documented');
  return { seen: fields.filter(({ seen }) => seen > 0).length, of: fields.length };
}

/** Groups operations by the reason of their checks, from the first outcome with a reason. */
function under(...outcomes: readonly Outcome[]) {
  return (operations: readonly OperationCoverage[], checks: readonly Check[]): Map<string, OperationCoverage[]> => {
    const weights = new Map<string, number>();
    const groups = Map.groupBy(operations, ({ operationId }) => {
      const own = checks.filter((check) => check.operationId === operationId && check.kind === 'any');
      const spoken = own.filter(({ reason }) => reason !== '');
      const [why] = outcomes.flatMap((outcome) => byReason(spoken.filter((check) => check.outcome === outcome)));
      if (why !== undefined) weights.set(why.reason, weightOf(why));
      return why?.reason ?? '';
    });
    const weight = (reason: string): number => weights.get(reason) ?? 0;
    return new Map([...groups].sort(([a], [b]) => weight(a) - weight(b)));
  };
}

export const whyNotCalled: ReturnType<typeof under> = under('inconclusive', 'skipped');

export const whyNotAnswered: ReturnType<typeof under> = under('failed', 'inconclusive', 'passed');
