import type { Answer } from '../message/answer.ts';

export const PROBLEM_TYPE = 'application/problem+json';

export function exchangeLink(seq: number): string {
  return `/__mock/#/exchange/${seq}`;
}

/** A problem with its `instance` (RFC 9457, 3.1.5): where this very refusal is explained. Any other answer stays what it is. */
export function withInstance(given: Answer, seq: number): Answer {
  const { status, body, headers } = given;
  if (status < 400 || body === null || body[body.length - 1] !== CLOSING) return given;
  const type = headers.findIndex((text, index) => index % 2 === 0 && text === 'content-type');
  if (headers[type + 1] !== PROBLEM_TYPE) return given;
  const more = Buffer.from(`,"instance":${JSON.stringify(exchangeLink(seq))}}`);
  const bytes = Buffer.concat([body.subarray(0, -1), more]);
  const length = headers.findIndex((text, index) => index % 2 === 0 && text === 'content-length');
  return { ...given, body: bytes, headers: headers.with(length + 1, String(bytes.length)) };
}

/** `}` */
const CLOSING = 125;
