import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { ajvPatterns } from '../patterns/pattern.ts';
import type { Json, JsonObject } from './contract.ts';
import { addFormats } from './formats.ts';

/** How schemas of a contract are read: strictly, own members only, all errors collected. */
export const AJV_OPTIONS = {
  strict: true,
  strictTypes: false,
  strictRequired: false,
  allErrors: true,
  ownProperties: true,
} as const;

/** Ajv for the schemas of a document. No text keeps its formats and patterns busy. */
export function documentAjv(document: JsonObject, options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({ ...AJV_OPTIONS, code: { regExp: ajvPatterns }, ...options });
  formats.default(ajv);
  addFormats(ajv, fullFormats);
  addAnnotations(ajv, document);
  return ajv;
}

/** Tells Ajv the keywords that OpenAPI and this project add to a schema. Any other unknown keyword is a mistake. */
export function addAnnotations(ajv: Ajv2020, document: JsonObject): void {
  const found = new Set(['example', 'discriminator', 'xml', 'externalDocs', 'components']);
  collectExtensions(document, found);
  for (const keyword of found) if (!ajv.getKeyword(keyword)) ajv.addKeyword(keyword);
}

function collectExtensions(node: Json, found: Set<string>): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (key.startsWith('x-')) found.add(key);
    collectExtensions(value, found);
  }
}
