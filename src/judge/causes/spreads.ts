import type { Contract } from '../../contract/contract.ts';
import { isObject, type JsonObject } from '../../schema/json.ts';
import { shapeBySchemas } from '../allowed-values.ts';
import type { Observation, Spread } from '../rule.ts';
import { numeric } from '../shape.ts';

export function spreadOfAnswers({ expected, actual, identity }: Observation): readonly Spread[] {
  return [{ about: '', ...(identity ?? { expected, actual }), least: 2 }];
}

export function spreadOfRefusals({ expected, actual }: Observation): readonly Spread[] {
  return [{ about: '', expected, actual: /^2\d\d$/.test(actual) ? '2XX' : actual }];
}

export function spreadOfValue(seen: Observation, contract: Contract): readonly Spread[] {
  const schema = contract.at(seen.source.slice(0, seen.source.lastIndexOf('/')));
  const kind = isObject(schema) ? kindOf(schema) : null;
  const byName = spreadOfField(seen);
  if (kind === null) return byName;
  return [{ about: 'fields', expected: kind, actual: numeric(seen.actual), kind }, ...byName];
}

export function spreadOfField({ pointer, expected, actual }: Observation): readonly Spread[] {
  const name = pointer.slice(pointer.lastIndexOf('/') + 1);
  return name === '*' ? [] : [{ about: name, expected, actual }];
}

/** A field that may be null was left out. If several were, the target no longer sends null. */
export function spreadOfMissing(seen: Observation, contract: Contract): readonly Spread[] {
  const byName = spreadOfField(seen);
  const object = seen.source.replace(/\/required\/\d+$/, '');
  const field = `${object}/properties${seen.pointer.slice(seen.pointer.lastIndexOf('/'))}`;
  if (seen.pointer === '' || !shapeBySchemas(contract, [field]).types.has('null')) return byName;
  return [{ about: 'fields', expected: 'a field with null', actual: seen.actual, kind: 'null', least: 2 }, ...byName];
}

export function spreadOfNewField(seen: Observation): readonly Spread[] {
  return spreadOfField(seen).map(({ about, ...spread }) => ({ ...spread, about: `*/${about}` }));
}

function kindOf({ type, format, pattern }: JsonObject): string | null {
  const types = new Set([type].flat().filter((one) => one !== 'null' && one !== undefined));
  const [only] = types;
  if (types.size !== 1 || typeof only !== 'string' || only === 'object' || only === 'array') return null;
  const form = format ?? pattern;
  return `${numeric(only)}${form === undefined ? '' : `, ${String(form)}`}`;
}
