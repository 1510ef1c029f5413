import { createHmac, randomBytes } from 'node:crypto';
import type { Contract } from '../contract/contract.ts';
import type { HeaderFields } from '../model/exchange.ts';
import { maskNumber, maskString } from '../redact/mask.ts';
import type { Json } from '../schema/json.ts';
import type { JournalBody, JournalEntry } from './entry.ts';

/** Header fields about the call, not about people. Other fields keep only their name. `authorization` is redacted. */
const KEPT_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'allow',
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'date',
  'retry-after',
  'transfer-encoding',
]);
/** The form of a field name. A member with another name is keyed by data, for instance an email address. */
const FIELD_NAME = /^[A-Za-z_$][\w$.[\]-]{0,63}$/;
/** Grants of RFC 6749 and 7523. They stay, because an audit judges the grant of a token request. */
const GRANT =
  /^(?:authorization_code|client_credentials|password|refresh_token|urn:ietf:params:oauth:grant-type:[\w-]+)$/;
const MARKER = /^\[redacted(?::[\d+-]+)?\]$/;

/**
 * Reduces redacted entries to types: values become neutral values of the same JSON type.
 * Ids in paths, query values, programs and equal bodies become keyed pseudonyms, to follow a caller.
 * @param contract its paths separate fixed words from values
 * @param key of the pseudonyms, random by default
 */
export function createShapes(
  { operations }: Pick<Contract, 'operations'>,
  key: Uint8Array = randomBytes(32),
): (entry: JournalEntry) => JournalEntry {
  const words = new Set(operations.flatMap(({ path }) => path?.split('/') ?? []).filter((word) => !word.includes('{')));

  /** 48 bits of a keyed hash, as digits: valid for a path parameter of any type, and recognised as an id. */
  const pseudonym = (value: string): string =>
    String(createHmac('sha256', key).update(value).digest().readUIntBE(0, 6));
  const nameOf = (name: string): string => (FIELD_NAME.test(name) ? name : pseudonym(name));
  const pseudonymOf = (value: string): string => (value === '' || MARKER.test(value) ? value : pseudonym(value));

  function pathOf(target: string): string {
    const [, path = '', query] = /^([^?#]*)(?:\?([^#]*))?/.exec(target) ?? [];
    const shown = path
      .split('/')
      .map((part) => (words.has(part) ? part : pseudonymOf(part)))
      .join('/');
    return query === undefined ? shown : `${shown}?${query.split('&').map(queryField).join('&')}`;
  }

  function queryField(field: string): string {
    const [, name = '', value] = /^([^=]*)(?:=(.*))?$/s.exec(field) ?? [];
    return value === undefined ? pseudonymOf(name) : `${nameOf(name)}=${pseudonymOf(value)}`;
  }

  function headersOf(fields: HeaderFields): HeaderFields {
    return fields.map(([name, value]) => [nameOf(name), headerValue(name.toLowerCase(), value)] as const);
  }

  function headerValue(name: string, value: string): string {
    if (name === 'user-agent') return pseudonymOf(value);
    // Parameters may name files, and error descriptions may name people.
    if (name === 'content-type') return value.split(';', 1)[0] ?? '';
    if (name === 'www-authenticate') {
      const [scheme = ''] = /^[\w-]+/.exec(value) ?? [];
      const [error] = /\berror="?[\w-]+"?/.exec(value) ?? [];
      return error === undefined ? scheme : `${scheme} ${error}`;
    }
    return KEPT_HEADERS.has(name) ? value : maskString(value);
  }

  function jsonOf(value: Json): Json {
    if (typeof value === 'string') return maskString(value);
    if (typeof value === 'number') return maskNumber(value);
    if (typeof value === 'boolean') return false;
    if (value === null) return null;
    if (Array.isArray(value)) return value.map(jsonOf);
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [nameOf(name), jsonOf(item)]));
  }

  function bodyOf(body: JournalBody | null): JournalBody | null {
    if (body === null) return null;
    switch (body.kind) {
      case 'json':
        return { ...body, id: pseudonym(JSON.stringify(body.json)), json: jsonOf(body.json) };
      case 'form':
        return {
          ...body,
          id: pseudonym(JSON.stringify(body.fields)),
          fields: body.fields.map(([name, value]) => {
            return [nameOf(name), name === 'grant_type' && GRANT.test(value) ? value : maskString(value)] as const;
          }),
        };
      case 'text':
        return { ...body, id: pseudonym(body.text), text: maskString(body.text) };
      default:
        return body;
    }
  }

  return ({ failure, request, response, ...entry }) => ({
    ...entry,
    shapes: true,
    path: pathOf(entry.path),
    request: { headers: headersOf(request.headers), body: bodyOf(request.body) },
    response: response && {
      ...response,
      headers: headersOf(response.headers),
      body: bodyOf(response.body),
    },
    ...(failure && { failure: { kind: failure.kind, message: failure.kind } }),
  });
}
