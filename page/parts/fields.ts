import { computed, type ReadonlySignal } from '@preact/signals';
import {
  deref,
  operations,
  type ServedDocument,
  type ServedOperation,
  type ServedParameter,
  type ServedSchema,
  served,
} from '../served.ts';

export interface SchemaField {
  /** JSON pointer with `*` for the items of a list. */
  readonly pointer: string;
  readonly depth: number;
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly provenance: string | undefined;
  readonly description: string;
  readonly reference: string | undefined;
  readonly since: string | undefined;
  readonly source: FieldSource | undefined;
  readonly seen: unknown;
}

export interface FieldSource {
  readonly file: string;
  readonly line?: number;
}

const DEEPEST = 6;

/** The fields of a schema, parents before their members. A recursive schema is not expanded again. */
export function schemaFields(document: ServedDocument, schema: ServedSchema): readonly SchemaField[] {
  // a schema that only limits a field further has no provenance for it
  return [...walk(document, schema, '', 0, new Set())].filter(({ provenance }) => provenance !== undefined);
}

function* walk(
  document: ServedDocument,
  given: ServedSchema,
  pointer: string,
  depth: number,
  above: ReadonlySet<string>,
): Generator<SchemaField> {
  if (depth > DEEPEST || (given.$ref !== undefined && above.has(given.$ref))) return;
  const seen = given.$ref === undefined ? above : new Set([...above, given.$ref]);
  const schema = deref<ServedSchema>(document, given);
  const own = Object.keys(schema.properties ?? {}).map((name) => `${pointer}/${name}`);
  for (const part of [...(schema.allOf ?? []), ...listOf(schema.oneOf), ...listOf(schema.anyOf)])
    for (const field of walk(document, part, pointer, depth, seen))
      if (!own.some((at) => field.pointer === at || field.pointer.startsWith(`${at}/`))) yield field;
  if (schema.items) yield* walk(document, schema.items, `${pointer}/*`, depth, seen);
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const target = deref<ServedSchema>(document, member);
    const at = `${pointer}/${name}`;
    yield {
      pointer: at,
      depth,
      name,
      type: typeOf(target),
      required: schema.required?.includes(name) ?? false,
      provenance: textOf(member['x-provenance']) ?? textOf(target['x-provenance']),
      description: withoutLine(target.description),
      reference: textOf(target['x-reference']),
      since: textOf(target['x-since']),
      source: (member['x-source'] ?? target['x-source']) as FieldSource | undefined,
      seen: target['x-seen'],
    };
    yield* walk(document, member, at, depth + 1, seen);
  }
}

function listOf(value: unknown): readonly ServedSchema[] {
  return Array.isArray(value) ? (value as ServedSchema[]) : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function typeOf(schema: ServedSchema): string {
  const { type, format, enum: values } = schema;
  const words = [
    type === undefined ? '' : [type].flat().join(' or '),
    format && `(${format})`,
    values?.map((one) => JSON.stringify(one)).join(' | '),
  ];
  return words.filter(Boolean).join(' ') || 'any';
}

/** A description without its provenance line, which the page shows as a colour. */
export function withoutLine(description: string | undefined): string {
  return (description ?? '').replace(/\n*Provenance: [^\n]*$/, '').trim();
}

export function shownProvenance(description: unknown): string | undefined {
  return typeof description === 'string' ? /Provenance: ([^\n]*)$/.exec(description)?.[1] : undefined;
}

type Exampled = Pick<ServedParameter, 'example' | 'examples'>;

interface Content {
  readonly content?: Readonly<Record<string, Exampled & { readonly schema?: ServedSchema }>>;
}

export type BodyShape = ReturnType<typeof bodiesOf>[number];

/** The bodies of a request or a response, by media type. */
export function bodiesOf(document: ServedDocument, holder: unknown) {
  if (typeof holder !== 'object' || holder === null) return [];
  const { content = {} } = deref<Content>(document, holder as Content);
  return Object.entries(content).map(([type, media]) => ({
    type,
    schema: media.schema ?? {},
    example: exampleOf(document, media),
  }));
}

export function exampleOf(document: ServedDocument, { example, examples = {} }: Exampled): unknown {
  const [first] = Object.values(examples);
  return example ?? (first && deref(document, first).value);
}

export interface BodyField extends SchemaField {
  readonly of: 'request' | 'response';
}

/** All operations with the fields of their request and good response; reread if the document changes. */
export const fieldsByOperation: ReadonlySignal<ReadonlyMap<string, readonly BodyField[]>> = computed(() => {
  const document = served.value;
  return new Map(
    document === null ? [] : operations.value.map((one) => [one.operationId, fieldsOfOperation(document, one)]),
  );
});

function fieldsOfOperation(document: ServedDocument, { raw }: ServedOperation): readonly BodyField[] {
  const [, good] =
    Object.entries((raw.responses ?? {}) as Record<string, unknown>).find(([status]) => status.startsWith('2')) ?? [];
  const fieldsIn = (of: BodyField['of'], holder: unknown): BodyField[] => {
    const [body] = bodiesOf(document, holder);
    return body === undefined ? [] : schemaFields(document, body.schema).map((field) => ({ ...field, of }));
  };
  return [...fieldsIn('request', raw.requestBody), ...fieldsIn('response', good)];
}
