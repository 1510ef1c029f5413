import { folded } from './names.ts';
import type { Rebuild, Search } from './search.ts';
import { areAlike, sortBySchemas, sortOfValue } from './sorts.ts';

/**
 * A field without parts has another name: one is gone, and in its place came one of the same sort. Which is which is told where each
 * has only one counterpart; of several those whose names have a word in common.
 */
export function* renamedValues({ contract, object, fields, lost, fresh, hollow }: Search): Iterable<Rebuild> {
  if (hollow) return;
  const wanted = new Map([...lost].map((name) => [name, sortBySchemas(contract, fields.properties.get(name) ?? [])]));
  const given = new Map([...fresh].map((name) => [name, sortOfValue(object[name])]));
  const fits = (from: string, to: string): boolean => {
    const [one, other] = [wanted.get(from), given.get(to)];
    return one !== undefined && other !== undefined && areAlike(one, other);
  };
  const only = (names: readonly string[], name: string): string | null => {
    const [first, second] = names;
    if (second === undefined) return first ?? null;
    const [alike, another] = names.filter((other) => resemble(name, other));
    return another === undefined ? (alike ?? null) : null;
  };
  const counterpart = (from: string): string | null =>
    only(
      [...given.keys()].filter((to) => fits(from, to)),
      from,
    );
  const origin = (to: string): string | null =>
    only(
      [...wanted.keys()].filter((from) => fits(from, to)),
      to,
    );
  for (const from of wanted.keys()) {
    const to = counterpart(from);
    if (to === null || origin(to) !== from) continue;
    yield { rule: 'fields-renamed', lost: [from], fresh: [to], expected: from, actual: `${to} in its place` };
  }
}

/** True of names that have a word in common, or of which one is the beginning or the end of the other. */
function resemble(one: string, other: string): boolean {
  const [a, b] = [folded(one), folded(other)];
  const words = new Set(wordsOf(one));
  return a.includes(b) || b.includes(a) || wordsOf(other).some((word) => words.has(word));
}

function wordsOf(name: string): string[] {
  return name
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .split(/[\s_.-]+/)
    .filter((word) => word.length > 2);
}
