import { ONLY_WHEN } from '../contract/conditions.ts';
import { countOf } from '../judge/shape.ts';
import { admits, JSON_TYPES, type Json, type JsonObject, typeOf } from '../schema/json.ts';
import { areCodes, isCurrency, isNeverName, looksLikeCode, looksLikeId } from '../schema/key-names.ts';
import { enoughFor, FORMS, formOf, isQuantity, keywordOf } from '../schema/string-forms.ts';
import { joinPointer } from '../text/pointer.ts';
import { compare } from '../text/words.ts';
import { type Documented, documentedAt, documentedItems, type SchemaOptions, says, saysForm } from './documented.ts';
import { mergeShapes } from './merge-shapes.ts';
import { createObservedShape, isEmpty, mostKeys, type ObservedShape, textsIn } from './observed-shape.ts';

export const OBSERVED = 'Observed.';

const CONTRADICTS = 'x-contradicts-reference';

/** For a conditional field that was always present. Not in `required`: its absence in other cases is no drift. */
const ALWAYS_THERE = 'x-always-there';

/** JSON Schema (2020-12) of the observations, without values and documented facts. Empty if nothing remains. */
export function schemaOf(seen: ObservedShape, known: Documented | undefined, options: SchemaOptions): JsonObject {
  return write(seen, { field: '', at: '', known, options });
}

interface FieldContext {
  readonly field: string;
  readonly at: string;
  readonly known: Documented | undefined;
  readonly options: SchemaOptions;
  readonly presence?: ObservedShape | undefined;
}

function write(seen: ObservedShape, context: FieldContext): JsonObject {
  const { form, pending, values } = formKeywords(seen, context);
  const objects = objectKeywords(seen, context);
  const { presence } = context;
  const numbers = {
    ...(presence === undefined ? {} : { in: presence.in, of: presence.in + presence.out }),
    ...(seen.objects > 0 && Object.keys(objects).length > 0 ? { records: seen.objects } : {}),
    ...(seen.fields.size > mostKeys(seen) && mayBeMap(seen, context) ? { keys: mostKeys(seen) } : {}),
    ...(values === null ? {} : { values }),
    ...(pending === null ? {} : { form: pending }),
  };
  return {
    ...typeKeyword(seen, context),
    ...form,
    ...(Object.keys(numbers).length === 0 ? {} : { 'x-seen': numbers }),
    ...contradiction(seen, context),
    ...enumKeyword(seen, context),
    ...objects,
    ...itemsKeyword(seen, context),
  };
}

function formKeywords({ texts, types }: ObservedShape, { field, known }: FieldContext) {
  const form = saysForm(known) || !types.has('string') || isEmpty(texts) ? null : formOf(texts.forms, field);
  if (form === null) return { form: {}, pending: null, values: null };
  const values = textsIn(texts);
  const isEnough = values >= enoughFor(form, field);
  return { form: isEnough ? keywordOf(form) : {}, pending: isEnough ? null : form, values };
}

function typeKeyword(seen: ObservedShape, { field, known }: FieldContext): JsonObject {
  if (says(known, 'type')) return {};
  const all = new Set(seen.types.keys());
  // A field that was always null has no type yet, so any type that follows is no change.
  if (all.size === 1 && all.has('null')) return { 'x-only-null': true };
  if (all.has('integer') && (all.has('number') || isQuantity(field))) {
    all.delete('integer');
    all.add('number');
  }
  const types = JSON_TYPES.filter((type) => all.has(type));
  return types.length === 0 ? {} : { type: types.length === 1 ? (types[0] ?? '') : types };
}

/** Noted instead of recorded as the type, so that a comparison without a network also finds the contradiction. */
function contradiction({ types: all, texts, written }: ObservedShape, { known }: FieldContext): JsonObject {
  if (known === undefined) return {};
  const documented: readonly string[] = says(known, 'type') ? known.types : (known.values ?? []).map(typeOf);
  const types = documented.length > 0 ? JSON_TYPES.filter((type) => all.has(type) && !admits(documented, type)) : [];
  if (types.length > 0) return { [CONTRADICTS]: { type: types.length === 1 ? (types[0] ?? '') : types } };
  const format = FORMS.find((form) => form === known.words.get('format'));
  if (format !== undefined && !isEmpty(texts) && !texts.forms.has(format)) {
    const form = FORMS.find((one) => texts.forms.has(one));
    return { [CONTRADICTS]: { type: 'string', ...(form === undefined ? {} : keywordOf(form)) } };
  }
  return written?.otherwise == null ? {} : { [CONTRADICTS]: written.otherwise };
}

/** Only words: no names, ids or texts. Each was seen so often that a new word would be news. A written enum stays. */
function enumKeyword(seen: ObservedShape, { field, known, options }: FieldContext): JsonObject {
  const { words } = seen.texts;
  if (words === null || saysForm(known)) return {};
  const written = seen.written?.words ?? null;
  const all = [...words].sort(compare);
  const keyword = { enum: countOf(seen, 'null') > 0 ? [...all, null] : all };
  if (written !== null && all.length === new Set(written).size) return keyword;
  const count = countOf(seen, 'string');
  if (!options.enums || all.length < 2) return {};
  if (written === null && (count < 6 || count < 3 * all.length)) return {};
  if (options.isSecret(field) || NO_WORDS.test(field) || formOf(seen.texts.forms, field) !== null) return {};
  const isPlain = (word: string): boolean => /^[A-Za-z][A-Za-z0-9_-]*$/.test(word) && !looksLikeId(word);
  return all.every((word) => isPlain(word) && !options.isValue(word)) ? keyword : {};
}

const NO_WORDS =
  /(?:name|alias|label|title|text|description|note|comment|reference|city|street|address|holder|owner|user|login|mail|id|key|number|no)$/i;

function objectKeywords(seen: ObservedShape, context: FieldContext): JsonObject {
  if (countOf(seen, 'object') === 0) return {};
  const { known, at, options } = context;
  const fieldOf = (name: string): Documented | undefined =>
    documentedAt(options.contract, known?.properties.get(name) ?? []);
  // in a documented map, every other key is dynamic
  const mapped = documentedAt(options.contract, known?.others ?? []);
  const names = mapped === undefined ? keysOf(seen, context) : [...seen.fields.keys()];
  const keys = new Set(names.filter((name) => fieldOf(name) === undefined));
  const required: string[] = [];
  const properties: [string, Json][] = [];
  for (const [name, field] of [...seen.fields, ...missingFields(seen, known)].sort(([a], [b]) => compare(a, b))) {
    if (keys.has(name)) continue;
    const documented = fieldOf(name);
    const always = field.out === 0;
    const isRequired = known?.required.has(name) === true;
    const isConditional = says(documented, ONLY_WHEN);
    // A documented condition may not hold for the next item of a list. For a single object it was observed.
    const isKnownHere = always && isConditional && !at.includes('/*');
    // A documented field is listed only if nothing else shows that it was present.
    const isTold = always && (isRequired || !isConditional);
    const presence = isTold || isKnownHere ? undefined : field;
    const schema = write(field, { field: name, at: joinPointer(at, name), known: documented, options, presence });
    if (always && !isRequired && !isConditional) required.push(name);
    if (isTold && documented !== undefined && Object.keys(schema).length === 0) continue;
    properties.push([name, isKnownHere ? { ...schema, [ALWAYS_THERE]: true } : schema]);
  }
  const values = keys.size > 0 || seen.keyed !== null ? mapValues(seen, [...keys], mapped, context) : null;
  const isMap = values !== null && (mapped === undefined || Object.keys(values).length > 0);
  // The schema for all other keys must not apply to the documented ones, which are in a sibling schema.
  const beside = isMap
    ? [...(known?.properties.keys() ?? [])].filter((name) => !properties.some(([one]) => one === name))
    : [];
  for (const name of beside) properties.push([name, {}]);
  properties.sort(([a], [b]) => compare(a, b));
  return {
    ...(required.length > 0 ? { required } : {}),
    ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
    ...(isMap ? { additionalProperties: values } : {}),
  };
}

function missingFields(
  { fields, objects, written }: ObservedShape,
  known: Documented | undefined,
): [string, ObservedShape][] {
  return [...(known?.required.keys() ?? [])]
    .filter((name) => !fields.has(name) && written?.unlisted.has(name) !== true)
    .map((name) => [name, { ...createObservedShape(), out: objects }]);
}

function keysOf(seen: ObservedShape, context: FieldContext): readonly string[] {
  const { options } = context;
  const names = [...seen.fields.keys()].sort(compare);
  const named = seen.written?.named;
  const keyed = seen.keyed && [...seen.keyed.types.keys()];
  if (named === undefined && areCodes(names)) return names;
  if (haveOtherKeys(seen) && mayBeMap(seen, context)) return names;
  const isUniform = haveOneType(seen);
  return names.filter((name) => {
    if (isNeverName(name) || options.isValue(name)) return true;
    if (named?.has(name) === true) return false;
    // The values of a map have one type, and its keys come and go.
    if (looksLikeId(name) && (isUniform || !isUsual(seen, name))) return true;
    const types = seen.fields.get(name)?.types.keys();
    return isCurrency(name) || (keyed !== null && types?.every((type) => admits(keyed, type)) === true);
  });
}

/** Whether at least three nights share fewer than half of their keys: two have at most twice the keys of one. */
function haveOtherKeys(seen: ObservedShape): boolean {
  const always = [...seen.fields.values()].filter(({ out }) => out === 0).length;
  const most = mostKeys(seen);
  // another recording may already show the map
  return seen.written?.isMap === true || (seen.fields.size > 2 * most && 2 * always < most);
}

/** Whether other nights may have other keys: no name is documented, and the keys or their values are alike. */
function mayBeMap({ fields, keyed }: ObservedShape, { known }: FieldContext): boolean {
  const names = [...fields.keys()];
  if (names.length === 0 || names.some((name) => known?.properties.has(name))) return false;
  return names.every(looksLikeCode) || areOneShape([...(keyed === null ? [] : [keyed]), ...fields.values()]);
}

/** Objects that share half of their names, or lists of alike items. */
function areOneShape(values: readonly ObservedShape[]): boolean {
  const [type, ...others] = new Set(values.flatMap(({ types }) => [...types.keys()]).filter((one) => one !== 'null'));
  if (others.length > 0) return false;
  const items = values.flatMap((value) => value.items ?? []);
  if (type === 'array') return items.every(({ fields }) => fields.size === 0) || areOneShape(items);
  const named = values.filter(({ fields }) => fields.size > 0).map(({ fields }) => new Set(fields.keys()));
  const all = named.reduce((some, names) => some.union(names), new Set());
  const shared = named.reduce((some, names) => some.intersection(names), all);
  return type === 'object' && shared.size > 0 && 2 * shared.size >= all.size;
}

function isUsual({ fields, objects }: ObservedShape, name: string): boolean {
  return (fields.get(name)?.in ?? 0) > objects / 2;
}

function haveOneType({ fields }: ObservedShape): boolean {
  const all = [...fields.values()].flatMap(({ types }) => [...types.keys()]);
  const types = all.filter((type) => type !== 'null').map((type) => (type === 'integer' ? 'number' : type));
  return new Set(types).size <= 1;
}

function mapValues(
  seen: ObservedShape,
  keys: readonly string[],
  known: Documented | undefined,
  { field, at, options }: FieldContext,
): JsonObject {
  const all = [seen.keyed, ...keys.map((key) => seen.fields.get(key))]
    .filter((one) => one != null)
    .reduce((known, one) => mergeShapes(known, one));
  return write(all, { field, at: `${at}/*`, known, options });
}

function itemsKeyword(seen: ObservedShape, { field, at, known, options }: FieldContext): JsonObject {
  if (seen.items === null) return {};
  const place = `${at}/*`;
  const item = options.item?.at === place ? options.item : undefined;
  const documented = documentedItems(known, place, options);
  const schema = write(seen.items, { field, at: place, known: documented, options });
  const empty = Object.keys(schema).length === 0;
  if (item?.ref != null) return { items: empty ? { $ref: item.ref } : { allOf: [{ $ref: item.ref }, schema] } };
  return empty && known !== undefined && documented !== undefined ? {} : { items: schema };
}
