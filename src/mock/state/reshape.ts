import type { Contract, Json, Provenance } from '../../contract/contract.ts';
import { documentFor } from '../../contract/direction.ts';
import { joinPointer } from '../../text/pointer.ts';
import { goodJson, provenanceShown, recordedMedia } from '../compile/provenance.ts';

export interface Reshaped {
  readonly body: Json;
  readonly provenance: Provenance;
}

/** Fits a body to the operation's success response. Recorded shapes are completed. Undefined if it does not fit. */
export type Reshape = (operationId: string, body: Json) => Promise<Reshaped | undefined>;

type ReshapeBody = (body: Json) => Reshaped | undefined;

/** Ajv is loaded, and a schema compiled, on first use. */
export function createReshape(contract: () => Promise<Contract>, seed: number): Reshape {
  const known = new Map<string, Promise<ReshapeBody>>();
  return async (operationId, body) => {
    let reshape = known.get(operationId);
    if (!reshape) {
      reshape = contract().then((loaded) => reshapeFor(loaded, operationId, seed));
      known.set(operationId, reshape);
    }
    return (await reshape)(body);
  };
}

async function reshapeFor(contract: Contract, operationId: string, seed: number): Promise<ReshapeBody> {
  const operation = contract.operation(operationId);
  const media = operation && goodJson(operation);
  if (operation === undefined || media?.schema === undefined) return (body) => ({ body, provenance: 'assumed' });
  const { compilerOf } = await import('../../contract/ajv.ts');
  const schema = joinPointer(media.pointer, 'schema');
  const holds = compilerOf(documentFor(contract.document, 'response'))(schema);
  const recorded = recordedMedia(contract, operation).some((one) => one.media.pointer === media.pointer);
  // the existence of state, and its values, are assumed
  if (!recorded) return (body) => (holds(body) ? { body, provenance: 'assumed' } : undefined);
  const { completeExample } = await import('../../contract/sample.ts');
  return (given) => {
    const body = completeExample(contract, schema, given, { seed, known: true, direction: 'response' });
    return holds(body) ? { body, provenance: provenanceShown(contract, body, schema) } : undefined;
  };
}
