import { EXIT } from '../errors.ts';
import { learnableCalls } from '../learn/learnable-calls.ts';
import { makeRecording, type Recording } from '../learn/recording.ts';
import type { Report } from '../model/report.ts';
import type { VerifyOptions } from './options.ts';
import { isValueIn, sightingsIn } from './record.ts';
import { reportOf, unbegun } from './report.ts';
import { conduct } from './verify.ts';

export interface LearnOptions extends VerifyOptions {
  /** Text of the recording that the target is held to; absent where there is none yet. */
  readonly over?: string | undefined;
  /** Texts of further recordings whose knowledge is united with it. */
  readonly beside?: readonly string[];
}

export interface Learned {
  readonly report: Report;
  /** Null where the target did not agree, or nothing beyond the token endpoint was seen. */
  readonly recording: Recording | null;
}

/** Runs `verify` and unites what a green run saw with a recording. A run with drift, or without a verdict, teaches nothing. */
export async function verifyAndLearn(options: LearnOptions): Promise<Learned> {
  const startedAt = (options.clock ?? Date.now)();
  return conduct(options, async (run) => {
    const report = await reportOf(run, startedAt);
    if (report.exitCode !== EXIT.agrees) return { report, recording: null };
    const { session } = run;
    const { contract } = session.target;
    const { over, beside = [] } = options;
    const sightings = sightingsIn(learnableCalls(session.calls, contract), contract, Number.POSITIVE_INFINITY);
    const recording = makeRecording(contract, sightings, { isValue: isValueIn(session), over, beside });
    const isTelling = recording.actions.some(({ operationId }) => operationId !== contract.token?.operationId);
    return { report, recording: isTelling ? recording : null };
  }).catch((thrown) => ({ report: unbegun(thrown, options, startedAt), recording: null }));
}
