import type { Contract, Media, Style } from '../contract/contract.ts';
import { styleOf, writePairs } from '../contract/styles.ts';
import { isJsonType, mediaType } from '../model/media.ts';
import { isObject, type Json, type JsonObject, objectOf } from '../schema/json.ts';
import { describe, factsOf } from '../schema/schema-facts.ts';
import { joinPointer } from '../text/pointer.ts';

export interface RequestBody {
  readonly type: string;
  readonly bytes: Uint8Array;
}

type Placed = Pick<Media, 'type' | 'pointer'>;

export const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';
const BOUNDARY = 'part-of-a-request';
const JSON_TEXT: Style = { name: 'json', explode: false };

/** A value as a body of a media type: JSON, a form, the parts of a multipart, or its text. */
export function writeBody(contract: Contract, media: Placed, value: Json): RequestBody {
  const type = media.type.replace('*/*', 'application/octet-stream').replace('/*', '/plain');
  const essence = mediaType(type);
  if (isJsonType(essence)) return { type, bytes: Buffer.from(JSON.stringify(value)) };
  if (isObject(value) && essence === FORM)
    return { type, bytes: Buffer.from(`${new URLSearchParams(fieldsOf(contract, media, value))}`) };
  if (isObject(value) && essence === MULTIPART) {
    const parts = fieldsOf(contract, media, value).map(([name, text]) => partOf(contract, media, value, name, text));
    const bytes = Buffer.from(`${parts.join('')}--${BOUNDARY}--\r\n`);
    return { type: `${MULTIPART}; boundary=${BOUNDARY}`, bytes };
  }
  return { type, bytes: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)) };
}

function fieldsOf(contract: Contract, media: Placed, value: JsonObject): [name: string, text: string][] {
  return Object.entries(value).flatMap(([name, member]) => {
    const style = styleOf(encodingOf(contract, media, name), 'query');
    return writePairs(name, member, isObject(member) && style.name !== 'deepObject' ? JSON_TEXT : style);
  });
}

function encodingOf(contract: Contract, media: Placed, name: string): JsonObject {
  return objectOf(contract.at(joinPointer(media.pointer, 'encoding', name)));
}

/** One part (RFC 7578). Its type is the stated one, or JSON for an object. A part that is not text is a file. */
function partOf(contract: Contract, media: Placed, value: JsonObject, name: string, text: string): string {
  const member = factsOf(contract, [joinPointer(media.pointer, 'schema')]).member(name);
  const schemas = describe(contract, [...member.pointers, ...member.items]).parts.map(({ schema }) => schema);
  const stated = schemas.find(({ contentMediaType }) => contentMediaType !== undefined)?.contentMediaType;
  const isObjects = [value[name] ?? []].flat().some(isObject);
  const isBinary = schemas.some(({ format }) => format === 'binary');
  const usual = stated ?? (isBinary ? 'application/octet-stream' : isObjects ? 'application/json' : '');
  const { contentType = usual } = encodingOf(contract, media, name);
  const [type = ''] = String(contentType).split(',');
  const isFile =
    isBinary || (!isObjects && type !== '' && mediaType(type) !== 'text/plain' && !isJsonType(mediaType(type)));
  const head = [
    `content-disposition: form-data; name="${name.replaceAll('"', '%22')}"${isFile ? '; filename="file"' : ''}`,
    ...(type ? [`content-type: ${type}`] : []),
  ];
  return `--${BOUNDARY}\r\n${head.join('\r\n')}\r\n\r\n${text}\r\n`;
}
