import type { Contract } from '../../contract/contract.ts';
import { basisFrom } from '../../contract/provenance.ts';
import { joinPointer } from '../../text/pointer.ts';
import type { PlannedOperation, PlannedProblem } from '../compile/plan.ts';

/** The faults of a body that break what is documented or was observed: no mode lets these pass. */
export type DocumentedFaults = (
  operation: PlannedOperation,
  type: string,
  faults: readonly PlannedProblem[],
) => Promise<readonly PlannedProblem[]>;

/** Tells by the provenance of the keyword that was broken. The contract is loaded when the first fault is judged. */
export function createDocumentedFaults(contract: () => Promise<Contract>): DocumentedFaults {
  return async (operation, type, faults) => {
    const loaded = await contract();
    const content = loaded.operation(operation.operationId)?.requestBody?.content ?? [];
    const media = content.find((one) => one.type === type);
    if (media?.schema === undefined) return faults;
    const entry = joinPointer(media.pointer, 'schema');
    const basis = basisFrom(loaded, entry);
    return faults.filter(({ schemaPath }) => {
      const fragment = decodeURIComponent(schemaPath.replace(/^#/, ''));
      const isWhole = !schemaPath.startsWith('#') || fragment.startsWith('/components/');
      return basis(isWhole ? fragment : entry + fragment) !== 'assumed';
    });
  };
}
