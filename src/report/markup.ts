import { plain } from '../text/plain.ts';

export interface Markup {
  readonly markup: string;
}

type MarkupPart = Markup | readonly Markup[] | string | number | false;

/** A piece of HTML. Strings are escaped, and their control and invisible characters become words. */
export function html(strings: TemplateStringsArray, ...parts: readonly MarkupPart[]): Markup {
  let markup = strings[0] ?? '';
  parts.forEach((part, index) => {
    markup += textOf(part) + (strings[index + 1] ?? '');
  });
  return { markup };
}

function textOf(part: MarkupPart): string {
  if (part === false) return '';
  if (typeof part === 'string') return escaped(plain(part));
  if (typeof part === 'number') return String(part);
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
}

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
