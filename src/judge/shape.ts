import { joinPointer } from '../pointer.ts';

/** JSON type of a value, integers apart from other numbers. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** Every place of a value with the types that it has there, integers among the numbers, lists merged (`/items/*`); never a value. */
export function typesByPlace(value: unknown): Map<string, Set<string>> {
  const places = new Map<string, Set<string>>();
  visit(value, '', places, 0);
  return places;
}

function visit(value: unknown, at: string, places: Map<string, Set<string>>, depth: number): void {
  const type = typeOf(value);
  places.set(at, (places.get(at) ?? new Set()).add(type === 'integer' ? 'number' : type));
  if (typeof value !== 'object' || value === null || depth > 64) return;
  if (Array.isArray(value)) for (const item of value) visit(item, `${at}/*`, places, depth + 1);
  else for (const [key, item] of Object.entries(value)) visit(item, joinPointer(at, key), places, depth + 1);
}
