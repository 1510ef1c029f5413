import { memberAt } from '../../spec/conditions.ts';
import type { FieldForm } from './entities.ts';
import type { Hooks } from './hooks.ts';
import type { Making } from './making.ts';
import type { Value } from './records.ts';

/** Makes a value up. */
export type Make = (making: Making) => unknown;

const DAY = 86_400_000;
const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: DAY };

const FIELD = /^(?!now$|date$)(\w+)$/;

/** The words in braces, by how they look: each with what it makes. Another word is the name of a field. */
const WORDS: readonly (readonly [form: RegExp, make: (...words: string[]) => Make])[] = [
  [
    /^hex (\d+)$/,
    (length) =>
      ({ random }) =>
        random.hex(Number(length)),
  ],
  [
    /^HEX (\d+)$/,
    (length) =>
      ({ random }) =>
        random.hex(Number(length)).toUpperCase(),
  ],
  [
    /^digits (\d+)$/,
    (length) =>
      ({ random }) =>
        random.digits(Number(length)),
  ],
  // in hundredths
  [
    /^number (\d+) (\d+)$/,
    (from, to) =>
      ({ random }) =>
        Number(from) + random.number(100 * (Number(to) - Number(from))) / 100,
  ],
  [
    /^now$/,
    () =>
      ({ now }) =>
        dateTime(now),
  ],
  [
    /^now \+ (\d+)([smhd])$/,
    (count, unit = '') =>
      ({ now }) =>
        dateTime(now + Number(count) * (UNITS[unit] ?? 0)),
  ],
  [
    /^date$/,
    () =>
      ({ now }) =>
        dateTime(now).slice(2, 10).replaceAll('-', ''),
  ],
  [
    /^month (\d+) (\d+)$/,
    (from, to) =>
      ({ now, random }) =>
        monthIn(now, Number(from) + random.number(1 + Number(to) - Number(from))),
  ],
  [
    /^profile\.(.+)$/,
    (path = '') =>
      ({ profile }) =>
        memberAt(profile, path),
  ],
  [
    FIELD,
    (field = '') =>
      ({ record }) =>
        record[field],
  ],
];

/** The first word of a text that does not exist; undefined where all do. */
export function unknownWord(text: string, fields: readonly string[]): string | undefined {
  const words = text.split(/\{([^{}]*)\}/).filter((_, index) => index % 2 === 1);
  return words.find((word) => makeOf(word) === undefined || (FIELD.test(word) && !fields.includes(word)));
}

/** Compiles a form; null for a value that is there only if it is sent. */
export function compileForm(form: FieldForm, hooks: Hooks): Make | null {
  if (form === null) return null;
  if (typeof form === 'string') return compileText(form);
  if (typeof form !== 'object') return () => form;
  const { oneOf, by, hook, from, has } = form;
  if (oneOf) return ({ random }) => random.oneOf(oneOf);
  if (has) return compileObject(has, hooks);
  if (by !== undefined) {
    const makes = new Map(Object.entries(form).map(([value, made]) => [value, compileForm(made as FieldForm, hooks)]));
    return (input) => makes.get(String(input.record[by]))?.(input);
  }
  const run = hooks[hook ?? ''];
  if (!run) return null;
  if (from === undefined) return run;
  const text = compileText(from);
  return (making) => run(making.given(String(text(making))));
}

/** Compiles an object of forms, in their order. */
export function compileObject(forms: Readonly<Record<string, FieldForm>>, hooks: Hooks): (making: Making) => Value {
  const makes = Object.entries(forms).map(([name, form]) => [name, compileForm(form, hooks)] as const);
  return (input) => {
    const made: Record<string, unknown> = {};
    for (const [name, make] of makes) made[name] = make?.(input);
    return made;
  };
}

function compileText(text: string): Make {
  const [start = '', word, ...rest] = text.split(/\{([^{}]*)\}/);
  if (word === undefined) return () => text;
  const make = makeOf(word) ?? (() => '');
  if (rest.length === 1 && rest[0] === '') return start === '' ? make : (input) => `${start}${make(input)}`;
  const tail = compileText(text.slice(start.length + word.length + 2));
  return (input) => `${start}${make(input)}${tail(input)}`;
}

function makeOf(word: string): Make | undefined {
  for (const [form, make] of WORDS) {
    const [whole, ...words] = form.exec(word) ?? [];
    if (whole !== undefined) return make(...words);
  }
  return undefined;
}

/** ISO 8601, whole seconds, UTC. */
function dateTime(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

/** `2029-08`: so many months on. */
function monthIn(now: number, months: number): string {
  const date = new Date(now);
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth() + months;
  return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`;
}
