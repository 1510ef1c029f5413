import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../contract/contract.ts';
import { formatHolds, TEXTS } from '../contract/sample.ts';
import { isObject, listOf } from '../contract/schema-facts.ts';
import { type GivenKind, isAmong } from '../judge/given.ts';
import { formsWritten, impliesPattern, keywordOf } from '../judge/strings.ts';
import { patternOf } from '../patterns/pattern.ts';
import { isDateTime } from '../validators/date-time.ts';

/** Whether a keyword accepts all of a kind. `unsaid`: it does not, unless nobody looked. */
export type Fit = 'yes' | 'no' | 'unsaid' | 'unclear';

const NUMERIC = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
/** The keywords that speak of values of one type only. What else there is of keywords is told in `ALWAYS`, or asserts nothing. */
const BY_TYPE: Readonly<Record<string, readonly string[]>> = {
  integer: NUMERIC,
  number: NUMERIC,
  string: ['format', 'pattern', 'minLength', 'maxLength'],
  array: ['minItems', 'maxItems', 'uniqueItems', 'contains', 'prefixItems', 'unevaluatedItems'],
  object: [
    ...['minProperties', 'maxProperties', 'patternProperties', 'propertyNames', 'unevaluatedProperties'],
    ...['dependentRequired', 'dependentSchemas'],
  ],
};
const ALWAYS = ['type', 'const', 'enum', 'not', 'if'];

/** Whether a keyword with its value accepts all of a kind. Fields, items and choices are compared elsewhere. */
export function accepts(keyword: string, wanted: Json, { type, value, facts: { parts } }: GivenKind): Fit {
  if (!ALWAYS.includes(keyword) && BY_TYPE[type]?.includes(keyword) !== true) return 'yes';
  // A form that all texts had so far, though they were too few to hold others to it, is said of them, too.
  const said = (word: string): Json[] =>
    parts.flatMap(({ schema }) => {
      const own = schema[word] ?? formSeen(schema['x-seen'])[word];
      return own === undefined ? [] : [own];
    });
  if (keyword === 'type') return yesIf(isAmong([wanted].flat(), type));
  if (keyword === 'const' || keyword === 'enum') {
    const words = keyword === 'const' ? [wanted] : listOf(wanted);
    const all = value === undefined ? (FEW[type] ?? [undefined]) : [value];
    return yesIf(all.every((one) => words.some((word) => isDeepStrictEqual(word, one))));
  }
  if (said(keyword).some((own) => isDeepStrictEqual(own, wanted))) return 'yes';
  if (keyword === 'format' || keyword === 'pattern') return acceptsText(keyword, String(wanted), value, said);
  if (typeof wanted !== 'number' || keyword === 'multipleOf') return 'unclear';
  return acceptsSize(keyword, wanted, value, said);
}

function formSeen(seen: Json | undefined): Readonly<Record<string, Json | undefined>> {
  const [form] = isObject(seen) ? formsWritten({ form: seen.form }) : [];
  return form === undefined ? {} : { ...keywordOf(form) };
}

const FEW: Readonly<Record<string, readonly Json[]>> = { null: [null], boolean: [true, false] };

function yesIf(holds: boolean): Fit {
  return holds ? 'yes' : 'no';
}

type Said = (word: string) => readonly Json[];

/** A form is told from another by texts that have the one and not the other. */
function acceptsText(keyword: string, wanted: string, value: Json | undefined, said: Said): Fit {
  const holds = testOf(keyword, wanted);
  if (typeof value === 'string') return yesIf(holds(value));
  if (keyword === 'pattern' && said(keyword).some((own) => impliesPattern(String(own), wanted))) return 'yes';
  // a format that nobody checks
  if (keyword === 'format' && TEXTS.every(holds)) return 'yes';
  const own = ['format', 'pattern'].flatMap((word) => said(word).map((form) => testOf(word, String(form))));
  return TEXTS.some((text) => own.every((test) => test(text)) && !holds(text)) ? 'no' : 'unclear';
}

function testOf(keyword: string, form: string): (text: string) => boolean {
  if (keyword === 'format') return form === 'date-time' ? isDateTime : (text) => formatHolds(form, text);
  const pattern = patternOf(form);
  return (text) => pattern.test(text);
}

const LEAST = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const BESIDE: Readonly<Record<string, string>> = {
  minimum: 'exclusiveMinimum',
  exclusiveMinimum: 'minimum',
  maximum: 'exclusiveMaximum',
  exclusiveMaximum: 'maximum',
};

function acceptsSize(keyword: string, wanted: number, value: Json | undefined, said: Said): Fit {
  const sign = LEAST.includes(keyword) ? 1 : -1;
  const size = typeof value === 'string' ? [...value].length : value;
  if (typeof size === 'number') {
    const more = sign * (size - wanted);
    return yesIf(keyword.startsWith('exclusive') ? more > 0 : more >= 0);
  }
  const own = said(keyword).filter((bound) => typeof bound === 'number');
  if (own.length > 0) return yesIf(own.some((bound) => sign * (bound - wanted) >= 0));
  return said(BESIDE[keyword] ?? '').length > 0 ? 'unclear' : 'unsaid';
}
