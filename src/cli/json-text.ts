import { JsonTextError, scanJson, type Visit } from '../files/json.ts';

/** Deeper nesting is refused; no document of an API comes near it. */
const MAX_DEPTH = 500;

/**
 * Parses one JSON text, with or without a byte order mark. Unlike `JSON.parse` it refuses a name that an object has twice and keeps
 * what a double cannot hold apart from what it can: a number beyond its range becomes the largest one, a fraction too small for it
 * stays one.
 *
 * @throws JsonTextError
 */
export function parseJsonText(text: string, visit?: Visit): unknown {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const json = text.slice(start);
  try {
    scanJson(json, MAX_DEPTH, visit && ((pointer, offset) => visit(pointer, offset + start)));
  } catch (error) {
    throw error instanceof JsonTextError ? new JsonTextError(error.message, error.offset + start) : error;
  }
  return JSON.parse(json, (_key, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' ? toNumber(context?.source ?? String(value)) : value,
  );
}

function toNumber(literal: string): number {
  const value = Number(literal);
  if (!Number.isFinite(value)) return Math.sign(value) * Number.MAX_VALUE;
  // 100000.00000000000001 is no integer, though the nearest double is one
  return Number.isInteger(value) && hasFraction(literal) && Math.abs(value) < 2 ** 51
    ? value + Math.sign(value || 1) * 0.5
    : value;
}

/** Whether a number, taken exactly, is no integer. */
function hasFraction(literal: string): boolean {
  const [digits = '', exponent = '0'] = literal.toLowerCase().split('e');
  const fraction = digits.split('.')[1] ?? '';
  const significant = fraction.replace(/0+$/, '').length;
  if (significant > 0) return significant > Number(exponent);
  const whole = digits.replace('-', '').split('.')[0] ?? '';
  const zeros = whole.length - whole.replace(/0+$/, '').length;
  return Number(exponent) < -zeros && !/^0+$/.test(whole);
}
