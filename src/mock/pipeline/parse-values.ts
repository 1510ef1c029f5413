import { parseJson } from '../../text/decode.ts';
import type { Scalar, ValueForm } from '../compile/plan.ts';

/** The possible values of the texts under one name: raw, then parsed. Undefined means that a text is not valid JSON. */
export function candidateValues(form: ValueForm, first: string, texts: readonly string[]): unknown[] {
  switch (form.kind) {
    case 'json':
      return [parseJson(first)];
    case 'list': {
      const parts = form.by === null ? texts : first === '' ? [] : first.split(form.by).map((part) => part.trim());
      return [parts, parts.map((part) => parseScalar(part, form.as))];
    }
    default:
      // a repeated name has no single value
      return texts.length > 1 ? [texts] : [first, parseScalar(first, form.as)];
  }
}

type Texts = readonly (readonly [name: string, text: string])[];

/** Levels of brackets that are read in the name of a field. */
const DEEPEST = 32;

/**
 * The possible values of an object or list that is sent as `name[member]=text`, or deeper as `name[member][0][member]`;
 * none if no member is sent.
 *
 * @param as by the names in the brackets, joined with `][`; `*` stands for each position in a list
 */
export function membersOf(
  name: string,
  as: Readonly<Record<string, readonly Scalar[]>>,
  query: Iterable<readonly [name: string, text: string]>,
): unknown[] {
  const sent = [...query]
    .filter(([key]) => key.startsWith(`${name}[`) && key.endsWith(']'))
    .map(([key, text]) => ({ path: key.slice(name.length + 1, -1).split('][', DEEPEST), value: text }));
  const parsed = sent.map(({ path, value }) => {
    const key = [path, path.map((part) => (/^\d*$/.test(part) ? '*' : part))]
      .map((one) => one.join(']['))
      .find((one) => Object.hasOwn(as, one));
    return { path, value: parseScalar(value, as[key ?? ''] ?? []) };
  });
  return sent.length === 0 ? [] : [treeOf(sent), treeOf(parsed)];
}

type Leaf = { readonly path: readonly string[]; readonly value: unknown };

/** An object, or a list if its members are named `[]`, or by their positions. */
function treeOf(leaves: readonly Leaf[]): unknown {
  const [last] = leaves.filter(({ path }) => path.length === 0).slice(-1);
  if (last) return last.value;
  const inside = ({ path, value }: Leaf): Leaf => ({ path: path.slice(1), value });
  if (leaves.every(({ path }) => path[0] === '')) return leaves.map((leaf) => treeOf([inside(leaf)]));
  const members = [...Map.groupBy(leaves, ({ path }) => path[0] ?? '')].map(
    ([key, own]) => [key, treeOf(own.map(inside))] as const,
  );
  const isList = members.every(([key], index) => key === String(index));
  return isList ? members.map(([, value]) => value) : Object.fromEntries(members);
}

/** The names and texts in `a=1,b=2`, or in `a,1,b,2` unless exploded. */
export function pairsIn(text: string, by: string, isExploded: boolean): Texts {
  const parts = text.split(by);
  if (!isExploded) return parts.flatMap((name, index) => (index % 2 === 0 ? [[name, parts[index + 1] ?? '']] : []));
  return parts.map((part) => {
    const [name = '', value = ''] = part.split(/=(.*)/s);
    return [name, value];
  });
}

/** The possible values of an object: its texts raw, then parsed. */
export function objectsOf(texts: Texts, as: Readonly<Record<string, readonly Scalar[]>>): unknown[] {
  return [
    Object.fromEntries(texts),
    Object.fromEntries(
      texts.map(([key, text]) => [key, parseScalar(text, Object.hasOwn(as, key) ? (as[key] ?? []) : [])]),
    ),
  ];
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

export function parseScalar(text: string, as: readonly Scalar[]): unknown {
  if (as.includes('number') && NUMBER.test(text)) return Number(text);
  if (as.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return as.includes('null') && (text === '' || text === 'null') ? null : text;
}
