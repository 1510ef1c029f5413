import type { Contract } from '../../contract/contract.ts';
import { basisFrom } from '../../contract/provenance.ts';
import { joinPointer, pointerOfReference } from '../../text/pointer.ts';
import type { PlannedOperation, PlannedProblem } from '../compile/plan.ts';

/** The faults in a body that violate documented or observed rules. Every mode rejects them. */
export type DocumentedFaults = (
  operation: PlannedOperation,
  type: string,
  faults: readonly PlannedProblem[],
) => Promise<readonly PlannedProblem[]>;

/** Filters by the provenance of the broken keyword. The first fault loads the contract. */
export function createDocumentedFaults(contract: () => Promise<Contract>): DocumentedFaults {
  return async (operation, type, faults) => {
    const loaded = await contract();
    const content = loaded.operation(operation.operationId)?.requestBody?.content ?? [];
    const media = content.find((one) => one.type === type);
    if (media?.schema === undefined) return faults;
    const basis = basisFrom(loaded, joinPointer(media.pointer, 'schema'));
    return faults.filter(({ schemaPath }) => basis(pointerOfReference(schemaPath) ?? schemaPath) !== 'assumed');
  };
}
