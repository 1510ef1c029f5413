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

/** The possible values of an object that is sent as `name[member]=text`; none if no member is sent. */
export function membersOf(
  name: string,
  as: Readonly<Record<string, readonly Scalar[]>>,
  query: Iterable<readonly [name: string, text: string]>,
): unknown[] {
  const sent = [...query].filter(([key]) => key.startsWith(`${name}[`) && key.endsWith(']'));
  if (sent.length === 0) return [];
  const texts = sent.map(([key, text]) => [key.slice(name.length + 1, -1), text] as const);
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
