import { type Answer, headerOf } from '../message/answer.ts';

/** A problem with its `instance` (RFC 9457, 3.1.5): where the page of the mock explains this very refusal. */
export function withInstance(given: Answer, seq: number): Answer {
  const { status, body, headers } = given;
  // a scenario may have broken the body
  if (status < 400 || body?.at(-1) !== CLOSING || headerOf(given, 'content-type') !== 'application/problem+json') {
    return given;
  }
  const bytes = Buffer.concat([body.subarray(0, -1), Buffer.from(`,"instance":"/__mock/#/exchange/${seq}"}`)]);
  const length = headers.findIndex((text, index) => index % 2 === 0 && text === 'content-length');
  return { ...given, body: bytes, headers: headers.with(length + 1, String(bytes.length)) };
}

/** `}` */
const CLOSING = 125;
