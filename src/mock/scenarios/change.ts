import type { FieldChange } from '../../../generated/mock/scenario.ts';
import { isObject } from '../../schema/json.ts';

type Fields = Record<string, unknown>;
type Act = (holder: Fields, name: string) => void;

/** Applies changes to a parsed JSON value, in place. Returns false if no change found its field. */
export function changeFields(value: unknown, changes: readonly FieldChange[]): boolean {
  let changed = false;
  for (const change of changes) {
    const [first = '', ...rest] = (change.drop ?? change.rename ?? change.retype ?? '').split('.');
    for (const item of itemsOf(value, first)) changed = apply(item, first, rest, actOf(change)) || changed;
  }
  return changed;
}

/** The objects with the field: the value, the items of a list, or the items of lists in an envelope. */
function itemsOf(value: unknown, name: string): Fields[] {
  if (Array.isArray(value)) return value.flatMap((item) => itemsOf(item, name));
  if (!isObject(value)) return [];
  if (Object.hasOwn(value, name)) return [value as Fields];
  return Object.values(value).flatMap((inner) => (Array.isArray(inner) ? itemsOf(inner, name) : []));
}

function apply(holder: Fields, name: string, [next, ...rest]: readonly string[], act: Act): boolean {
  if (!Object.hasOwn(holder, name)) return false;
  const inner = holder[name];
  if (next !== undefined) return isObject(inner) && apply(inner as Fields, next, rest, act);
  act(holder, name);
  return true;
}

function actOf({ drop, rename, to = '' }: FieldChange): Act {
  return (holder, name) => {
    const value = holder[name];
    if (drop !== undefined || rename !== undefined) delete holder[name];
    if (drop === undefined)
      put(holder, rename === undefined ? name : to, rename === undefined ? retyped(value, to) : value);
  };
}

/** Defines an own property, even for names like `__proto__`. */
function put(holder: Fields, name: string, value: unknown): void {
  Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
}

function retyped(value: unknown, to: string): unknown {
  switch (to) {
    case 'string':
      return typeof value === 'string' ? value : JSON.stringify(value);
    case 'number':
      return Number.isFinite(Number(value)) ? Number(value) : 1;
    case 'boolean':
      return Boolean(value);
    case 'null':
      return null;
    case 'array':
      return [value];
    default:
      return { value };
  }
}
