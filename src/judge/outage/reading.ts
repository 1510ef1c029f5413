import { type Call, finalAttempt } from '../../model/call.ts';
import { type Exchange, header } from '../../model/exchange.ts';
import { contentOf, limitOf } from '../../model/media.ts';
import { flawOf } from '../../model/mock-answer.ts';
import type { Reason } from '../../model/reason.ts';
import { answersToWait, asksToWait } from '../../net/retry-after.ts';
import { excerpt, type Redact } from '../../redact/excerpt.ts';
import { shapeOf } from '../shape.ts';
import { textOfShape } from '../shape-text.ts';

export type AnswerReading =
  | { readonly kind: 'good' }
  | { readonly kind: 'gone' | 'missing' | 'rejected'; readonly status: number }
  | { readonly kind: 'unauthorised'; readonly status: number }
  /** `status` is 0 without an answer. */
  | { readonly kind: 'broken'; readonly status: number; readonly actual: string; readonly shape?: string }
  /** HTML, whatever its status: a gateway, a firewall or a login wrote it. */
  | { readonly kind: 'page'; readonly status: number }
  | { readonly kind: 'redirect'; readonly status: number; readonly location: string; readonly why: Reason }
  | { readonly kind: 'unclear'; readonly why: Reason };

export function readingOf(call: Call): AnswerReading {
  const last = finalAttempt(call);
  if (call.notSent !== null || last === undefined) return unanswered(call.notSent ?? 'nothing was sent');
  if (last.response === null) {
    if (last.failure?.kind === 'aborted') return unanswered('the call was aborted');
    // The local network, the local trust settings or our own limit failed. This proves nothing about the operation.
    if (last.failure !== null && ['proxy', 'tls', 'too-large'].includes(last.failure.kind)) {
      return unanswered(last.failure.message);
    }
    return broken(silence(last.failure?.kind ?? 'reset'), last);
  }
  const { status, headers } = last.response;
  const flaw = flawOf(last.response);
  if (flaw !== null) return unusable(flaw);
  if (status === 401) return { kind: 'unauthorised', status };
  if (asksToWait(last)) return { kind: 'unclear', why: reasonToWait(call) };
  if ((status < 300 || status >= 400) && isPage(call)) return { kind: 'page', status };
  if (status === 405 || status === 410) return { kind: 'gone', status };
  if (status === 404) return { kind: 'missing', status };
  if (status >= 500) return { kind: 'broken', status, actual: String(status) };
  if (status === 408) return { kind: 'unclear', why: reasonToWait(call) };
  if (status >= 400) return { kind: 'rejected', status };
  if (status === 304) return unusable('it answers 304, though no condition was sent');
  if (status >= 300) {
    const location = header(headers, 'location') ?? '';
    return { kind: 'redirect', status, location, why: redirection(status, location) };
  }
  if (status < 200) return { kind: 'broken', status, actual: String(status) };
  const content = contentOf(last);
  if (content.kind === 'broken') {
    const limit = limitOf(content, last);
    if (limit !== null) return { kind: 'unclear', why: { kind: 'body-limit', limit } };
    if (last.failure !== null) return broken('no whole answer in time', last);
    return { kind: 'broken', status, actual: `a body that is ${content.why}` };
  }
  return { kind: 'good' };
}

function unanswered(cause: string): AnswerReading {
  return { kind: 'unclear', why: { kind: 'not-answered', cause } };
}

function unusable(flaw: string): AnswerReading {
  return { kind: 'unclear', why: { kind: 'answer-unusable', flaw } };
}

/** Why an answer that asks for patience proves nothing. */
export function reasonToWait(call: Call): Reason {
  return { kind: 'asked-to-wait', answers: answersToWait(call, '') };
}

export function isPage(call: Call): boolean {
  const last = finalAttempt(call);
  return last?.response != null && contentOf(last).kind === 'html';
}

const LONGEST_QUOTE = 80;

/**
 * The title of a page, or the text of an answer on one line, without tags. JSON may hold personal data, so only its
 * shape is quoted. Nothing is quoted that cannot be redacted.
 */
export function saidBy(call: Call | undefined, redact: Redact | undefined): string {
  const last = call && finalAttempt(call);
  if (last === undefined || redact === undefined) return '';
  const content = contentOf(last);
  if (content.kind === 'json') return excerpt(textOfShape(shapeOf(content.value)), LONGEST_QUOTE, redact);
  const text = Buffer.from(last.response?.body.bytes ?? [])
    .toString()
    .trim();
  const isPlain = content.kind === 'html' || (content.kind === 'other' && !/^[<{["]/.test(text));
  if (!isPlain) return '';
  const shown = excerpt(text, 100 * LONGEST_QUOTE, redact);
  return withoutTags(/<title\b[^>]*>([^<]+)/i.exec(shown)?.[1] ?? shown).slice(0, LONGEST_QUOTE);
}

function withoutTags(html: string): string {
  const text = html.replace(/<(style|script)\b[\s\S]*?<\/\1>|<[^>]*>|\s+/gi, ' ');
  return text.replace(/ {2,}/g, ' ').trim();
}

function broken(shape: string, { startedAt, endedAt, failure, response }: Exchange): AnswerReading {
  const status = response?.status ?? 0;
  if (failure?.kind.endsWith('timeout') !== true) return { kind: 'broken', status, actual: shape };
  const seconds = (endedAt - startedAt) / 1000;
  const rounded = seconds < 1 ? Math.round(seconds * 10) / 10 : Math.round(seconds);
  return { kind: 'broken', status, actual: `${shape} (given up after ${rounded} s)`, shape };
}

/** Names only the host of a redirect, because path and query may hold anything. */
function redirection(status: number, location: string): Reason {
  const elsewhere = /^(?:[a-z][a-z\d+.-]*:)?\/\//i.test(location) ? URL.parse(location, 'https://x') : null;
  return { kind: 'redirected', status, host: elsewhere?.host ?? '' };
}

function silence(kind: string): string {
  return kind.endsWith('timeout')
    ? 'no answer in time'
    : kind === 'malformed'
      ? 'an answer that is no HTTP'
      : 'no answer';
}
