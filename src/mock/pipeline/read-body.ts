import { createLocator, JsonTextError, scanJson, surelyNamesOnce } from '../../files/json.ts';
import { parseJson } from '../../text/decode.ts';
import type { FieldForm, PlannedRequestMedia, ValueForm } from '../compile/plan.ts';
import type { Answer } from '../message/answer.ts';
import { FORM_TYPE, isJsonMedia, parseForm } from '../message/call.ts';
import { problem } from '../message/problem.ts';
import { candidateValues, membersOf } from './parse-values.ts';

/** The possible values of a body, the most likely first. */
export interface Read {
  readonly values: readonly unknown[];
}

type Fields = NonNullable<PlannedRequestMedia['fields']>;

export function parseBody(bytes: Buffer, type: string, jsonDepth: number, fields: Fields | null = null): Read | Answer {
  return isJsonMedia(type) ? readJson(bytes, jsonDepth) : readText(bytes.toString('utf8'), type, fields);
}

/** @param contentType including the boundary of the parts */
export async function readParts(bytes: Buffer, contentType: string, fields: Fields): Promise<Read | Answer> {
  const headers = { 'content-type': contentType };
  const form = await new Response(new Uint8Array(bytes), { headers }).formData().catch(() => undefined);
  if (form === undefined)
    return problem('bad-body', 'the body is not made of the parts that its content-type announces');
  const sent = [...form].map(
    async ([name, part]): Promise<[string, string]> => [name, typeof part === 'string' ? part : await part.text()],
  );
  return readFields(await Promise.all(sent), fields);
}

/** Reads a text, or the fields of a form. A malformed form must not reach Prism: a bad escape would end its process. */
function readText(text: string, type: string, fields: Fields | null): Read | Answer {
  const form = type === FORM_TYPE ? parseForm(text) : undefined;
  if (form && 'wrong' in form) return problem('bad-body', form.wrong);
  if (!form || fields === null) return { values: [text] };
  return readFields([...new URLSearchParams(text)], fields);
}

function readFields(sent: readonly [name: string, text: string][], fields: Fields): Read {
  const formOf = (name: string): FieldForm => (Object.hasOwn(fields, name) ? fields[name] : undefined) ?? PLAIN;
  const fieldOf = ([name]: readonly [string, string]): string => {
    const [object = name] = name.split('[');
    // a list is also sent as `name[]=text`
    const isInside =
      formOf(object).kind === 'members' ||
      (formOf(object).kind === 'list' && /^\[\d*\]$/.test(name.slice(object.length)));
    return isInside ? object : name;
  };
  const read = [...Map.groupBy(sent, fieldOf)].map(([name, own]) => {
    const texts = own.map(([, text]) => text);
    const form = formOf(name);
    const given =
      form.kind === 'members' ? membersOf(name, form.as, own) : candidateValues(form, texts[0] ?? '', texts);
    return [name, given.length === 0 || given.includes(undefined) ? texts : given] as const;
  });
  const asFields = (pick: (given: readonly unknown[]) => unknown): unknown =>
    Object.fromEntries(read.map(([name, given]) => [name, pick(given)]));
  return { values: [asFields((given) => given.at(-1)), asFields((given) => given[0])] };
}

const PLAIN: ValueForm = { kind: 'scalar', as: [] };

/**
 * Parses a JSON body strictly (RFC 8259): UTF-8 without a byte order mark, no duplicate keys, at most `maxDepth`
 * levels. `JSON.parse` builds the value, so `__proto__` is an own property and reaches no prototype.
 */
function readJson(bytes: Buffer, maxDepth: number): Read | Answer {
  const text = bytes.toString('utf8');
  // invalid bytes become replacement characters; if the text itself contains one, the position may be too early
  const replaced = text.indexOf('\uFFFD');
  if (replaced >= 0 && !bytes.equals(Buffer.from(text))) return unreadable(text, replaced, encodingFault(bytes));
  const value = parseJson(text);
  // a scan takes three times as long as the parser
  if (value !== undefined && surelyNamesOnce(text, value, maxDepth)) return { values: [value] };
  if (text.startsWith('\uFEFF'))
    return unreadable(text, 0, 'the body starts with a byte order mark, which JSON must not have (RFC 8259, 8.1)');
  if (text.includes('\0'))
    return unreadable(text, text.indexOf('\0'), 'the body holds a zero byte; JSON is sent as UTF-8');
  try {
    scanJson(text, maxDepth);
  } catch (error) {
    if (error instanceof JsonTextError) return unreadable(text, error.offset, error.message);
    throw error;
  }
  return { values: [value] };
}

function encodingFault(bytes: Uint8Array): string {
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return utf16 ? 'the body is UTF-16; JSON is sent as UTF-8' : 'the body is not valid UTF-8';
}

/** @param offset in UTF-16 units from the start of the text */
function unreadable(text: string, offset: number, message: string): Answer {
  const { line, column } = createLocator(text)(offset);
  const position = { line, column, offset };
  return problem('bad-body', `${message} (line ${line}, column ${column})`, { members: { position } });
}
