import type { Contract, Json, Provenance } from '../../contract/contract.ts';
import { joinPointer } from '../../pointer.ts';
import { goodJson, provenanceShown, recordedMedia } from '../compile/provenance.ts';

/** A body as it is shown, and what it rests on. */
export interface Fitted {
  readonly body: Json;
  readonly provenance: Provenance;
}

/**
 * A body in the shape that the contract gives the good answer of an operation; undefined where it is of another one. Where that answer
 * was recorded, the body keeps what is documented or observed of it, and what it lacks is made up.
 */
export type Fit = (operationId: string, body: Json) => Promise<Fitted | undefined>;

type FitBody = (body: Json) => Fitted | undefined;

/** Fits bodies to a contract that overlays may have changed. Ajv is loaded, and a schema compiled, on first need. */
export function createFit(contract: () => Promise<Contract>, seed: number): Fit {
  const fits = new Map<string, Promise<FitBody>>();
  return async (operationId, body) => {
    let fit = fits.get(operationId);
    if (!fit) {
      fit = contract().then((loaded) => fitFor(loaded, operationId, seed));
      fits.set(operationId, fit);
    }
    return (await fit)(body);
  };
}

async function fitFor(contract: Contract, operationId: string, seed: number): Promise<FitBody> {
  const operation = contract.operation(operationId);
  const media = operation && goodJson(operation);
  if (operation === undefined || media?.schema === undefined) return (body) => ({ body, provenance: 'assumed' });
  const { compileAlone } = await import('../compile/compile.ts');
  const holds = await compileAlone(contract, media.schema);
  const recorded = recordedMedia(contract, operation).some((one) => one.media.pointer === media.pointer);
  // that anything is remembered, and which states there are, is assumed
  if (!recorded) return (body) => (holds(body) ? { body, provenance: 'assumed' } : undefined);
  const schema = joinPointer(media.pointer, 'schema');
  const { completeExample } = await import('../../contract/sample.ts');
  return (given) => {
    const body = completeExample(contract, schema, given, { seed, known: true });
    return holds(body) ? { body, provenance: provenanceShown(contract, body, schema) } : undefined;
  };
}
