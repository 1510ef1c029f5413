import type { Contract, Operation } from '../contract/contract.ts';
import { ToolError } from '../errors.ts';
import { exampleOf } from '../judge/request-example.ts';
import type { Reason } from '../model/reason.ts';
import type { ReportNotice } from '../model/report.ts';
import { didYouMean } from '../text/suggest.ts';
import { type AnnouncedCheck, createAnnouncer } from './announce.ts';
import type { Skip, VerifyOptions } from './options.ts';
import type { Session } from './session.ts';

/** Days that a skip can last. */
const LONGEST = 180;

const LACKING: readonly (Reason['kind'] | undefined)[] = ['lacks-input', 'empty-list'];

type SkipOptions = Pick<VerifyOptions, 'skip' | 'clock'>;

function dayOf(clock: () => number, later = 0): string {
  return new Date(clock() + later * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
}

/** The latest end of a skip that begins today, `YYYY-MM-DD`. */
export function latestEnd(clock: () => number): string {
  return dayOf(clock, LONGEST);
}

function hasEnded({ until }: Skip, clock: () => number): boolean {
  return until < dayOf(clock);
}

/**
 * Rejects skips that would hide an operation that can be called.
 *
 * @throws ToolError `config`
 */
export function checkSkips(session: Session): void {
  const { target, options } = session;
  const { skip = {}, clock = Date.now } = options;
  if (target.embedded) return;
  for (const [id, { until, place }] of Object.entries(skip)) {
    const refuse = (message: string, hint: string): ToolError =>
      new ToolError('config', `skip.${id}: ${message}`, { place, hint });
    const operation = target.contract.operation(id);
    if (operation === undefined) {
      const known = target.contract.operations.map(({ operationId }) => operationId);
      throw refuse('There is no operation of this name.', didYouMean(id, known).trim());
    }
    if (Number.isNaN(Date.parse(until)) || until > latestEnd(clock))
      throw refuse(`${until} is no day of the next ${LONGEST}.`, `Write ${latestEnd(clock)} or an earlier day.`);
    if (!mayBeSkipped(operation, session))
      throw refuse(
        'Only a located read that lacks a parameter or a body can be skipped.',
        'Remove it. A baseline accepts known findings until a date.',
      );
  }
}

/** Whether an operation is a located read that lacks an input. */
export function mayBeSkipped(operation: Operation, session: Session): boolean {
  const { skip } = createAnnouncer(session, {})({ id: '', operationId: operation.operationId });
  return LACKING.includes(skip?.kind) || lacksBody(operation, session.target.contract);
}

function lacksBody(operation: Operation, contract: Contract): boolean {
  return operation.effect === 'read' && operation.method === 'POST' && exampleOf(contract, operation) === undefined;
}

/** A check of a skipped operation, with the reason of the configuration. */
export function withSkip(check: AnnouncedCheck, { target, options }: Session): AnnouncedCheck {
  const { skip = {}, clock = Date.now } = options;
  const stated = target.embedded || check.operationId === null ? undefined : skip[check.operationId];
  if (stated === undefined || hasEnded(stated, clock)) return check;
  if (check.skip !== null && !LACKING.includes(check.skip.kind)) return check;
  const { reason, until } = stated;
  return { ...check, skip: { kind: 'skipped', reason, until } };
}

/** A notice for each skip whose last day is over. */
export function endedSkips({ skip = {}, clock = Date.now }: SkipOptions): ReportNotice[] {
  return Object.entries(skip).flatMap(([id, one]) =>
    hasEnded(one, clock)
      ? [{ code: 'skip-ended', message: `The skip of ${id} ended on ${one.until}.`, location: null }]
      : [],
  );
}
