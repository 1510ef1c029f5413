import { createLocator, JsonTextError, scanJson } from '../../files/json.ts';
import { joinPointer } from '../../pointer.ts';
import type { FieldForm, PlannedOperation, PlannedRequestMedia, ValidationError, Validators } from '../compile/plan.ts';
import type { Answer } from '../http/answer.ts';
import { type Call, charsetOf, FORM_TYPE, field, isJson, mediaTypeOf, parseForm } from '../http/call.ts';
import { problem, type Wrong } from '../http/problem.ts';
import { messageOf } from './fault-messages.ts';
import type { Grave } from './lenience.ts';
import { meanings } from './meanings.ts';
import { type Objection, unknownMembers } from './objections.ts';

/** How many violations are told; the rest is of no use to a reader. */
const TOLD = 20;

/** A body that was read and may pass. */
export interface ReadBody {
  readonly value: unknown;
  /** What is wrong with it all the same. */
  readonly objections: readonly Objection[];
}

/** The value of the body (undefined where there is none), or the refusal. */
export type BodyJudge = (operation: PlannedOperation, call: Call) => ReadBody | Answer | Promise<ReadBody | Answer>;

/**
 * Judges the body of a request: its type, that it can be read, and the documented and assumed schema.
 * @param grave Where it is given, the mock is lenient: what breaks an assumption alone becomes an objection.
 */
export function createBodyJudge(validators: Validators, jsonDepth: number, grave?: Grave): BodyJudge {
  const judge = (operation: PlannedOperation, call: Call, untyped: readonly Objection[]): ReturnType<BodyJudge> => {
    const media = mediaFor(operation, call);
    if ('status' in media) return media;
    const type = mediaTypeOf(call) ?? media.type;
    const read = isJson(type)
      ? readJson(call.body ?? Buffer.alloc(0), jsonDepth)
      : readText(call.body?.toString('utf8') ?? '', type, media.fields);
    if ('status' in read) return read;
    const [value] = read.values;
    const validator = media.validator === null ? undefined : validators[media.validator];
    const unknown = unknownMembers(operation.operationId, value, media.members);
    if (!validator) return bodyOf(value, untyped, unknown);
    let faults: readonly ValidationError[] | undefined;
    for (const one of read.values) {
      if (validator(one)) return bodyOf(one, untyped, unknown);
      faults ??= [...(validator.errors ?? [])];
    }
    return refusedOrLet(operation, media.type, faults ?? [], (more) => bodyOf(value, untyped, more, unknown));
  };

  /** The refusal, or where the mock is lenient and nothing graver is broken the body all the same. */
  const refusedOrLet = (
    operation: PlannedOperation,
    type: string,
    faults: readonly ValidationError[],
    take: (more: readonly Objection[]) => ReadBody,
  ): ReturnType<BodyJudge> => {
    if (!grave) return problemOf(invalid(faults));
    return grave(operation, type, faults).then((refused) =>
      refused.length > 0 ? problemOf(invalid(refused)) : take([invalid(faults)]),
    );
  };

  return (operation, call) => {
    const { request } = operation;
    if (!call.body) {
      if (!request?.required) return NO_BODY;
      const objection = missing(operation);
      return grave && request.requiredBy === 'assumed' ? bodyOf(undefined, [objection]) : problemOf(objection);
    }
    // a body of which the contract says nothing is to an operation what an unknown member is to a body
    if (!request || request.media.length === 0) return bodyOf(undefined, [unknownBody(operation)]);
    if (mediaTypeOf(call) !== undefined) return judge(operation, call, NONE);
    const objection = untypedBody(request.media);
    return grave ? judge(operation, call, [objection]) : problemOf(objection);
  };
}

const NONE: readonly Objection[] = [];
const NO_BODY: ReadBody = { value: undefined, objections: NONE };

function bodyOf(value: unknown, ...objections: readonly (readonly Objection[])[]): ReadBody {
  return { value, objections: objections.flat() };
}

export function problemOf({ status, kind, detail, wrong }: Objection): Answer {
  return problem(status, kind, detail, wrong.length > 0 ? { members: { errors: wrong } } : {});
}

/** What a body may mean, the likeliest first. */
interface Read {
  readonly values: readonly unknown[];
}

/** A text, or the fields of a form. A form must be readable before Prism sees it, too: a bad escape ends a Prism that is not guarded. */
function readText(text: string, type: string, fields: PlannedRequestMedia['fields']): Read | Answer {
  const form = type === FORM_TYPE ? parseForm(text) : undefined;
  if (form && 'wrong' in form) return problem(400, 'bad-body', form.wrong);
  if (!form || fields === null) return { values: [text] };
  const sent = new URLSearchParams(text);
  const read = [...new Set(sent.keys())].map((name) => {
    const texts = sent.getAll(name);
    const form = (Object.hasOwn(fields, name) ? fields[name] : undefined) ?? PLAIN;
    return [name, meanings(form, texts[0] ?? '', texts)] as const;
  });
  const asFields = (pick: (given: readonly unknown[]) => unknown): unknown =>
    Object.fromEntries(read.map(([name, given]) => [name, pick(given)]));
  return { values: [asFields((given) => given.at(-1)), asFields((given) => given[0])] };
}

const PLAIN: FieldForm = { kind: 'scalar', as: [] };

function missing({ operationId, request }: PlannedOperation): Objection {
  const detail = `${operationId} needs a body of type ${typesOf(request?.media ?? [])}`;
  return { status: 400, kind: 'missing-body', detail, wrong: [] };
}

function unknownBody({ operationId }: PlannedOperation): Objection {
  return { status: 415, kind: 'unsupported-type', detail: `${operationId} takes no body`, wrong: [] };
}

function untypedBody(media: readonly PlannedRequestMedia[]): Objection {
  const detail = `say what the body is: content-type: ${typesOf(media)}`;
  return { status: 415, kind: 'missing-type', detail, wrong: [] };
}

function typesOf(media: readonly PlannedRequestMedia[]): string {
  return media.map(({ type }) => type).join(', ');
}

function mediaFor(operation: PlannedOperation, call: Call): PlannedRequestMedia | Answer {
  const media = operation.request?.media ?? [];
  const type = mediaTypeOf(call);
  const encoding = field(call, 'content-encoding');
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return unsupported(`the body must not be encoded (${printable(encoding)})`, ['accept-encoding', 'identity']);
  }
  const charset = charsetOf(call);
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8' && charset !== 'us-ascii') {
    return unsupported('the body must be UTF-8');
  }
  const fitting = type === undefined ? media[0] : media.find((one) => matchesRange(type, one.type));
  return (
    fitting ??
    unsupported(
      `${operation.operationId} takes ${media.map((one) => one.type).join(', ')}, not ${printable(type ?? '')}`,
    )
  );
}

function unsupported(detail: string, headers: readonly string[] = []): Answer {
  return problem(415, 'unsupported-type', detail, { headers });
}

function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 100);
}

function matchesRange(type: string, range: string): boolean {
  const [essence = ''] = range.toLowerCase().split(';');
  const wanted = essence.trim();
  if (wanted === '*/*' || wanted === type) return true;
  return wanted.endsWith('/*') && type.startsWith(wanted.slice(0, -1));
}

function invalid(faults: readonly ValidationError[]): Objection {
  const wrong: Wrong[] = faults.slice(0, TOLD).map((error) => ({
    in: 'body',
    pointer: pointerOf(error.instancePath, error.params),
    message: messageOf(error),
  }));
  const first = wrong[0];
  const detail = first
    ? `${first.pointer === '' ? 'the body' : first.pointer} ${first.message}`
    : 'the body is not valid';
  return { status: 422, kind: 'invalid-body', detail, wrong };
}

/** A missing or unknown member is named by the pointer at which it would stand. */
function pointerOf(path: string, params: Readonly<Record<string, unknown>> = {}): string {
  const name = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty;
  return typeof name === 'string' ? joinPointer(path, name) : path;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads a request body as JSON (RFC 8259), strictly: UTF-8 without a byte order mark, no duplicate keys, at most
 * `maxDepth` levels. The value is built by `JSON.parse`, so `__proto__` is an own property and reaches no prototype.
 */
function readJson(bytes: Uint8Array, maxDepth: number): Read | Answer {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    // a replacement character may also stand in the text itself; then the position is that of the first of them
    const lenient = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    return unreadable(lenient, Math.max(0, lenient.indexOf('\uFFFD')), encodingFault(bytes));
  }
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
  return { values: [JSON.parse(text)] };
}

function encodingFault(bytes: Uint8Array): string {
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return utf16 ? 'the body is UTF-16; JSON is sent as UTF-8' : 'the body is not valid UTF-8';
}

/** @param offset UTF-16 units from the start of the text */
function unreadable(text: string, offset: number, message: string): Answer {
  const { line, column } = createLocator(text)(offset);
  const position = { line, column, offset };
  return problem(400, 'bad-body', `${message} (line ${line}, column ${column})`, { members: { position } });
}
