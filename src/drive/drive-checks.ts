import type { Audited } from '../audit/judge-caller.ts';
import type { Contract } from '../contract/contract.ts';
import type { Check } from '../model/report.ts';
import type { Driven } from './drive.ts';
import type { Ending } from './run-program.ts';

/** One check per situation: what the program sent in it, and how it ended. */
export function driveChecks(
  driven: readonly Driven[],
  { findings }: Pick<Audited, 'findings'>,
  { token }: Pick<Contract, 'token'>,
): Check[] {
  return driven.map(({ situation, ending, recording, durationMs }): Check => {
    const seqs = new Set(recording.entries.map(({ seq }) => seq));
    const broken = findings.some(({ exchanges }) => exchanges.some((seq) => seqs.has(seq)));
    const tokens = recording.entries.filter(({ operationId }) => operationId === token?.operationId).length;
    const calls = recording.entries.length - tokens;
    const sent = `${count(calls, 'call')}, ${count(tokens, 'token request')}`;
    return {
      id: `drive.${situation.id}`,
      operationId: null,
      kind: 'mock-only',
      outcome: recording.entries.length === 0 ? 'inconclusive' : broken ? 'failed' : 'passed',
      reason:
        recording.entries.length === 0
          ? `The program sent nothing to BANKING_API_BASE_URL; it ${endingText(ending)}.`
          : `${sent}; the program ${endingText(ending)}.`,
      durationMs,
    };
  });
}

function endingText(ending: Ending): string {
  switch (ending.kind) {
    case 'exited':
      return `ended with ${ending.code}`;
    case 'killed':
      return `was ended by ${ending.signal}`;
    case 'timeout':
      return 'did not end in time and was stopped';
    case 'stopped':
      return 'was stopped';
  }
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
