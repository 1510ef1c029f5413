import { ONLY_WHEN } from '../../spec/conditions.ts';
import type { Contract, Json, JsonObject } from '../../spec/contract.ts';
import { isObject } from '../../spec/facts.ts';
import { joinPointer, pointerOfReference } from '../../spec/pointer.ts';

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
  const parts = new Map<string, JsonObject>();
  const add = (pointer: string): void => {
    const schema = contract.at(pointer);
    if (parts.has(pointer) || !isObject(schema) || contract.provenanceOf(pointer) !== 'documented') return;
    parts.set(pointer, schema);
    const target = typeof schema.$ref === 'string' ? pointerOfReference(schema.$ref) : undefined;
    if (target !== undefined) add(target);
    if (Array.isArray(schema.allOf)) for (const index of schema.allOf.keys()) add(joinPointer(pointer, 'allOf', index));
  };
  for (const pointer of pointers) add(pointer);
  if (parts.size === 0) return undefined;
  const documented = (pointer: string, ...tokens: (string | number)[]): boolean =>
    contract.provenanceOf(joinPointer(pointer, ...tokens)) === 'documented';
  const values = (word: string): Json[] =>
    [...parts].flatMap(([pointer, schema]) => {
      const value = schema[word];
      return value === undefined || !documented(pointer, word) ? [] : [value];
    });
  const says = (word: string): boolean => values(word).length > 0;
  const [format] = values('format');
  return {
    hasType: says('type'),
    types: new Set(
      values('type')
        .flat()
        .filter((type): type is string => typeof type === 'string'),
    ),
    format: typeof format === 'string' ? format : null,
    hasForm: FORM_WORDS.some(says),
    conditional: says(ONLY_WHEN),
    required: new Set(
      [...parts].flatMap(([pointer, { required }]) =>
        Array.isArray(required)
          ? (required as readonly Json[]).filter(
              (name, index): name is string => typeof name === 'string' && documented(pointer, 'required', index),
            )
          : [],
      ),
    ),
    names: new Set(
      [...parts.values()].flatMap(({ properties }) => (isObject(properties) ? Object.keys(properties) : [])),
    ),
    field: (name) =>
      knownAt(
        contract,
        [...parts].flatMap(([pointer, { properties }]) =>
          isObject(properties) && Object.hasOwn(properties, name) ? [joinPointer(pointer, 'properties', name)] : [],
        ),
      ),
    items: () =>
      knownAt(
        contract,
        [...parts].flatMap(([pointer, { items }]) => (isObject(items) ? [joinPointer(pointer, 'items')] : [])),
      ),
  };
}
