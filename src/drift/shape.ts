/** JSON type of a value, integers apart from other numbers. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** Every place of a value with its type, lists merged (`/items/*`), sorted; never a value. */
export function shapeOf(value: unknown): string[] {
  const places = new Set<string>();
  visit(value, '', places, 0);
  return [...places].sort();
}

function visit(value: unknown, at: string, places: Set<string>, depth: number): void {
  const type = typeOf(value);
  places.add(`${at}: ${type === 'integer' ? 'number' : type}`);
  if (typeof value !== 'object' || value === null || depth > 64) return;
  if (Array.isArray(value)) for (const item of value) visit(item, `${at}/*`, places, depth + 1);
  else for (const [key, item] of Object.entries(value)) visit(item, `${at}/${key}`, places, depth + 1);
}
