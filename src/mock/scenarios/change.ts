import type { FieldChange } from './definition.ts';

type Fields = Record<string, unknown>;

/** Applies changes to a JSON value that was parsed for them; false where none of them found its field. */
export function changeFields(value: unknown, changes: readonly FieldChange[]): boolean {
  let changed = false;
  for (const change of changes) {
    const [path, act] = stepOf(change);
    for (const item of itemsOf(value, String(path[0]))) changed = apply(item, path, act) || changed;
  }
  return changed;
}

/** The objects that have the field: the value, the items of a list, or those of the lists in an envelope. */
function itemsOf(value: unknown, name: string): Fields[] {
  if (Array.isArray(value)) return value.flatMap((item) => itemsOf(item, name));
  if (!isFields(value)) return [];
  if (Object.hasOwn(value, name)) return [value];
  return Object.values(value).flatMap((inner) => (Array.isArray(inner) ? itemsOf(inner, name) : []));
}

type Act = (holder: Fields, name: string) => void;

function stepOf(change: FieldChange): [path: readonly string[], act: Act] {
  if ('drop' in change) return [change.drop.split('.'), remove];
  if ('rename' in change) {
    const { to } = change;
    return [
      change.rename.split('.'),
      (holder, name) => {
        const value = holder[name];
        remove(holder, name);
        put(holder, to, value);
      },
    ];
  }
  const { to } = change;
  return [change.retype.split('.'), (holder, name) => put(holder, name, retyped(holder[name], to))];
}

function apply(holder: Fields, [name = '', ...rest]: readonly string[], act: Act): boolean {
  if (!Object.hasOwn(holder, name)) return false;
  if (rest.length === 0) {
    act(holder, name);
    return true;
  }
  const inner = holder[name];
  return isFields(inner) && apply(inner, rest, act);
}

function remove(holder: Fields, name: string): void {
  delete holder[name];
}

/** As an own property, whatever the name. */
function put(holder: Fields, name: string, value: unknown): void {
  Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
}

function retyped(value: unknown, to: Extract<FieldChange, { retype: string }>['to']): unknown {
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

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
