import type { Contract, JsonObject } from '../../contract/contract.ts';
import { isObject } from '../../contract/schema-facts.ts';
import { joinPointer } from '../../text/pointer.ts';
import { type Description, describe } from '../fields.ts';
import { folded } from './names.ts';
import { DEEPEST, type Rebuild, type Search } from './search.ts';

interface Contents {
  readonly list: boolean;
  readonly names: readonly string[];
}

/** What the schemas of a field say that stands in it; null where that is neither a list nor an object with named fields. */
function describedContents(contract: Contract, { properties }: Description, name: string): Contents | null {
  const own = describe(contract, properties.get(name) ?? []);
  if (own.items.length > 0) return { list: true, names: namesOf(describe(contract, own.items)) };
  return namesOf(own).length > 0 ? { list: false, names: namesOf(own) } : null;
}

function namesOf({ properties, required }: Description): string[] {
  return [...new Set([...properties.keys(), ...required.keys()])];
}

function contentsOf(value: unknown): Contents | null {
  if (isObject(value)) return { list: false, names: Object.keys(value) };
  if (!Array.isArray(value) || !value.every(isObject)) return null;
  return { list: true, names: [...new Set(value.flatMap((item) => Object.keys(item)))] };
}

/** True of contents most of which are known of others, whatever their spelling. */
function areAlike(known: Contents, seen: Contents | null): boolean {
  if (seen === null || seen.list !== known.list) return false;
  const folds = new Set(known.names.map(folded));
  const shared = seen.names.filter((name) => folds.has(folded(name))).length;
  return shared * 2 > seen.names.length;
}

/** A list or an object has another name: `items` for `fees`. What stands in it tells; of an empty list that it is the only one. */
export function* renamedContents({ contract, object, fields, lost, fresh, hollow }: Search): Iterable<Rebuild> {
  const left = new Set(fresh);
  const described = (names: Iterable<string>) =>
    [...names].flatMap((name) => {
      const contents = describedContents(contract, fields, name);
      return contents === null ? [] : [{ name, contents }];
    });
  const known = described(lost);
  // A list that need not be there is told by its items alone.
  const optional = described(fields.properties.keys()).filter(
    ({ name, contents: { list, names } }) =>
      list && names.length > 0 && !lost.has(name) && !Object.hasOwn(object, name),
  );
  for (const { name, contents } of [...known, ...optional]) {
    const sameKind = [...left].filter((other) => contentsOf(object[other])?.list === contents.list);
    const alike = sameKind.filter((other) => areAlike(contents, contentsOf(object[other])));
    // An empty list, or one of which no fields are known, is told by being alone.
    const isAlone = sameKind.length === 1 && known.filter((one) => one.contents.list).length === 1;
    const isBare =
      lost.has(name) && contents.list && isAlone && contentsOf(object[sameKind[0] ?? ''])?.names.length === 0;
    const [to, ...others] = alike.length > 0 ? alike : isBare && (hollow || contents.names.length > 0) ? sameKind : [];
    if (to === undefined || others.length > 0) continue;
    left.delete(to);
    yield { rule: 'fields-renamed', lost: [name], fresh: [to], expected: name, actual: `the same as ${to}` };
  }
}

/** An object, or a list of them, stands under the same name in another object beside the one that it stood in, above or inside of it. */
export function* movedObjects({ contract, object, fields, lost, fresh }: Search): Iterable<Rebuild> {
  for (const name of lost) {
    const contents = describedContents(contract, fields, name);
    if (contents === null || contents.names.length === 0) continue;
    for (const other of Object.keys(object)) {
      const known = fields.properties.get(other) ?? [];
      const at = fieldLike(name, contents, object[other], { contract, known }, 0);
      if (at === null) continue;
      yield {
        rule: 'fields-moved',
        lost: [name],
        fresh: fresh.has(other) ? [other] : [],
        inside: [`${joinPointer('', other)}${at}`],
        expected: `${name} at this level`,
        actual: `the same inside ${joinPointer('', other)}${at.slice(0, at.lastIndexOf('/'))}`,
      };
      break;
    }
  }
  for (const [outer, schemas] of fields.properties) {
    const inner = object[outer];
    if (!isObject(inner)) continue;
    const own = describe(contract, schemas);
    for (const name of own.required.keys()) {
      const contents = Object.hasOwn(inner, name) || !fresh.has(name) ? null : describedContents(contract, own, name);
      if (contents === null || contents.names.length === 0 || !areAlike(contents, contentsOf(object[name]))) continue;
      yield {
        rule: 'fields-moved',
        lost: [],
        fresh: [name],
        inside: [joinPointer('', outer, name)],
        expected: `${name} inside ${joinPointer('', outer)}`,
        actual: 'the same at this level',
      };
    }
  }
}

/** What stands in a list that is the only one in an object with what the schemas say of the items; null where there is none. */
export function wrappedList(contract: Contract, items: readonly string[], object: JsonObject): Rebuild | null {
  const own = describe(contract, items);
  const wanted: Contents = { list: true, names: namesOf(own) };
  const lists = listsIn(object, '', 0);
  const alike = lists.filter(({ contents }) => areAlike(wanted, contents));
  // An empty list is told by being alone.
  const [at, ...others] = alike.length > 0 ? alike : lists.filter(({ contents }) => contents.names.length === 0);
  if (at === undefined || others.length > 0 || (alike.length === 0 && lists.length > 1)) return null;
  return {
    rule: 'fields-moved',
    lost: [],
    fresh: [],
    inside: [''],
    expected: 'the list at this level',
    actual: `the same inside ${at.place}`,
  };
}

function listsIn(
  object: JsonObject,
  at: string,
  depth: number,
): { readonly place: string; readonly contents: Contents }[] {
  return Object.entries(object).flatMap(([name, value]) => {
    const place = joinPointer(at, name);
    const contents = contentsOf(value);
    if (contents?.list === true) return [{ place, contents }];
    return depth < DEEPEST && isObject(value) ? listsIn(value, place, depth + 1) : [];
  });
}

/** Pointer of the first field of a name with some contents in an object or deeper, where no schema names it. */
function fieldLike(
  name: string,
  contents: Contents,
  object: unknown,
  { contract, known }: { readonly contract: Contract; readonly known: readonly string[] },
  depth: number,
): string | null {
  if (!isObject(object) || depth > DEEPEST) return null;
  const { properties } = describe(contract, known);
  if (!properties.has(name) && areAlike(contents, contentsOf(object[name]))) return joinPointer('', name);
  for (const other of Object.keys(object).sort()) {
    const next = { contract, known: properties.get(other) ?? [] };
    const at = fieldLike(name, contents, object[other], next, depth + 1);
    if (at !== null) return `${joinPointer('', other)}${at}`;
  }
  return null;
}
