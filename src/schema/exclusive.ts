import { type Case, casesAt, isComparable, membersOf, schemasOf } from './cases.ts';
import { type Json, listOf } from './json.ts';
import type { SchemaSide } from './side.ts';

/** A member that tells two objects apart may be an object itself, but not without end. */
const DEEPEST = 3;

/** Whether no value can match two of these schemas. */
export function areExclusive(side: SchemaSide, schemas: readonly string[]): boolean {
  return schemas.every((one, index) => schemas.slice(index + 1).every((other) => exclude(side, [one], [other])));
}

/** By type, by listed values, or by a required member that tells them apart. */
function exclude(side: SchemaSide, ones: readonly string[], others: readonly string[], depth = 0): boolean {
  const [own, foreign] = [casesAt(side, ones), casesAt(side, others)];
  if (own === null || foreign === null) return false;
  const rejected = (value: Json, by: readonly string[]): boolean => !by.every((one) => side.accepts(one, value));
  return own.cases.every((x) =>
    foreign.cases.every((y) => {
      if (x.value !== undefined) return rejected(x.value, others);
      if (y.value !== undefined) return rejected(y.value, ones);
      if (!isComparable(x, y)) return true;
      return x.type === 'object' && depth < DEEPEST && tags(x, y).some(([a, b]) => exclude(side, a, b, depth + 1));
    }),
  );

  function tags(x: Case, y: Case): [string[], string[]][] {
    const required = ({ parts }: Case) => new Set(parts.flatMap(({ schema }) => listOf(schema.required).map(String)));
    const names = [...required(x).intersection(required(y))];
    const [own, foreign] = [membersOf(side, x.parts), membersOf(side, y.parts)];
    return names.map((name) => [schemasOf(own, { name }), schemasOf(foreign, { name })]);
  }
}
