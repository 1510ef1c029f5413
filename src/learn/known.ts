import { ONLY_WHEN } from '../contract/conditions.ts';
import type { Contract, Json } from '../contract/contract.ts';
import { isObject, listOf, partsOf } from '../contract/schema-facts.ts';
import { joinPointer } from '../pointer.ts';

/** What is documented already of one place: it is not said again, so that one change is one finding. */
export interface Known {
  readonly hasType: boolean;
  /** Types that are documented; empty where none are. */
  readonly types: ReadonlySet<string>;
  /** The documented format of a text, or null. */
  readonly format: string | null;
  /** True where the documented schema says something of the form of a text. */
  readonly hasForm: boolean;
  readonly required: ReadonlySet<string>;
  /** True of a field that is documented to be there in some cases only. */
  readonly conditional: boolean;
  /** Fields that are documented. */
  readonly names: ReadonlySet<string>;
  /** What is known of a field; undefined where it is not documented. */
  field(name: string): Known | undefined;
  items(): Known | undefined;
}

const FORM_WORDS = ['format', 'pattern', 'enum', 'const'] as const;

/** What the documented schemas at some pointers say together. Facts that rest on something else than the documentation do not count. */
export function knownAt(contract: Contract, pointers: readonly string[]): Known | undefined {
  const isDocumented = (pointer: string, ...tokens: (string | number)[]): boolean =>
    contract.provenanceOf(joinPointer(pointer, ...tokens)) === 'documented';
  const parts = partsOf(contract, pointers, {
    alternatives: 0,
    read: (pointer, schema) => (isDocumented(pointer) ? schema : null),
  });
  if (parts.length === 0) return undefined;
  const values = (word: string): Json[] =>
    parts.flatMap(({ pointer, schema }) => {
      const value = schema[word];
      return value === undefined || !isDocumented(pointer, word) ? [] : [value];
    });
  const says = (word: string): boolean => values(word).length > 0;
  const inside = (...tokens: string[]): Known | undefined =>
    knownAt(
      contract,
      parts.map(({ pointer }) => joinPointer(pointer, ...tokens)),
    );
  const isText = (value: Json): value is string => typeof value === 'string';
  return {
    hasType: says('type'),
    types: new Set(values('type').flat().filter(isText)),
    format: values('format').find(isText) ?? null,
    hasForm: FORM_WORDS.some(says),
    conditional: says(ONLY_WHEN),
    required: new Set(
      parts.flatMap(({ pointer, schema }) =>
        listOf(schema.required)
          .filter((_, index) => isDocumented(pointer, 'required', index))
          .filter(isText),
      ),
    ),
    names: new Set(parts.flatMap(({ schema }) => (isObject(schema.properties) ? Object.keys(schema.properties) : []))),
    field: (name) => inside('properties', name),
    items: () => inside('items'),
  };
}
