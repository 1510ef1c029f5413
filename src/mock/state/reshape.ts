import type { Contract } from '../../contract/contract.ts';
import { documentFor } from '../../schema/direction.ts';
import { admits, isObject, type Json, typeOf } from '../../schema/json.ts';
import type { Provenance } from '../../schema/schema-document.ts';
import { describe } from '../../schema/schema-facts.ts';
import { joinPointer } from '../../text/pointer.ts';
import { goodJson, provenanceShown, recordedMedia } from '../compile/provenance.ts';
import { whenReady } from '../message/answer.ts';

export interface Reshaped {
  readonly body: Json;
  readonly provenance: Provenance;
  /** Why parts of a record are made up. */
  readonly notice?: string;
}

/**
 * Fits a body to the operation's success response: keeps the parts that fit, and makes up the others. Undefined if the
 * response has another shape.
 */
export type Reshape = (operationId: string, body: Json) => Reshaped | undefined | Promise<Reshaped | undefined>;

type ReshapeBody = (body: Json) => Reshaped | undefined;

/** Ajv is loaded, and a schema compiled, on first use. */
export function createReshape(contract: () => Promise<Contract>, seed: number): Reshape {
  const known = new Map<string, ReshapeBody | Promise<ReshapeBody>>();
  return (operationId, body) => {
    let reshape = known.get(operationId);
    if (!reshape) {
      reshape = contract().then((loaded) => reshapeFor(loaded, operationId, seed));
      known.set(operationId, reshape);
      reshape.then((made) => known.set(operationId, made)).catch(() => known.delete(operationId));
    }
    return whenReady(reshape, (made) => made(body));
  };
}

async function reshapeFor(contract: Contract, operationId: string, seed: number): Promise<ReshapeBody> {
  const operation = contract.operation(operationId);
  const media = operation && goodJson(operation);
  if (operation === undefined || media?.schema === undefined) return (body) => ({ body, provenance: 'assumed' });
  const { compilerOf } = await import('../../schema/ajv.ts');
  const schema = joinPointer(media.pointer, 'schema');
  const holds = compilerOf(documentFor(contract.document, 'response'))(schema);
  const recorded = recordedMedia(contract, operation).some((one) => one.media.pointer === media.pointer);
  const { make } = await import('../../schema/make.ts');
  const { types, properties } = describe(contract, [schema]);
  // not the case for an envelope that the state does not describe
  const isAlike = (given: Json): boolean => {
    if (!isObject(given)) return types.length === 0 || admits(types, typeOf(given));
    return properties.size === 0 || Object.keys(given).some((name) => properties.has(name));
  };
  return (given) => {
    if (!recorded && !isAlike(given)) return undefined;
    // the existence of state, and its values, are assumed
    if (!recorded && holds(given)) return { body: given, provenance: 'assumed' };
    const { instancePath = '', message = '' } = holds.errors?.[0] ?? {};
    const body = make(contract, schema, { seed, known: recorded, direction: 'response', like: given });
    if (!holds(body)) return undefined;
    if (recorded) return { body, provenance: provenanceShown(contract, body, schema) };
    const notice = `parts are made up, because the record contradicts the contract: ${instancePath || 'it'} ${message}`;
    return { body, provenance: 'assumed', notice };
  };
}
