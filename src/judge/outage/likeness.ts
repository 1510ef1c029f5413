import { type Exchange, header, is2xx } from '../../model/exchange.ts';
import { contentOf, mediaType } from '../../model/media.ts';
import { isObject } from '../../schema/json.ts';

const OF_THE_MOMENT =
  /(^|[_.-]|(?<=[a-z]))(id|ids|guid|uuid|trace|span|request|correlation|time|timestamp|date|path|method|uri|url|instance|host|node)$/i;
const WITH_DIGIT = /[\p{L}\p{N}_.:+-]*\p{N}[\p{L}\p{N}_.:+-]*/gu;
const LONGEST = 16 * 1024;

/** The look of a success without ids and times. Null if it is no success, or too large to be a notice. */
export function likeness(exchange: Exchange): string | null {
  return is2xx(exchange.response?.status ?? 0) ? lookOf(exchange) : null;
}

export function lookOf(exchange: Exchange): string | null {
  const { response, request } = exchange;
  if (response === null) return null;
  if (response.body.state !== 'complete' || response.body.bytes.length > LONGEST) return null;
  const content = contentOf(exchange);
  const own: Own = { path: request.target.split('?', 1)[0] ?? '', method: new RegExp(`\\b${request.method}\\b`, 'g') };
  switch (content.kind) {
    case 'empty':
      return 'empty';
    case 'json':
      return `json ${JSON.stringify(plain(content.value, own))}`;
    case 'other': {
      const type = mediaType(header(response.headers, 'content-type'));
      return `${type} ${plainText(Buffer.from(response.body.bytes).toString('utf8'), own)}`;
    }
    default:
      return null;
  }
}

interface Own {
  readonly path: string;
  readonly method: RegExp;
}

function plain(value: unknown, own: Own): unknown {
  if (typeof value === 'number') return 0;
  if (typeof value === 'string') return plainText(value, own);
  if (Array.isArray(value)) return value.map((item) => plain(item, own));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, child]) => [name, OF_THE_MOMENT.test(name) && isScalar(child) ? '*' : plain(child, own)]),
  );
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

function plainText(text: string, { path, method }: Own): string {
  return text.replaceAll(path, '*').replace(method, '*').replace(WITH_DIGIT, '*');
}

/** A list without items, perhaps in an envelope with numbers, ids and times. A notice has words. */
export function isEmptyList(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && hasList(value) && isQuiet(value);
}

function hasList(value: unknown): boolean {
  return Array.isArray(value) || (isObject(value) && Object.values(value).some(hasList));
}

function isQuiet(member: unknown): boolean {
  // an id or a time is one word with a digit
  if (typeof member === 'string') return member !== '' && member.replace(WITH_DIGIT, '') === '';
  if (Array.isArray(member)) return member.length === 0;
  return !isObject(member) || Object.values(member).every(isQuiet);
}

const LONGEST_NOTICE = 2048;
const OF_A_NOTICE =
  /\b(maintenance|unavailable|outage|down|downtime|offline|upstream|overloaded|degraded|temporar(y|ily)|(re)?try|back (at|soon)|errors?|faults?|fail(ed|ure)?|exception|gateway|timeout)\b/i;

/** Whether a short answer speaks of its server's state: maintenance, an outage, an error. */
export function isNotice(exchange: Exchange | undefined): boolean {
  const response = exchange?.response;
  if (exchange === undefined || response == null || response.body.bytes.length > LONGEST_NOTICE) return false;
  const content = contentOf(exchange);
  const text =
    content.kind === 'json'
      ? wordsIn(content.value)
      : content.kind === 'other'
        ? Buffer.from(response.body.bytes).toString('utf8')
        : '';
  return OF_A_NOTICE.test(text.replace(/(?<=\p{Ll})(?=\p{Lu})|_/gu, ' '));
}

/** Texts, and names of members that are not empty. */
function wordsIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([name, member]) =>
      isObject(member) || (typeof member === 'string' && member) ? `${name} ${wordsIn(member)}` : wordsIn(member),
    )
    .join('\n');
}
