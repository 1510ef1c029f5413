import type { FieldForm } from '../../../generated/mock/entities.ts';
import { memberAt } from '../../contract/conditions.ts';
import type { Hooks, Making } from './hooks.ts';

export type Make = (making: Making) => unknown;

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A value by the schema of the field, with the document's examples first. */
export const BY_SCHEMA = '{by schema}';
/** A parameter of the path. An operation sees the records with its value, and those without a value. */
export const OF_PATH = '{of path}';

const FIELD = /^(?!now$|date$)([\w-]+)$/;

/** The forms of a word in braces, each with its generator. Any other word is a field name. */
const WORDS: readonly (readonly [form: RegExp, make: (making: Making, first: string, second: string) => unknown])[] = [
  [/^hex (\d+)$/, ({ random }, length) => random.hex(Number(length))],
  [/^HEX (\d+)$/, ({ random }, length) => random.hex(Number(length)).toUpperCase()],
  [/^digits (\d+)$/, ({ random }, length) => random.digits(Number(length))],
  // in steps of 0.01
  [/^number (\d+) (\d+)$/, ({ random }, from, to) => Number(from) + random.number(100 * (+to - +from)) / 100],
  [/^now$/, ({ now }) => dateTime(now)],
  [
    /^(\w+) \+ (\d+[smhd])$/,
    ({ now, record }, from, span) => dateTime((Date.parse(String(record[from])) || now) + spanOf(span)),
  ],
  [/^past (\d+[smhd])$/, ({ now, random }, span) => dateTime(now - 1_000 * random.number(spanOf(span) / 1_000))],
  [/^date$/, ({ now }) => dateTime(now).slice(2, 10).replaceAll('-', '')],
  [/^month (-?\d+) (\d+)$/, ({ now, random }, from, to) => monthIn(now, Number(from) + random.number(1 + +to - +from))],
  [/^profile\.(.+)$/, ({ profile }, path) => memberAt(profile, path)],
  [FIELD, ({ record }, field) => record[field]],
  // made by the kind, which knows the field
  [/^(?:by schema|of path)$/, () => undefined],
];

/** The first unknown word of a text; undefined if all words are known. */
export function unknownWord(text: string, fields: readonly string[]): string | undefined {
  const words = text.split(/\{([^{}]*)\}/).filter((_, index) => index % 2 === 1);
  return words.find((word) => {
    const [field = ''] = word.split(' + ');
    return makeOf(word) === undefined || (FIELD.test(field) && !fields.includes(field));
  });
}

/** Compiles a form. A field that exists only if sent is never generated. */
export function compileForm(form: FieldForm, hooks: Hooks): Make {
  if (typeof form === 'string') return compileText(form);
  if (typeof form !== 'object') return () => form;
  const { oneOf, by, hook = '', from = '', has } = form ?? {};
  if (oneOf) return ({ random }) => random.oneOf(oneOf);
  if (has) {
    const makes = compileForms(has, hooks);
    return (making) => Object.fromEntries(makes.map(([name, make]) => [name, make(making)]));
  }
  if (by !== undefined) {
    const makes = new Map(compileForms(form as Readonly<Record<string, FieldForm>>, hooks));
    return (making) => makes.get(String(making.record[by]))?.(making);
  }
  const run = hooks[hook] ?? (() => undefined);
  const text = compileText(from);
  return (making) => {
    making.from = String(text(making));
    return run(making);
  };
}

export function compileForms(
  forms: Readonly<Record<string, FieldForm>> | undefined,
  hooks: Hooks,
): readonly (readonly [name: string, make: Make])[] {
  return Object.entries(forms ?? {}).map(([name, form]) => [name, compileForm(form, hooks)]);
}

function compileText(text: string): Make {
  const [start = '', word, ...rest] = text.split(/\{([^{}]*)\}/);
  if (word === undefined) return () => text;
  const make = makeOf(word) ?? (() => '');
  if (rest.length === 1 && rest[0] === '') return start === '' ? make : (making) => `${start}${make(making)}`;
  const tail = compileText(text.slice(start.length + word.length + 2));
  return (making) => `${start}${make(making)}${tail(making)}`;
}

function makeOf(word: string): Make | undefined {
  for (const [form, make] of WORDS) {
    const [whole, first = '', second = ''] = form.exec(word) ?? [];
    if (whole !== undefined) return (making) => make(making, first, second);
  }
  return undefined;
}

/** Milliseconds of a time span, for example `2d`. */
export function spanOf(text: string): number {
  return Number(text.slice(0, -1)) * (UNITS[text.slice(-1)] ?? 0);
}

/** ISO 8601, whole seconds, UTC. */
function dateTime(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

/** `2029-08`: this many months after `now`. */
function monthIn(now: number, months: number): string {
  const date = new Date(now);
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth() + months;
  return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`;
}
