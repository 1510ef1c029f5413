import { pointerOfReference } from '../text/pointer.ts';
import { isObject, type Json } from './json.ts';
import type { SchemaDocument } from './schema-document.ts';

/** The node at a pointer, with references followed. References in a bundle always end. */
export function resolve(
  document: Pick<SchemaDocument, 'at'>,
  from: string,
): { readonly pointer: string; readonly node: Json | undefined } {
  let pointer = from;
  for (let hops = 0; hops < 100; hops += 1) {
    const node = document.at(pointer);
    const target = isObject(node) && typeof node.$ref === 'string' ? pointerOfReference(node.$ref) : undefined;
    if (target === undefined) return { pointer, node };
    pointer = target;
  }
  return { pointer, node: undefined };
}
