import { EXIT } from '../errors.ts';
import { learnableCalls } from '../learn/learnable-calls.ts';
import type { Recording } from '../learn/recording.ts';
import type { Finding } from '../model/finding.ts';
import type { Report } from '../model/report.ts';
import type { VerifyOptions } from './options.ts';
import { hasShapes, recordingOf } from './record.ts';
import { reportOf, unbegun } from './report.ts';
import { conduct } from './verify.ts';

export interface LearnOptions extends VerifyOptions {
  /** Text of the recording that the target must match; absent if there is no recording yet. */
  readonly over?: string | undefined;
  /** Texts of further recordings to merge. */
  readonly beside?: readonly string[];
}

/**
 * Runs `verify`. A run teaches its shapes if it agrees, or differs from the recording only by additions. An operation
 * with an error or a breaking warning teaches nothing.
 *
 * @returns `learn` merges the answers into the recording; null if the run teaches nothing beyond the token endpoint
 */
export async function verifyAndLearn(options: LearnOptions) {
  const startedAt = (options.clock ?? Date.now)();
  const nothing = (): null => null;
  return conduct(options, async ({ session, ...run }): Promise<{ report: Report; learn: () => Recording | null }> => {
    const report = await reportOf({ session, ...run }, startedAt);
    const { findings, accepted, exitCode } = report;
    const isJudged = exitCode === EXIT.findings || exitCode === EXIT.stale;
    if (exitCode !== EXIT.agrees && (!isJudged || findings.some(isDoubtful))) return { report, learn: nothing };
    const { contract } = session.target;
    const doubtful = [...findings, ...accepted.map(({ finding }) => finding)].filter(isDoubtful);
    const spared = new Set(doubtful.flatMap((one) => [one, ...(one.parts ?? [])]).map((one) => one.operationId));
    const learn = (): Recording | null => {
      const { calls } = learnableCalls(session.calls, contract);
      const telling = calls.filter(({ operationId }) => !spared.has(operationId));
      const recording = recordingOf(session, telling, options);
      return hasShapes(recording, contract) ? recording : null;
    };
    return { report, learn };
  }).catch((thrown) => ({ report: unbegun(thrown, options, startedAt), learn: nothing }));
}

function isDoubtful({ severity, compatibility }: Finding): boolean {
  return severity === 'error' || (severity === 'warning' && compatibility !== 'additive');
}
