import { plain, plainLines } from '../../plain.ts';
import { count } from '../wrap.ts';

/** HTML that we wrote. Everything else is text and is escaped. */
export interface Markup {
  readonly markup: string;
}

type MarkupPart = Markup | readonly Markup[] | string | number | null | undefined | false;

/** A piece of HTML; strings put into it are made harmless (control and invisible characters become words) and escaped. */
export function html(strings: TemplateStringsArray, ...parts: readonly MarkupPart[]): Markup {
  let markup = strings[0] ?? '';
  parts.forEach((part, index) => {
    markup += textOf(part) + (strings[index + 1] ?? '');
  });
  return { markup };
}

function textOf(part: MarkupPart): string {
  if (part === null || part === undefined || part === false) return '';
  if (typeof part === 'string') return escaped(plain(part));
  if (typeof part === 'number') return String(part);
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
}

/** Text of several lines. */
export function lines(text: string): Markup {
  return { markup: escaped(plainLines(text)) };
}

/** At most so many characters, and a word on how many are missing. */
export function shortened(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}… (${text.length - longest} more characters)`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** What is left to the JSON report, in words; nothing where that is nothing. */
export function more(missing: number, one: string, many = `${one}s`, classes = 'none'): Markup | false {
  const words = count(missing, `more ${one}`, `more ${many}`);
  return missing > 0 && html`<p class="${classes}">${words} in the JSON report.</p>`;
}

/** Bytes that a part of the page may take. */
export interface Budget {
  /** True, and the bytes are spent, where the piece still fits. */
  take(piece: Markup): boolean;
}

export function createBudget(bytes: number): Budget {
  let left = bytes;
  return {
    take({ markup }) {
      const size = Buffer.byteLength(markup);
      if (size > left) return false;
      left -= size;
      return true;
    },
  };
}
