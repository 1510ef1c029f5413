import type { Contract, JsonObject } from '../../contract/contract.ts';
import { isObject, partsOf } from '../../contract/schema-facts.ts';
import { numeric } from '../shape.ts';

/** What a schema wants of a value without parts: `number`, or `string, date-time`; null where it leaves a choice, or wants parts. */
function kindOfSchema({ type, format, pattern }: JsonObject): string | null {
  const types = new Set([type].flat().filter((one) => one !== 'null' && one !== undefined));
  const [only] = types;
  if (types.size !== 1 || typeof only !== 'string' || only === 'object' || only === 'array') return null;
  const form = format ?? pattern;
  return `${numeric(only)}${form === undefined ? '' : `, ${String(form)}`}`;
}

/** The same of the schema that one of its keywords stands in. */
export function kindAround(contract: Contract, keyword: string): string | null {
  const schema = contract.at(keyword.slice(0, keyword.lastIndexOf('/')));
  return isObject(schema) ? kindOfSchema(schema) : null;
}

export function createKinds(contract: Contract): (schemas: readonly string[]) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (schemas) => {
    const key = schemas.join('\n');
    const kinds = known.get(key) ?? partsOf(contract, schemas).flatMap(({ schema }) => kindOfSchema(schema) ?? []);
    known.set(key, kinds);
    return kinds;
  };
}
