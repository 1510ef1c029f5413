import type { Contract, Json, Operation, Schema } from '../../spec/contract.ts';
import { annotationsOf, selfContained } from '../compile.ts';
import type { Validator } from '../plan.ts';

/** Whether a body is of the shape that the contract gives the good answer of an operation. */
export type IsShape = (operationId: string, body: Json) => Promise<boolean>;

/** Judges bodies by a contract that overlays may have changed. Ajv is loaded, and a schema compiled, on first need. */
export function createShapes(contract: () => Promise<Contract>): IsShape {
  const validators = new Map<string, Promise<Validator>>();
  return async (operationId, body) => {
    let validator = validators.get(operationId);
    if (!validator) {
      validator = contract().then((loaded) => compile(loaded, operationId));
      validators.set(operationId, validator);
    }
    return (await validator)(body);
  };
}

async function compile(contract: Contract, operationId: string): Promise<Validator> {
  const schema = schemaOf(contract.operation(operationId));
  if (schema === undefined) return () => true;
  const [{ Ajv2020 }, formats] = await Promise.all([import('ajv/dist/2020.js'), import('ajv-formats')]);
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, ownProperties: true });
  formats.default.default(ajv);
  for (const word of annotationsOf(contract.document)) if (!ajv.getKeyword(word)) ajv.addKeyword(word);
  return ajv.compile(selfContained(schema, contract.document));
}

/** Prism's choice, too: the lowest success that is named, a range after its codes. */
function schemaOf(operation: Operation | undefined): Schema | undefined {
  const [chosen] = (operation?.responses ?? [])
    .filter(({ status }) => /^2(?:\d\d|XX)$/.test(status))
    .toSorted((a, b) => (a.status < b.status ? -1 : 1));
  return chosen?.content.find(({ type }) => type === 'application/json')?.schema;
}
