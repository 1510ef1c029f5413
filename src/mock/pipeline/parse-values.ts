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

/** The possible values of an object that is sent as `name[member]=text`; none if no member is sent. */
export function membersOf(
  name: string,
  as: Readonly<Record<string, readonly Scalar[]>>,
  query: Iterable<readonly [name: string, text: string]>,
): unknown[] {
  const sent = [...query].filter(([key]) => key.startsWith(`${name}[`) && key.endsWith(']'));
  if (sent.length === 0) return [];
  return objectsOf(
    sent.map(([key, text]) => [key.slice(name.length + 1, -1), text]),
    as,
  );
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
