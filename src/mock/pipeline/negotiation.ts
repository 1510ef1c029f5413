import { mediaType as essence } from '../../model/media.ts';
import type { PlannedOperation } from '../compile/plan.ts';
import type { Preference } from '../compile/request.ts';
import type { Answer } from '../message/answer.ts';
import { field, isJsonMedia, type ReceivedRequest } from '../message/call.ts';
import { PROBLEM_TYPE, type ProblemKind, problem } from '../message/problem.ts';

export function judgeAccept({ operationId, response }: PlannedOperation, call: ReceivedRequest): Answer | undefined {
  const { media } = response;
  const wanted = field(call, 'accept');
  // OpenAPI converters request the type of the first listed response, which is an error
  if (wanted === undefined || wanted === PROBLEM_TYPE || media.length === 0) return undefined;
  if (media.some(({ type }) => accepts(wanted, type))) return undefined;
  return problem('not-acceptable', `${operationId} answers with ${media.map(({ type }) => type).join(', ')}`);
}

interface Range {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const RANGE = new RegExp(`^(${TOKEN})/(${TOKEN})[ \\t]*(?:;(.*))?$`);
const QUALITY = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** Parses an `Accept` field. Null if it cannot be parsed. It is ignored then, as RFC 9110, 12.5.1 allows. */
function parseAccept(value: string): readonly Range[] | null {
  const ranges: Range[] = [];
  for (const part of value.split(',')) {
    const text = part.trim();
    if (text === '') continue;
    const [, type = '', subtype = '', parameters = ''] = RANGE.exec(text.toLowerCase()) ?? [];
    const quality = /(?:^|;)\s*q=([^;\s]*)/.exec(parameters)?.[1] ?? '1';
    if (type === '' || (type === '*' && subtype !== '*') || !QUALITY.test(quality)) return null;
    ranges.push({ type, subtype, quality: Number(quality) });
  }
  return ranges.length === 0 ? null : ranges;
}

function qualityOf(ranges: readonly Range[], mediaType: string): number {
  const [type = '', subtype = ''] = essence(mediaType).split('/');
  const range =
    ranges.find((one) => one.type === type && one.subtype === subtype) ??
    ranges.find((one) => one.type === type && one.subtype === '*') ??
    ranges.find((one) => one.type === '*');
  return range?.quality ?? 0;
}

function accepts(field: string, mediaType: string): boolean {
  if (field === '*/*' || field === mediaType) return true;
  const ranges = parseAccept(field);
  return ranges === null || qualityOf(ranges, mediaType) > 0;
}

/** The media type with the highest quality. In a tie JSON wins, then the first. */
export function preferredOf<M extends { readonly type: string }>(
  field: string | undefined,
  media: readonly M[],
): M | undefined {
  if (media.length < 2) return media[0];
  const ranges = field === undefined ? null : parseAccept(field);
  const rank = ({ type }: M): number =>
    (ranges === null ? 1 : qualityOf(ranges, type)) + (isJsonMedia(type.toLowerCase()) ? JSON_BONUS : 0);
  return media.reduce((best, one) => (rank(one) > rank(best) ? one : best));
}

/** Less than any difference between two qualities. */
const JSON_BONUS = 0.0001;

/** Rewrites `Accept` for Prism's parser, which would end the process otherwise. Undefined if the field is ignored. */
export function safeAccept(field: string | undefined): string | undefined {
  const ranges = field === undefined ? null : parseAccept(field);
  return ranges?.map(({ type, subtype, quality }) => `${type}/${subtype};q=${quality}`).join(', ');
}

const WISH = /(?:^|[,;])\s*(code|example|dynamic|seed)\s*=\s*(?:"([^"]*)"|([^\s,;]*))/gi;

/** The preferences of a request. Undefined without a known preference; `'invalid'` if the code is no final status. */
export function preferenceOf(prefer: string | undefined, query: string): Preference | 'invalid' | undefined {
  if (prefer === undefined && !query.includes('__')) return undefined;
  const wishes = new Map<string, string>();
  for (const [, name = '', quoted, plain] of prefer?.matchAll(WISH) ?? [])
    wishes.set(name.toLowerCase(), quoted ?? plain ?? '');
  if (query.includes('__')) {
    const asked = new URLSearchParams(query);
    for (const name of ['code', 'example', 'dynamic', 'seed']) {
      const value = asked.get(`__${name}`);
      if (value !== null && !wishes.has(name)) wishes.set(name, value);
    }
  }
  if (wishes.size === 0) return undefined;
  const code = wishes.get('code');
  if (code !== undefined && !/^[2-5]\d\d$/.test(code)) return 'invalid';
  return {
    code: code === undefined ? undefined : Number(code),
    exampleKey: wishes.get('example'),
    dynamic: wishes.get('dynamic')?.toLowerCase() === 'true',
    seed: wishes.get('seed'),
  };
}

const REFUSALS: Readonly<Record<number, ProblemKind>> = {
  404: 'not-found',
  409: 'conflict',
  422: 'invalid-body',
  429: 'too-many-requests',
  500: 'server-error',
};

/** The error that a request prefers. Undefined if the contract describes this status, or if the mock cannot make it. */
export function preferredRefusal({ operationId, statuses }: PlannedOperation, code: number): Answer | undefined {
  const kind = REFUSALS[code];
  const described = [String(code), `${String(code)[0]}XX`, 'default'];
  if (kind === undefined || statuses.some((status) => described.includes(status.replace('xx', 'XX')))) return undefined;
  const retry = code === 429 ? ['retry-after', '1'] : [];
  return problem(kind, `${operationId} is refused, as the request prefers`, {
    headers: ['preference-applied', `code=${code}`, ...retry],
  });
}
