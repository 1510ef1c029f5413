import type { Operation } from '../../contract/contract.ts';
import type { CallRequest } from '../../model/call.ts';
import type { Reason } from '../../model/reason.ts';
import type { DiscoveredInput } from '../../model/report.ts';

/** The values that a run found for its reads, beside those of the configuration. */
export interface Inputs {
  /** The reads that find values. */
  readonly reads: readonly (Omit<CallRequest, 'checkId'> & { readonly path: string; readonly times: number })[];
  readonly found: readonly DiscoveredInput[];
  /** Where each found value of an operation comes from: `from listOrders`. */
  originsOf(operationId: string): Readonly<Record<string, string>>;
  whyLacking(operation: Operation, names: readonly string[]): Reason;
}

export const NO_INPUTS: Inputs = {
  reads: [],
  found: [],
  originsOf: () => ({}),
  whyLacking: ({ effect }, names) => ({ kind: effect === 'read' ? 'lacks-input' : 'missing-parameter', names }),
};
