import { preparePatterns } from '../patterns/pattern.ts';
import { joinPointer, parsePointer } from '../text/pointer.ts';
import { count } from '../text/words.ts';
import type { JsonObject, Notice } from './contract.ts';
import { isObject, type MutableObject, placeOfMark, plainText, type Tree } from './document-tree.ts';
import { visitSchemas } from './structure.ts';

/** Keywords of JSON Schema 2020-12, and those that OpenAPI 3.1 adds. */
const KEYWORDS: ReadonlySet<string> = new Set(
  [
    '$schema $id $ref $anchor $dynamicRef $dynamicAnchor $vocabulary $comment $defs definitions',
    'allOf anyOf oneOf not if then else dependentSchemas dependentRequired dependencies',
    'prefixItems items contains properties patternProperties additionalProperties propertyNames',
    'unevaluatedItems unevaluatedProperties type enum const multipleOf maximum exclusiveMaximum minimum',
    'exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems maxContains minContains',
    'maxProperties minProperties required title description default deprecated readOnly writeOnly examples',
    'format contentEncoding contentMediaType contentSchema discriminator xml externalDocs example',
  ].flatMap((line) => line.split(' ')),
);

/** Formats that are judged. Any other is an annotation. */
const FORMATS: ReadonlySet<string> = new Set(
  [
    'date time date-time iso-time iso-date-time duration uri uri-reference uri-template url email hostname ipv4 ipv6',
    'regex uuid json-pointer json-pointer-uri-fragment relative-json-pointer byte int32 int64 float double password binary',
  ].flatMap((line) => line.split(' ')),
);

type Remark = Pick<Notice, 'code' | 'message' | 'hint'>;

/**
 * Reads keywords of OpenAPI 3.0 as those of 3.1, and makes every pattern of the schemas ready. Changes the tree.
 * Returns a remark for each keyword, format and pattern that is not judged, at its first place and with the number of its places.
 */
export async function checkSchemas(tree: Tree): Promise<Notice[]> {
  const found = new Map<string, { readonly remark: Remark; readonly pointers: string[] }>();
  const patterns = new Map<string, string[]>();
  const note = (remark: Remark, pointer: string): void => {
    const known = found.get(remark.message) ?? { remark, pointers: [] };
    found.set(remark.message, known);
    known.pointers.push(pointer);
  };
  const expect = (pattern: string, pointer: string): void => {
    patterns.set(pattern, [...(patterns.get(pattern) ?? []), pointer]);
  };
  visitSchemas(tree.root, (schema, at) => {
    for (const keyword of modernized(tree, schema as MutableObject))
      note(olderKeyword(keyword), joinPointer(at, keyword));
    const { format, pattern, patternProperties } = schema;
    if (typeof format === 'string' && !FORMATS.has(format)) note(unknownFormat(format), joinPointer(at, 'format'));
    if (typeof pattern === 'string') expect(pattern, joinPointer(at, 'pattern'));
    for (const name of isObject(patternProperties as never) ? Object.keys(patternProperties as JsonObject) : []) {
      expect(name, joinPointer(at, 'patternProperties', name));
    }
    for (const keyword of Object.keys(schema)) {
      if (KEYWORDS.has(keyword) || keyword.startsWith('x-')) continue;
      note(
        { code: 'keyword-unknown', message: `No schema has a keyword ${plainText(keyword)}.` },
        joinPointer(at, keyword),
      );
    }
  });
  for (const [pattern, why] of await preparePatterns(patterns.keys())) {
    for (const pointer of patterns.get(pattern) ?? [])
      note(unjudged(pattern, why === 'not a regular expression'), pointer);
  }
  return [...found.values()].map(({ remark, pointers: [first = '', ...others] }): Notice => {
    const segments = parsePointer(first) ?? [];
    const more = others.length === 0 ? '' : ` (and at ${count(others.length, 'other place')})`;
    const part = segments.at(-2) === 'patternProperties' ? 'key' : 'value';
    const message = `${remark.message.slice(0, -1)}${more}.`;
    return { ...remark, message, place: placeOfMark(tree.nearest(segments), part) };
  });
}

/** The keywords of OpenAPI 3.0 in a schema, each replaced by what it means. */
function modernized(tree: Tree, schema: MutableObject): string[] {
  const older: string[] = [];
  const replace = (keyword: string, by: string, value: MutableObject[string]): void => {
    older.push(keyword);
    const mark = tree.mark(schema, keyword) ?? tree.rootMark;
    tree.remove(schema, new Set([keyword]));
    if (value !== undefined) tree.set(schema, by, value, tree.mark(schema, by) ?? mark);
  };
  if (typeof schema.nullable === 'boolean') {
    const { nullable, type, enum: words } = schema;
    if (nullable && Array.isArray(words) && !words.includes(null)) schema.enum = [...words, null];
    const types = [type ?? []].flat();
    replace('nullable', 'type', nullable && types.length > 0 ? [...new Set([...types, 'null'])] : (type as string));
  }
  for (const [keyword, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof schema[keyword] !== 'boolean') continue;
    const { [keyword]: isExclusive, [bound]: value } = schema;
    replace(keyword, bound, value as number);
    if (isExclusive && value !== undefined) replace(bound, keyword, value);
  }
  return [...new Set(older)].filter((keyword) => keyword !== 'minimum' && keyword !== 'maximum');
}

function olderKeyword(keyword: string): Remark {
  const meaning = keyword === 'nullable' ? "a type with 'null'" : 'a number';
  return { code: 'older-keyword', message: `A schema has ${keyword} as in OpenAPI 3.0: it is read as ${meaning}.` };
}

function unknownFormat(format: string): Remark {
  return { code: 'format-not-judged', message: `The format ${plainText(format)} is not judged.` };
}

function unjudged(pattern: string, isIllegal: boolean): Remark {
  const message = `The pattern ${plainText(pattern)} is not judged: it`;
  const code = 'pattern-not-judged';
  if (isIllegal) return { code, message: `${message} is not a regular expression.` };
  const hint =
    'Write it without back-references, without lookarounds except at its start (^(?=…)), and without repetitions above 1000.';
  return { code, message: `${message} cannot be matched in one pass over a text.`, hint };
}
