import { test } from 'vitest';
import type { Auth } from '../../src/drift/call.ts';
import type { CheckMeta, CheckNotes, PlannedCall } from '../../src/runner/suite.ts';
import { type Asker, createAsker, Stopped } from './ask.ts';
import { Broken } from './broken.ts';
import { operation, suite } from './suite.ts';

/** A check of the suite: what it is about, and which calls it makes. */
export interface CheckSpec {
  /** Stable and dotted, such as `fees.answers.getCardFees`. */
  readonly id: string;
  readonly operationId?: string;
  readonly kind?: CheckMeta['kind'];
  /** Section of the API reference. */
  readonly reference: string;
  /** Calls that it makes; the operation's own with a token by default. */
  readonly calls?: readonly (Partial<PlannedCall> & { readonly auth?: Auth })[];
  /** A reason of its own not to run, such as a card that the configuration does not describe. */
  readonly skip?: string | null;
}

/** Registers one check. Its calls go through {@link Asker}; what they mean is for the judge, not for the check. */
export function check(spec: CheckSpec, body: (t: Asker) => Promise<void>): void {
  const kind = spec.kind ?? 'any';
  const calls = (spec.calls ?? [{}]).map((call): PlannedCall => {
    const operationId = call.operationId ?? spec.operationId;
    if (operationId === undefined) throw new Error(`check ${spec.id} calls no operation`);
    return { ...call, operationId, auth: call.auth ?? 'token', purpose: call.purpose ?? 'succeed' };
  });
  const meta: CheckMeta = {
    id: spec.id,
    operationId: spec.operationId ?? null,
    kind,
    reference: spec.reference,
    calls,
  };
  const reason = skipReason(spec, kind, calls);

  test(spec.id, { meta: { check: meta } }, async ({ task, skip }) => {
    const notes: CheckNotes = {};
    task.meta.notes = notes;
    if (reason !== null || suite.plan) {
      notes.skipped = reason ?? '';
      skip();
      return;
    }
    try {
      const asker = createAsker(spec.id, calls);
      // what an earlier check took away is there again
      if (suite.embedded) await asker.mock('reset');
      await body(asker);
    } catch (error) {
      if (error instanceof Stopped) notes.stopped = error.message;
      else {
        if (error instanceof Broken) notes.broken = { expected: error.expected, actual: error.actual };
        throw error;
      }
    }
  });
}

/** Most telling reason first: an operation nobody can find needs no flag. */
function skipReason(spec: CheckSpec, kind: CheckMeta['kind'], calls: readonly PlannedCall[]): string | null {
  for (const { operationId } of [{ operationId: spec.operationId ?? '' }, ...calls]) {
    if (operationId === '') continue;
    const { located, skip } = operation(operationId);
    if (located === null && skip !== null) return skip;
  }
  const ofKind = suite.kinds[kind];
  if (ofKind !== null) return ofKind;
  for (const { operationId } of calls) {
    const { skip } = operation(operationId);
    if (skip !== null) return skip;
  }
  return spec.skip ?? null;
}
