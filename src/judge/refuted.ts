import type { Contract, ResponseSpec } from '../contract/contract.ts';
import type { Finding } from '../model/finding.ts';
import { type JudgeLimits, type JudgeOptions, judgeInSlices } from './judge.ts';
import type { Schemas } from './schemas.ts';

/** The contract with what the mock assumes below the overlays. */
export interface Assumptions {
  readonly contract: Contract;
  /** Compiled before, for whoever judges many times. */
  readonly schemas?: Schemas;
}

/**
 * Which assumptions of the mock the answers of a real target refute: infos that name the line of the overlay to change. Of what a
 * recording describes it speaks in their place, and what is a finding already is not told twice.
 *
 * @param options what the answers were judged by
 * @param found what they were found to contradict without them
 */
export async function refutedAssumptions(
  options: Pick<JudgeOptions, 'contract' | 'calls' | 'redact'>,
  assumptions: Assumptions,
  found: readonly Finding[],
  limits: JudgeLimits = {},
): Promise<Finding[]> {
  const { contract, redact } = options;
  const told = new Set(found.filter(({ severity }) => severity !== 'info').map(placeOf));
  const isRecorded = ({ status, pointer }: ResponseSpec): boolean =>
    status.startsWith('2') && contract.provenanceOf(pointer) === 'observed';
  const calls = options.calls.filter(
    ({ operationId }) => contract.operation(operationId)?.responses.some(isRecorded) !== true,
  );
  const { findings } = await judgeInSlices({ ...assumptions, calls, redact, occasion: 'assumptions' }, limits);
  return findings.filter((finding) => finding.provenance === 'assumed' && !told.has(placeOf(finding))).map(withAdvice);
}

function placeOf({ operationId, pointer }: Finding): string {
  return `${operationId}\n${pointer}`;
}

function withAdvice(finding: Finding): Finding {
  const { location, message } = finding;
  const line = location === null ? 'its overlay' : `${location.file}:${location.line}`;
  return { ...finding, message: `${message} The mock assumes otherwise: change ${line}, or record the target.` };
}
