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

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

export function parseScalar(text: string, as: readonly Scalar[]): unknown {
  if (as.includes('number') && NUMBER.test(text)) return Number(text);
  if (as.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return as.includes('null') && (text === '' || text === 'null') ? null : text;
}
