import type { Contract, Operation } from '../../contract/contract.ts';
import { describe } from '../../schema/schema-facts.ts';
import { joinPointer, parsePointer } from '../../text/pointer.ts';
import { answerSchemas } from '../responses.ts';
import type { Observed, Spread } from '../rule.ts';
import { numeric } from '../shape.ts';

/** Rules about one place in the body of an answer. */
export const OF_A_PLACE: ReadonlySet<string> = new Set([
  'type-contradicted',
  'format-contradicted',
  'value-contradicted',
  'structure-contradicted',
  'required-missing',
  'fields-renamed',
  'fields-moved',
  'object-replaced',
  'unrecorded-field',
  'contents-new',
]);

/** A list may show another operation's object. Its schema's name identifies it, else its field names. */
export function spreadOfObject({ rule, observation }: Observed, contract: Contract): Spread | undefined {
  const { operationId, pointer, expected, actual } = observation;
  const operation = contract.operation(operationId ?? '');
  if (operation === undefined || operation.auth === 'issues' || !OF_A_PLACE.has(rule.id)) return undefined;
  const place = placeIn(contract, operation, pointer);
  return place === null ? undefined : { ...place, expected, actual: numeric(actual) };
}

/** Objects with fewer fields may be alike by chance. */
const ENOUGH_FIELDS = 3;

/** The nearest enclosing object with a schema name, else the parent object, identified by all its field names. */
function placeIn(contract: Contract, operation: Operation, pointer: string): Pick<Spread, 'object' | 'about'> | null {
  const segments = parsePointer(pointer) ?? [];
  const around = schemasAlong(contract, operation, segments);
  for (let depth = segments.length; depth >= 0; depth -= 1) {
    const named = describe(contract, around[depth] ?? []).parts.find(({ pointer: at }) => NAMED.test(at));
    if (named === undefined) continue;
    const object = named.pointer.slice(named.pointer.lastIndexOf('/') + 1);
    return { object, about: `${object}${joinPointer('', ...segments.slice(depth))}` };
  }
  const parent = around[segments.length - 1];
  const fields = [...describe(contract, parent ?? []).properties.keys()].sort();
  if (fields.length < ENOUGH_FIELDS) return null;
  return { object: '', about: `{${fields.join()}}${joinPointer('', ...segments.slice(-1))}` };
}

const NAMED = /^\/components\/schemas\/[^/]+$/;

function schemasAlong(contract: Contract, operation: Operation, segments: readonly string[]): string[][] {
  const along = Array.from({ length: segments.length + 1 }, (): string[] => []);
  const success = operation.responses.find(({ status }) => status.startsWith('2'))?.status ?? '200';
  const status = Number(success.replaceAll(/x/gi, '0'));
  for (const { schema, ofItems } of answerSchemas(contract, operation, status)) {
    const first = ofItems ? segments.indexOf('*') + 1 : 0;
    if (ofItems && first === 0) continue;
    let here = [schema];
    for (let depth = first; depth <= segments.length && here.length > 0; depth += 1) {
      along[depth]?.push(...here);
      const { properties, items, others } = describe(contract, here);
      const name = segments[depth] ?? '';
      here = [...(name === '*' ? (items.length > 0 ? items : others) : (properties.get(name) ?? []))];
    }
  }
  return along;
}
