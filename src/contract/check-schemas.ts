import type { Place } from '../errors.ts';
import { preparePatterns } from '../patterns/pattern.ts';
import type { JsonObject } from '../schema/json.ts';
import { isSchema, KEYWORDS } from '../schema/keywords.ts';
import { visitSchemas } from '../schema/structure.ts';
import { joinPointer, parsePointer } from '../text/pointer.ts';
import { count } from '../text/words.ts';
import type { Notice } from './contract.ts';
import { isMapping, type MutableObject, placeOfMark, plainText, type Tree } from './document-tree.ts';
import { resolveDynamic, schemaAt } from './references.ts';

/** Formats that are validated. Any other format is an annotation. */
const FORMATS: ReadonlySet<string> = new Set(
  [
    'date time date-time iso-time iso-date-time duration uri uri-reference uri-template url email hostname ipv4 ipv6',
    'regex uuid json-pointer json-pointer-uri-fragment relative-json-pointer byte int32 int64 float double password binary',
  ].flatMap((line) => line.split(' ')),
);

const IDENTIFIERS: ReadonlySet<string> = new Set(['$id', '$anchor', '$async']);

type Remark = Pick<Notice, 'code' | 'message' | 'hint'>;

/** Converts keywords of OpenAPI 3.0 to 3.1. Returns a remark for each unjudged keyword, format and pattern. */
export async function checkSchemas(tree: Tree): Promise<Notice[]> {
  const found = new Map<string, { readonly remark: Remark; readonly place: Place; times: number }>();
  const patterns = new Map<string, string[]>();
  const note = (remark: Remark, pointer: string): void => {
    const segments = parsePointer(pointer) ?? [];
    const part = segments.at(-2) === 'patternProperties' ? 'key' : 'value';
    const known = found.get(remark.message) ?? { remark, place: placeOfMark(tree.nearest(segments), part), times: 0 };
    found.set(remark.message, known);
    known.times += 1;
  };
  const isOlder = String((tree.root as MutableObject).openapi).startsWith('3.0.');
  const expect = (pattern: string, pointer: string): void => {
    patterns.set(pattern, [...(patterns.get(pattern) ?? []), pointer]);
  };
  for (const pointer of resolveDynamic(tree)) note(UNRESOLVED, pointer);
  visitSchemas(tree.root, (schema, at) => {
    // references are pointers by now, and Ajv would read these names again
    tree.remove(schema as MutableObject, IDENTIFIERS);
    if (typeof schema.$ref === 'string' && schemaAt(tree, schema.$ref) === undefined) {
      note(leadsNowhere(schema.$ref), joinPointer(at, '$ref'));
      tree.remove(schema as MutableObject, new Set(['$ref']));
    }
    for (const keyword of modernized(tree, schema as MutableObject))
      if (!isOlder || keyword === INLINE) note(olderKeyword(keyword), joinPointer(at, keyword));
    for (const [remark, where] of invalid(tree, schema as MutableObject)) note(remark, at + where);
    const { format, pattern, patternProperties } = schema;
    if (typeof format === 'string' && !FORMATS.has(format)) {
      const message = `The format ${plainText(format)} is not judged.`;
      note({ code: 'format-not-judged', message }, joinPointer(at, 'format'));
    }
    if (typeof pattern === 'string') expect(pattern, joinPointer(at, 'pattern'));
    for (const name of isMapping(patternProperties as never) ? Object.keys(patternProperties as JsonObject) : []) {
      expect(name, joinPointer(at, 'patternProperties', name));
    }
    for (const keyword of Object.keys(schema)) {
      if (KEYWORDS.has(keyword) || keyword.startsWith('x-')) continue;
      const message = `No schema has a keyword ${plainText(keyword)}.`;
      note({ code: 'keyword-unknown', message }, joinPointer(at, keyword));
    }
  });
  if (isOlder) (tree.root as MutableObject).openapi = '3.1.1';
  for (const [pattern, why] of await preparePatterns(patterns.keys())) {
    for (const pointer of patterns.get(pattern) ?? [])
      note(unjudged(pattern, why === 'not a regular expression'), pointer);
  }
  return [...found.values()].map(({ remark, place, times }): Notice => {
    const more = times === 1 ? '' : ` (and at ${count(times - 1, 'other place')})`;
    return { ...remark, message: `${remark.message.slice(0, -1)}${more}.`, place };
  });
}

/** Replaces each keyword of OpenAPI 3.0 in a schema with its equivalent. */
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
    if (nullable && !allowNull(tree, schema)) older.splice(-1, 1, INLINE);
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

const INLINE = 'nullable beside inline schemas';
const PARTS = ['$ref', 'allOf', 'anyOf', 'oneOf'];

/** Makes null an alternative to references, which would reject it. False for inline schemas: pointers may lead there. */
function allowNull(tree: Tree, schema: MutableObject): boolean {
  const parts = PARTS.filter((keyword) => schema[keyword] !== undefined);
  const referring = parts.flatMap((keyword) => (keyword === '$ref' ? [] : (schema[keyword] ?? [])));
  if (!referring.every((part) => isMapping(part) && Object.keys(part).join() === '$ref')) return false;
  if (parts.length === 0) return true;
  const [branch, branches]: [MutableObject, MutableObject[]] = [{}, []];
  const marked = (keyword: string) => tree.mark(schema, keyword) ?? tree.rootMark;
  const mark = marked(parts[0] ?? '');
  const moved = [...parts, 'discriminator'].filter((keyword) => schema[keyword] !== undefined);
  for (const keyword of moved) tree.set(branch, keyword, schema[keyword] ?? null, marked(keyword));
  tree.remove(schema, new Set(moved));
  for (const one of [branch, { type: 'null' }]) tree.push(branches, one, mark);
  tree.set(schema, 'anyOf', branches, mark);
  return true;
}

/** Removes keywords with an invalid value, and members that are not schemas. */
function* invalid(tree: Tree, schema: MutableObject): Iterable<[remark: Remark, where: string]> {
  for (const [keyword, value] of Object.entries(schema)) {
    const form = KEYWORDS.get(keyword);
    if (form === undefined) continue;
    const remark = (what: string): Remark => {
      return { code: 'keyword-invalid', message: `The keyword ${keyword} is not judged: it must be ${what}.` };
    };
    if (!form.holds(value)) {
      yield [remark(form.what), joinPointer('', keyword)];
      tree.remove(schema, new Set([keyword]));
    } else if (form.what === 'an object of schemas' && isMapping(value))
      for (const [name, member] of Object.entries(value)) {
        if (isSchema(member)) continue;
        yield [remark(form.what), joinPointer('', keyword, name)];
        tree.remove(value, new Set([name]));
      }
  }
}

const UNRESOLVED: Remark = {
  code: 'keyword-not-judged',
  message:
    'A $dynamicRef is not judged if it has a $ref beside it, or if not exactly one schema has its $dynamicAnchor.',
};

function leadsNowhere(reference: string): Remark {
  const message = `The reference ${plainText(reference)} is not judged: it names no schema.`;
  return { code: 'reference-not-judged', message };
}

function olderKeyword(keyword: string): Remark {
  const nullable = keyword === INLINE ? "a type with 'null', but they may reject null" : "a type with 'null'";
  const meaning = keyword.startsWith('nullable') ? nullable : 'a number';
  return { code: 'older-keyword', message: `A schema has ${keyword} as in OpenAPI 3.0: it is read as ${meaning}.` };
}

function unjudged(pattern: string, isIllegal: boolean): Remark {
  const message = `The pattern ${plainText(pattern)} is not judged: it`;
  const code = 'pattern-not-judged';
  if (isIllegal) return { code, message: `${message} is not a regular expression.` };
  const hint =
    'Write it without back-references, without lookarounds except at its start (^(?=…)), and without repetitions above 1000.';
  return { code, message: `${message} cannot be matched in one pass over a text.`, hint };
}
