import { numbersOf, type SeenNumbers } from '../judge/recorded-presence.ts';
import { isObject, type Json, type JsonObject, type JsonType, listOf, objectOf } from '../schema/json.ts';
import { formsWritten } from '../schema/string-forms.ts';
import { joinPointer } from '../text/pointer.ts';
import { type Documented, documentedAt, documentedItems, type SchemaOptions, saysForm } from './documented.ts';
import { createObservedShape, type ObservedShape } from './observed-shape.ts';

export function readBack(
  schema: JsonObject,
  known: Documented | undefined,
  options: SchemaOptions,
  at = '',
): ObservedShape {
  const parts = schemaParts(schema);
  const word = (name: string): Json | undefined => parts.find((part) => part[name] !== undefined)?.[name];
  const counts = numbersOf(word('x-seen'));
  const otherwise = word('x-contradicts-reference');
  const seen = createObservedShape();
  for (const type of typesOf(parts, known)) seen.types.set(type, 1);
  if (!saysForm(known)) readTexts(seen, word, counts);
  const fields = readFields(seen, parts, { at, known, options }, counts.records ?? 1);
  seen.keys = counts.keys ?? seen.fields.size;
  const items = word('items');
  if (isObject(items)) {
    const inside = `${at}/*`;
    seen.items = readBack(items, documentedItems(known, inside, options), options, inside);
  }
  const keyed = word('additionalProperties');
  const mapped = documentedAt(options.contract, known?.others ?? []);
  if (isObject(keyed)) seen.keyed = readBack(keyed, mapped, options, `${at}/*`);
  const words = word('enum');
  seen.written = {
    words: Array.isArray(words) ? words.filter((one): one is string => typeof one === 'string') : null,
    otherwise: isObject(otherwise) ? otherwise : null,
    isMap: seen.keyed !== null && seen.fields.size === 0,
    ...fields,
  };
  return seen;
}

export function schemaParts(schema: JsonObject): JsonObject[] {
  return [schema, ...listOf(schema.allOf).filter(isObject).flatMap(schemaParts)];
}

/** A recording does not repeat documented types. */
function typesOf(parts: readonly JsonObject[], known: Documented | undefined): readonly JsonType[] {
  const type = parts.find((part) => part.type !== undefined)?.type;
  if (type !== undefined) return [type].flat() as readonly JsonType[];
  if (parts.some((part) => part['x-only-null'] === true)) return ['null'];
  const has = (...words: readonly string[]): boolean =>
    parts.some((part) => words.some((word) => part[word] !== undefined));
  if (known !== undefined && known.types.length > 0) return known.types as readonly JsonType[];
  if (has('properties', 'required', 'additionalProperties', '$ref')) return ['object'];
  return has('items') ? ['array'] : [];
}

function readTexts({ texts, types }: ObservedShape, word: (name: string) => Json | undefined, seen: SeenNumbers): void {
  if (!types.has('string')) return;
  texts.count = seen.values ?? 1;
  texts.forms = formsWritten({ form: seen.form, format: word('format'), pattern: word('pattern') });
  texts.words = new Set(listOf(word('enum')).filter((one) => typeof one === 'string'));
}

function readFields(
  seen: ObservedShape,
  parts: readonly JsonObject[],
  { at, known, options }: { at: string; known: Documented | undefined; options: SchemaOptions },
  records: number,
) {
  const required = new Set(parts.flatMap((part) => listOf(part.required)));
  const properties = new Map(parts.flatMap((part) => Object.entries(objectOf(part.properties))));
  const isMap = parts.some((part) => isObject(part.additionalProperties));
  const names = new Set([...properties.keys(), ...[...required].filter((name) => typeof name === 'string')]);
  if (seen.types.has('object')) seen.objects = records;
  for (const name of names) {
    const schema = properties.get(name);
    const own = objectOf(schema);
    const isEmpty = Object.keys(own).length === 0;
    const documented = documentedAt(options.contract, known?.properties.get(name) ?? []);
    const isRequired = required.has(name) || known?.required.has(name) === true;
    // A documented name next to dynamic keys only marks that it is not a dynamic key.
    if (isMap && isEmpty && !isRequired && documented !== undefined) continue;
    const numbers = numbersOf(own['x-seen']);
    const always = required.has(name) || own['x-always-there'] === true || (isRequired && numbers.of === undefined);
    seen.fields.set(name, {
      ...readBack(own, documented, options, joinPointer(at, name)),
      in: numbers.in ?? records,
      // a person removed it from `required`
      out: always ? 0 : Math.max(1, (numbers.of ?? 0) - (numbers.in ?? 0)),
    });
  }
  const unlisted = [...(known?.required.keys() ?? [])].filter((name) => !names.has(name));
  return { named: names, unlisted: new Set(unlisted) };
}
