import { joinPointer } from '../text/pointer.ts';
import { isObject, type Json, listOf, objectOf } from './json.ts';
import { remembered, type SchemaDocument } from './schema-document.ts';
import type { SchemaPart } from './schema-facts.ts';

/** The member that names a branch, and its word (OpenAPI 3.1, Discriminator Object). */
export interface Tag {
  readonly name: string;
  readonly value: string;
  /** Pointer to a schema that extends the given one by `allOf`, and that the word names. */
  readonly child?: string;
}

const SCHEMAS = '/components/schemas';
const COMPONENT = /^\/components\/schemas\/([^/]+)$/;

/**
 * The tag of an object, by all schemas that apply to it. A schema without branches of its own stands for the schemas
 * that extend it, unless one of them already applies.
 *
 * @param branch which of those, modulo their number
 */
export function tagOf(document: SchemaDocument, parts: readonly SchemaPart[], branch: number): Tag | undefined {
  const holderAt = parts.findIndex(({ schema }) => isObject(schema.discriminator));
  const holder = parts[holderAt];
  const { propertyName: name, mapping = {} } = (holder?.schema.discriminator ?? {}) as Readonly<Record<string, Json>>;
  if (holder === undefined || typeof name !== 'string') return undefined;
  const words = Object.entries(objectOf(mapping)).map(([word, to]) => [word, nameIn(String(to))] as const);
  const wordFor = (schema: string): string => words.find(([, to]) => to === schema)?.[0] ?? schema;
  const isChoice = holder.schema.oneOf !== undefined || holder.schema.anyOf !== undefined;
  // a schema comes after the schemas that it uses
  const applied = isChoice ? parts.slice(0, holderAt) : parts.slice(holderAt + 1);
  const names = applied.flatMap(({ pointer }) => COMPONENT.exec(pointer)?.[1] ?? []);
  const mapped = names.findLast((one) => words.some(([, to]) => to === one)) ?? names.at(-1);
  if (mapped !== undefined) return { name, value: wordFor(mapped) };
  if (isChoice) return undefined;
  const own = COMPONENT.exec(holder.pointer)?.[1];
  const children = words.length > 0 ? words.map(([, to]) => to) : childrenOf(document, holder.pointer);
  const chosen = children.filter((one) => document.at(joinPointer(SCHEMAS, one)) !== undefined);
  const child = chosen[branch % Math.max(1, chosen.length)] ?? own;
  if (child === undefined) return undefined;
  return { name, value: wordFor(child), ...(child !== own && { child: joinPointer(SCHEMAS, child) }) };
}

function nameIn(target: string): string {
  return target.split('/').at(-1) ?? '';
}

/** Names of the schemas that extend a schema by `allOf`. */
const childrenOf = remembered((document, pointer): readonly string[] => {
  const schemas = document.at(SCHEMAS);
  const extending = ([, schema]: [string, Json]): boolean =>
    isObject(schema) && listOf(schema.allOf).some((part) => isObject(part) && part.$ref === `#${pointer}`);
  return Object.entries(objectOf(schemas))
    .filter(extending)
    .map(([name]) => name);
});
