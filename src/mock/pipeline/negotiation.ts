import type { PlannedOperation } from '../compile/plan.ts';
import type { Preference } from '../compile/request.ts';
import type { Answer } from '../message/answer.ts';
import { type Call, field, isJson } from '../message/call.ts';
import { problem } from '../message/problem.ts';

export function judgeAccept({ operationId, response }: PlannedOperation, call: Call): Answer | undefined {
  const { media } = response;
  const wanted = field(call, 'accept');
  if (wanted === undefined || media.length === 0 || media.some(({ type }) => accepts(wanted, type))) return undefined;
  return problem('not-acceptable', `${operationId} answers with ${media.map(({ type }) => type).join(', ')}`);
}

interface Range {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  readonly specificity: number;
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const PARAMETER = `[ \\t]*;[ \\t]*(?:${TOKEN}=(?:${TOKEN}|"(?:[^"\\\\]|\\\\.)*"))?`;
/** A range of a list, if there is one, up to its comma. */
const RANGE = new RegExp(`[ \\t]*(?:(${TOKEN})/(${TOKEN})((?:${PARAMETER})*)[ \\t]*)?(?:,|$)`, 'y');
const QUALITY = /;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[ \t]*(?:;|$)/i;
const ANY_QUALITY = /;[ \t]*q=/i;

/**
 * Parses an `Accept` field. Null where it cannot be parsed: such a field is ignored, as if the caller had sent none
 * (RFC 9110, 12.5.1 lets a server disregard it), because refusing it would help nobody.
 */
function parseAccept(value: string): readonly Range[] | null {
  const ranges: Range[] = [];
  RANGE.lastIndex = 0;
  while (RANGE.lastIndex < value.length) {
    const match = RANGE.exec(value);
    if (!match) return null;
    const [, type, subtype = '', parameters = ''] = match;
    if (type === undefined) continue;
    if (type === '*' && subtype !== '*') return null;
    const quality = QUALITY.exec(parameters)?.[1];
    if (quality === undefined && ANY_QUALITY.test(parameters)) return null;
    const plain = parameters.replace(QUALITY, ';').replace(/[; \t]/g, '');
    ranges.push({
      type: type.toLowerCase(),
      subtype: subtype.toLowerCase(),
      quality: quality === undefined ? 1 : Number(quality),
      specificity: type === '*' ? 0 : subtype === '*' ? 1 : plain === '' ? 2 : 3,
    });
  }
  return ranges.length === 0 ? null : ranges;
}

function qualityOf(ranges: readonly Range[], mediaType: string): number {
  const [essence = ''] = mediaType.split(';');
  const [type = '', subtype = ''] = essence.trim().toLowerCase().split('/');
  let best: Range | undefined;
  for (const range of ranges) {
    const fits = (range.type === '*' || range.type === type) && (range.subtype === '*' || range.subtype === subtype);
    if (fits && (!best || range.specificity > best.specificity)) best = range;
  }
  return best ? best.quality : 0;
}

function accepts(field: string, mediaType: string): boolean {
  if (field === '*/*' || field === mediaType) return true;
  const ranges = parseAccept(field);
  return ranges === null || qualityOf(ranges, mediaType) > 0;
}

/** The media type that is liked best; of those that are liked alike JSON, then the first. */
export function preferredOf<M extends { readonly type: string }>(
  field: string | undefined,
  media: readonly M[],
): M | undefined {
  if (media.length < 2) return media[0];
  const ranges = field === undefined ? null : parseAccept(field);
  const rank = ({ type }: M): number =>
    (ranges === null ? 1 : qualityOf(ranges, type)) + (isJson(type.toLowerCase()) ? JSON_BONUS : 0);
  return media.reduce((best, one) => (rank(one) > rank(best) ? one : best));
}

/** Less than any difference of two qualities. */
const JSON_BONUS = 0.0001;

/** The field as it may be handed to Prism, whose parser ends the process of what it cannot parse: well-formed or undefined. */
export function safeAccept(field: string | undefined): string | undefined {
  return field !== undefined && parseAccept(field) !== null ? field : undefined;
}

const WISH = /(?:^|[,;])\s*(code|example|dynamic|seed)\s*=\s*(?:"([^"]*)"|([^\s,;]*))/gi;

/** The wishes of a request; undefined where it has none that the mock knows, and `'invalid'` for a code that is no status of a final answer. */
export function preferenceOf(prefer: string | undefined, query: string): Preference | 'invalid' | undefined {
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
