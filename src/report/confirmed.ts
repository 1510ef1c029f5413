import type { Report } from '../model/report.ts';
import { joinPointer } from '../text/pointer.ts';
import { allOf } from './since.ts';

/** First and last day on which a fact was seen as it should be. ISO 8601 date-times. */
export interface Seen {
  readonly first: string;
  readonly last: string;
}

export type SeenOf = (operationId: string, pointer: string) => Seen | undefined;

/**
 * When the runs saw each operation (pointer `''`) and each field of its answers. A run with a finding about a fact does
 * not confirm it. Answers of a mock confirm nothing.
 *
 * @param runs the oldest first
 */
export function seenIn(runs: readonly Report[]): SeenOf {
  const seen = new Map<string, Seen>();
  for (const run of runs) {
    if (run.target.kind === 'mock') continue;
    const places = allOf(run).flatMap((finding) => [finding, ...(finding.parts ?? [])]);
    const refuted = new Set(places.map(({ operationId, pointer }) => keyOf(operationId ?? '', pointer)));
    for (const { operationId, goodAnswers = 0, fields } of run.coverage.operations) {
      const whole = goodAnswers > 0 ? [''] : [];
      for (const pointer of [...whole, ...fields.filter((field) => field.seen > 0).map((field) => field.pointer)]) {
        const key = keyOf(operationId, pointer);
        if (!refuted.has(key)) seen.set(key, { first: seen.get(key)?.first ?? run.startedAt, last: run.startedAt });
      }
    }
  }
  return (operationId, pointer) => seen.get(keyOf(operationId, pointer));
}

function keyOf(operationId: string, pointer: string): string {
  return `${joinPointer('', operationId)}${pointer}`;
}

const DAY = 86_400_000;
/** More than this share of old facts makes a recording old. */
const MOST_OLD = 1 / 10;

/**
 * The documented and recorded fields that earlier runs saw, and how many of them no run saw for some days. Undefined
 * unless more than a tenth of them are old.
 */
export function ageOf(report: Report, seenOf: SeenOf, days: number): Report['age'] {
  const limit = new Date(Date.parse(report.startedAt) - days * DAY).toISOString();
  const dates = report.coverage.operations.flatMap(({ operationId, fields }) =>
    fields
      .filter(({ provenance }) => provenance !== 'assumed')
      .map(({ pointer }) => seenOf(operationId, pointer)?.last)
      .filter((last) => last !== undefined),
  );
  const old = dates.filter((last) => last < limit).length;
  return old > dates.length * MOST_OLD ? { old, of: dates.length, days } : undefined;
}
