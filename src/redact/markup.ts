import type { SecretKeys } from './keys.ts';
import { maskString } from './mask.ts';

const ELEMENT = /<((?:[A-Za-z_][\w.-]{0,63}:)?([A-Za-z_][\w.-]{0,63}))(?:\s[^<>]{0,2000})?>/g;
/** Most characters between the start of an element and its end. */
const FARTHEST = 4096;

/** Masks the whole contents of XML elements with sensitive names. */
export function maskElements(text: string, { isSensitive }: SecretKeys): string {
  if (!text.includes('<')) return text;
  let out = '';
  let from = 0;
  for (const match of text.matchAll(ELEMENT)) {
    const [tag, name = '', local = ''] = match;
    const start = match.index + tag.length;
    if (match.index < from || tag.endsWith('/>') || !isSensitive(local)) continue;
    const near = text.slice(start, start + FARTHEST);
    const end = near.indexOf(`</${name}`);
    const content = end >= 0 ? near.slice(0, end) : cutOff(near);
    out += text.slice(from, start) + maskContent(content);
    from = start + content.length;
  }
  return from === 0 ? text : out + text.slice(from);
}

/** For an element without an end: `<token> is missing` is a sentence, `<token>abc` is not. */
function cutOff(text: string): string {
  return /^\S[^<\r\n]*/.exec(text)?.[0] ?? '';
}

function maskContent(content: string): string {
  return content.replace(/<!\[CDATA\[([\s\S]*?)\]\]>|<[^>]*>|[^<]+/g, (part: string, data: string | undefined) => {
    if (data !== undefined) return `<![CDATA[${maskString(data)}]]>`;
    return part.startsWith('<') || part.trim() === '' ? part : maskString(part);
  });
}

const PART = /content-disposition:[^\r\n]{0,1000}?\bname=(?:"([^"\r\n]{1,128})"|([^\s;"]{1,128}))[^\r\n]{0,1000}/gi;
const HEADERS_END = /(?:\r?\n[^\r\n]{1,1000}){0,16}\r?\n\r?\n/y;

/** Masks the values of `multipart/form-data` fields with sensitive names (RFC 7578). */
export function maskParts(text: string, { isSensitive }: SecretKeys): string {
  if (!text.includes('name=')) return text;
  let out = '';
  let from = 0;
  for (const match of text.matchAll(PART)) {
    if (match.index < from || !isSensitive(match[1] ?? match[2] ?? '')) continue;
    HEADERS_END.lastIndex = match.index + match[0].length;
    if (!HEADERS_END.test(text)) continue;
    const start = HEADERS_END.lastIndex;
    const boundary = text.indexOf('\n--', start);
    const end = boundary < 0 ? text.length : boundary - (text[boundary - 1] === '\r' ? 1 : 0);
    out += text.slice(from, start) + maskString(text.slice(start, Math.max(start, end)));
    from = Math.max(start, end);
  }
  return from === 0 ? text : out + text.slice(from);
}
