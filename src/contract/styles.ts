import type { Json, JsonObject } from '../schema/json.ts';
import type { Style } from './contract.ts';

const NAMES: readonly string[] = ['form', 'simple', 'label', 'matrix', 'spaceDelimited', 'pipeDelimited', 'deepObject'];

/** @param node a parameter, or the encoding of a form field */
export function styleOf({ style, explode, content, schema }: JsonObject, place: string): Style {
  if (content !== undefined && schema === undefined) return { name: 'json', explode: false };
  const usual = place === 'query' || place === 'cookie' ? 'form' : 'simple';
  const name = NAMES.includes(String(style)) ? (style as Style['name']) : usual;
  return { name, explode: typeof explode === 'boolean' ? explode : name === 'form' };
}

/** The separator of list parts under one name; null if the name is repeated. */
export function betweenParts(name: string, style: Style): string | null {
  switch (style.name) {
    case 'label':
      return style.explode ? '.' : ',';
    case 'matrix':
      return style.explode ? `;${name}=` : ',';
    case 'simple':
      return ',';
    default:
      return style.explode ? null : (BETWEEN[style.name] ?? ',');
  }
}

/** The separator of an object's members in one text; null if each is a parameter of its own. */
export function betweenMembers(style: Style, place: string): string | null {
  const isText = place === 'path' || place === 'header';
  if (!style.explode) return BETWEEN[style.name] ?? ',';
  return isText ? (EXPLODED[style.name] ?? ',') : null;
}

const EXPLODED: Readonly<Record<string, string>> = { label: '.', matrix: ';' };
const BETWEEN: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' };

/** The prefix of a value in a path. */
export function prefixOf(name: string, style: Style, isObject = false): string {
  if (style.name === 'matrix') return isObject && style.explode ? ';' : `;${name}=`;
  return style.name === 'label' ? '.' : '';
}

/** Encodes names and values, but not the delimiters between them (RFC 6570, 3.2.1). */
export type Encode = (text: string) => string;

export const asIs: Encode = (text) => text;

/** Names and texts of a value in a query, a cookie or a form. */
export function writePairs(name: string, value: Json, style: Style, encode = asIs): [name: string, text: string][] {
  const own = encode(name);
  if (style.name === 'json' || typeof value !== 'object' || value === null) return [[own, plain(value, style, encode)]];
  const isDeep = !Array.isArray(value) || value.some((item) => typeof item === 'object');
  if (isDeep && style.name === 'deepObject') return deepPairs(name, value, style, encode);
  if (style.explode)
    return Object.entries(value).map(([key, member]: [string, Json]) => [
      Array.isArray(value) ? own : encode(key),
      plain(member, style, encode),
    ]);
  const by = betweenParts(name, style) ?? ',';
  return [[own, partsOf(value, style, encode).join(by === ',' ? by : encode(by))]];
}

/** `name[member]=text`, and `name[member][0][member]=text` for deeper values, which OpenAPI leaves open. */
function deepPairs(name: string, value: Json, style: Style, encode: Encode): [name: string, text: string][] {
  if (typeof value !== 'object' || value === null) return [[encode(name), plain(value, style, encode)]];
  return Object.entries(value).flatMap(([key, member]: [string, Json]) =>
    deepPairs(`${name}[${key}]`, member, style, encode),
  );
}

/** The text of a value in a path or a header field. */
export function writeText(text: string, value: Json, style: Style, encode = asIs): string {
  const name = encode(text);
  const parts = partsOf(value, style, encode);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const by = isObject ? betweenMembers(style, 'path') : betweenParts(name, style);
  return prefixOf(name, style, isObject) + parts.join(by ?? ',');
}

function partsOf(value: Json, style: Style, encode: Encode): string[] {
  const written = (part: Json): string => plain(part, style, encode);
  if (typeof value !== 'object' || value === null || style.name === 'json') return [written(value)];
  if (Array.isArray(value)) return value.map(written);
  const members = Object.entries(value).map(([key, member]: [string, Json]) => [encode(key), written(member)]);
  return style.explode ? members.map((member) => member.join('=')) : members.flat();
}

function plain(value: Json, { name }: Style, encode: Encode): string {
  return encode(typeof value === 'string' && name !== 'json' ? value : JSON.stringify(value));
}
