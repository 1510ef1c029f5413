import type { Contract } from '../../contract/contract.ts';
import { basisFrom } from '../../contract/provenance.ts';
import { factsOf } from '../../contract/schema-facts.ts';
import { joinPointer, parsePointer } from '../../pointer.ts';
import type { PlannedOperation, ValidationError } from '../compile/plan.ts';

/** The faults of a body that break what is documented or was observed: no mode lets these pass. */
export type DocumentedFaults = (
  operation: PlannedOperation,
  type: string,
  faults: readonly ValidationError[],
) => Promise<readonly ValidationError[]>;

/** Tells by the provenance of the keyword that was broken. The contract is loaded when the first fault is judged. */
export function createDocumentedFaults(contract: () => Promise<Contract>): DocumentedFaults {
  return async (operation, type, faults) => {
    const loaded = await contract();
    const content = loaded.operation(operation.operationId)?.requestBody?.content ?? [];
    const media = content.find((one) => one.type === type);
    if (media?.schema === undefined) return faults;
    const schema = joinPointer(media.pointer, 'schema');
    return faults.filter((fault) => !isAssumed(loaded, schema, fault));
  };
}

function isAssumed(contract: Contract, entry: string, { instancePath, keyword }: ValidationError): boolean {
  let pointers: readonly string[] = [entry];
  const all = { alternatives: Number.POSITIVE_INFINITY };
  for (const segment of parsePointer(instancePath) ?? []) {
    const { items, properties, others } = factsOf(contract, pointers, all);
    pointers = properties.get(segment) ?? (items.length > 0 ? items : others);
  }
  const basis = basisFrom(contract, entry);
  const said = factsOf(contract, pointers, all).parts.filter(({ schema }) => Object.hasOwn(schema, keyword));
  return said.length > 0 && said.every(({ pointer }) => basis(joinPointer(pointer, keyword)) === 'assumed');
}
