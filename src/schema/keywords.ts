import { isObject, type Json } from './json.ts';

interface Form {
  readonly what: string;
  readonly holds: (value: Json) => boolean;
}

const isText = (value: Json): boolean => typeof value === 'string';
const isNumber = (value: Json): boolean => typeof value === 'number';
const isList = (value: Json, holds: (item: Json) => boolean = () => true): boolean =>
  Array.isArray(value) && value.every((item: Json) => holds(item));
const areNames = (value: Json): boolean =>
  isList(value, isText) && new Set(value as Json[]).size === (value as Json[]).length;
const TYPES: readonly Json[] = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];
const isType = (value: Json): boolean => TYPES.includes(value);

export function isSchema(value: Json): boolean {
  return typeof value === 'boolean' || isObject(value);
}

/** Keywords of JSON Schema 2020-12 and OpenAPI 3.1, with their valid values. */
const FORMS: readonly (readonly [words: string, what: string, holds: Form['holds']])[] = [
  ['$schema $id $ref $anchor $dynamicRef $dynamicAnchor $comment title description', 'a text', isText],
  ['format pattern contentEncoding contentMediaType', 'a text', isText],
  ['not if then else items contains propertyNames contentSchema', 'a schema', isSchema],
  ['additionalProperties unevaluatedItems unevaluatedProperties', 'a schema', isSchema],
  ['properties patternProperties $defs definitions dependentSchemas', 'an object of schemas', isObject],
  [
    'allOf anyOf oneOf prefixItems',
    'a list of schemas',
    (value) => isList(value, isSchema) && value !== null && Object.keys(value).length > 0,
  ],
  ['minimum maximum exclusiveMinimum exclusiveMaximum', 'a number', isNumber],
  ['multipleOf', 'a number above 0', (value) => isNumber(value) && Number(value) > 0],
  [
    'minLength maxLength minItems maxItems minContains maxContains minProperties maxProperties',
    'a whole number from 0',
    (value) => Number.isInteger(value) && Number(value) >= 0,
  ],
  ['uniqueItems readOnly writeOnly deprecated nullable', 'true or false', (value) => typeof value === 'boolean'],
  ['required', 'a list of different names', areNames],
  [
    'type',
    `one of ${TYPES.join(', ')}, or a list of them`,
    (value) => isType(value) || (areNames(value) && isList(value, isType)),
  ],
  [
    'dependencies',
    'an object of schemas or lists of names',
    (value) => isObject(value) && Object.values(value).every((one) => isSchema(one) || areNames(one)),
  ],
  ['enum', 'a list of values', (value) => isList(value)],
  ['examples', 'a list', (value) => isList(value)],
  [
    'dependentRequired',
    'an object of lists of names',
    (value) => isObject(value) && Object.values(value).every((one) => areNames(one)),
  ],
  ['$vocabulary const default example discriminator xml externalDocs', 'a value', () => true],
];

export const KEYWORDS: ReadonlyMap<string, Form> = new Map(
  FORMS.flatMap(([words, what, holds]) => words.split(' ').map((word) => [word, { what, holds }] as const)),
);

/** The keywords that can reject a value, with `dependencies` of earlier drafts. All others are annotations. */
export const ASSERTIONS: readonly string[] = [
  ...['$ref', '$dynamicRef', 'type', 'enum', 'const', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'pattern', 'format'],
  ...['prefixItems', 'items', 'unevaluatedItems', 'minItems', 'maxItems', 'uniqueItems'],
  ...['contains', 'minContains', 'maxContains', 'dependencies', 'dependentRequired', 'dependentSchemas'],
  ...['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties', 'propertyNames'],
  ...['required', 'minProperties', 'maxProperties'],
];
