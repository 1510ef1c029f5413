import { createRequire } from 'node:module';
import { isDateTime } from '../validators/date-time.ts';
import { holdsIn } from '../validators/format.ts';
import { hasRightCheckDigits } from '../validators/iban.ts';

interface TextForm {
  readonly holds: (text: string) => boolean;
  readonly keyword: { readonly format?: string; readonly pattern?: string };
}

type Formats = typeof import('ajv-formats/dist/formats.js');
let formats: Formats | undefined;

/** Uses the judge's validator, so a recording never contradicts its own samples. Loaded when first needed. */
function byFormat(name: 'date' | 'uuid' | 'email' | 'uri'): TextForm {
  const holds = (text: string): boolean => {
    // kept, because each `require` searches for the file again; a browser has none
    formats ??= createRequire(import.meta.url)('ajv-formats/dist/formats.js') as Formats;
    return holdsIn(formats.fullFormats, name, text);
  };
  return { holds, keyword: { format: name } };
}

/** For these few fixed patterns only, never for a pattern made from a value. */
function byPattern(pattern: string): TextForm {
  const compiled = new RegExp(pattern, 'u');
  return { holds: (text) => compiled.test(text), keyword: { pattern } };
}

/** If an API always sends `Z`, clients may cut it off or fail to read another offset. */
const UTC = /^\d{4}-\d{2}-\d{2}T.+Z$/u;

const IBAN = byPattern(String.raw`^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$`);

/** Whether the check digits of an IBAN are right (ISO 13616). One in 97 texts has the right ones by chance. */
function isIban(text: string): boolean {
  return IBAN.holds(text) && hasRightCheckDigits(text);
}

function formsByName<Name extends string>(forms: Readonly<Record<Name, TextForm>>): typeof forms {
  return forms;
}

/** Strictest first: a recording contains the first form that matches every sample. */
const ALL = formsByName({
  'utc-date-time': {
    holds: (text) => UTC.test(text) && isDateTime(text),
    keyword: { format: 'date-time', pattern: UTC.source },
  },
  'date-time': { holds: isDateTime, keyword: { format: 'date-time' } },
  date: byFormat('date'),
  'local-date-time': byPattern(String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?$`),
  uuid: byFormat('uuid'),
  email: byFormat('email'),
  uri: byFormat('uri'),
  iban: { holds: isIban, keyword: IBAN.keyword },
  'integer-like': byPattern(String.raw`^-?\d+$`),
  decimal: byPattern(String.raw`^-?\d+(\.\d+)?$`),
});
export type StringForm = keyof typeof ALL;
export const FORMS: readonly StringForm[] = Object.keys(ALL) as StringForm[];

/** Longer texts have no useful form, and some checks are slow for them. */
const LONGEST = 2048;

/** The forms of a text. Empty for a masked text, because only its type is known. */
export function formsOf(text: string): ReadonlySet<StringForm> {
  if (text === '' || text.length > LONGEST || isMasked(text)) return new Set();
  return new Set(FORMS.filter((form) => ALL[form].holds(text)));
}

export function isMasked(text: string): boolean {
  return text.includes('[redacted');
}

/** Fields whose texts look like numbers by chance: names, addresses, references. They get no numeric form. */
const FREE_TEXT =
  /(?:name|alias|label|title|text|description|note|comment|reference|remark|post_?code|zip(?:_?code)?|phone|mobile|fax|city|street|address|line_?\d*)$/i;
/** Fields whose numbers have a fraction sooner or later, even if the samples had only integers. */
const QUANTITY =
  /(?:amount|balance|fee|fees|price|cost|rate|percent|percentage|total|subtotal|sum|value|limit|quantity|tax|discount|commission|interest|premium|margin|charges?|surcharge|minimum|maximum|min|max|available|spent|weight|score|ratio)$/i;

export function isQuantity(field: string): boolean {
  return QUANTITY.test(field);
}

export function formOf(forms: ReadonlySet<StringForm>, field: string): StringForm | null {
  const form = FORMS.find((candidate) => forms.has(candidate)) ?? null;
  if (form !== 'integer-like' && form !== 'decimal') return form;
  if (FREE_TEXT.test(field)) return null;
  return isQuantity(field) ? 'decimal' : form;
}

export function keywordOf(form: StringForm): TextForm['keyword'] {
  return ALL[form].keyword;
}

/** How many different texts rule out chance. An id can be a number nine times, but not the tenth time. */
export function enoughFor(form: StringForm, field: string): number {
  if (form.endsWith('date-time') || form === 'date' || form === 'iban') return 1;
  return (form === 'integer-like' || form === 'decimal') && !isQuantity(field) ? 10 : 3;
}

export interface WrittenForm {
  readonly form?: unknown;
  readonly format?: unknown;
  readonly pattern?: unknown;
}

export function formsWritten(written: WrittenForm): ReadonlySet<StringForm> {
  const form = FORMS.find((one) => one === written.form) ?? formWith(written) ?? formWith({ format: written.format });
  return new Set(form === undefined ? [] : [form, ...(IMPLIED[form] ?? [])]);
}

function formWith({ format, pattern }: WrittenForm): StringForm | undefined {
  if (format === undefined && pattern === undefined) return undefined;
  return FORMS.find((one) => ALL[one].keyword.format === format && ALL[one].keyword.pattern === pattern);
}

const IMPLIED: Readonly<Partial<Record<StringForm, readonly StringForm[]>>> = {
  'utc-date-time': ['date-time'],
  'integer-like': ['decimal'],
};

export function isFormKeyword(value: unknown): boolean {
  return FORMS.some((one) => Object.values(ALL[one].keyword).includes(value as string));
}
