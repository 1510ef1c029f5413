import { covers } from '../../contract/media-ranges.ts';
import { mediaType } from '../../model/media.ts';
import { joinPointer } from '../../text/pointer.ts';
import type {
  PlannedOperation,
  PlannedProblem,
  PlannedRequest,
  PlannedRequestMedia,
  Validators,
} from '../compile/plan.ts';
import type { Answer } from '../message/answer.ts';
import { charsetOf, field, MULTIPART_TYPE, mediaTypeOf, type ReceivedRequest } from '../message/call.ts';
import { problem, type Wrong } from '../message/problem.ts';
import type { DocumentedFaults } from './documented-faults.ts';
import { type Judged, messageOf, type Objection, unknownMembers } from './objections.ts';
import { parseBody, type Read, readParts } from './read-body.ts';

const TOLD = 20;

export interface ReadBody extends Judged {
  readonly value: unknown;
}

/** The value of the body (undefined without a body) and its faults, or the answer if the body cannot be read. */
export type BodyJudge = (
  operation: PlannedOperation,
  call: ReceivedRequest,
) => ReadBody | Answer | Promise<ReadBody | Answer>;

/**
 * Checks a request body: its type, its syntax, and the documented and assumed schema.
 * @param documentedFaults Makes the mock lenient: a violation of only assumptions becomes an objection.
 */
export function createBodyJudge(
  validators: Validators,
  jsonDepth: number,
  documentedFaults?: DocumentedFaults,
): BodyJudge {
  const judge = (
    operation: PlannedOperation,
    request: PlannedRequest,
    call: ReceivedRequest,
    untyped: readonly Objection[],
  ): ReturnType<BodyJudge> => {
    const media = mediaFor(operation.operationId, request, call);
    if ('status' in media) return media;
    const type = mediaTypeOf(call) ?? media.type;
    const bytes = call.body ?? Buffer.alloc(0);
    if (type === MULTIPART_TYPE && media.fields !== null)
      return readParts(bytes, field(call, 'content-type') ?? '', media.fields).then((read) =>
        judgeRead(operation, media, read, untyped),
      );
    return judgeRead(operation, media, parseBody(bytes, type, jsonDepth, media.fields), untyped);
  };

  const judgeRead = (
    operation: PlannedOperation,
    media: PlannedRequestMedia,
    read: Read | Answer,
    untyped: readonly Objection[],
  ): ReturnType<BodyJudge> => {
    if ('status' in read) return read;
    const [value] = read.values;
    const validator = media.validator === null ? undefined : validators[media.validator];
    const objections = [...untyped, ...unknownMembers(operation.operationId, value, media.members)];
    let faults: readonly PlannedProblem[] = [];
    for (const one of read.values) {
      if (!validator || validator(one)) return { value: one, refused: [], objections };
      if (faults.length === 0) faults = [...(validator.errors ?? [])];
    }
    if (!documentedFaults) return { value, refused: [invalid(faults, value)], objections };
    return documentedFaults(operation, media.type, faults).then((refused) =>
      refused.length > 0
        ? { value, refused: [invalid(refused, value)], objections }
        : { value, refused: [], objections: [...objections, invalid(faults, value)] },
    );
  };

  return (operation, call) => {
    const { request, operationId } = operation;
    if (!call.body) {
      if (!request?.required) return NO_BODY;
      const objection = bare('missing-body', `${operationId} needs a body of type ${typesOf(request)}`);
      const passes = documentedFaults && request.requiredBy === 'assumed';
      return { ...NO_BODY, [passes ? 'objections' : 'refused']: [objection] };
    }
    // like an unknown member, an undescribed body only raises an objection
    if (!request || request.media.length === 0)
      return { ...NO_BODY, objections: [bare('unsupported-type', `${operationId} takes no body`)] };
    if (mediaTypeOf(call) !== undefined) return judge(operation, request, call, []);
    const objection = bare('missing-type', `send the header content-type: ${typesOf(request)}`);
    return documentedFaults ? judge(operation, request, call, [objection]) : { ...NO_BODY, refused: [objection] };
  };
}

const NO_BODY: ReadBody = { value: undefined, refused: [], objections: [] };

function bare(kind: Objection['kind'], detail: string): Objection {
  return { kind, detail, wrong: [] };
}

function typesOf({ media }: PlannedRequest): string {
  return media.map(({ type }) => type).join(', ');
}

function mediaFor(operationId: string, request: PlannedRequest, call: ReceivedRequest): PlannedRequestMedia | Answer {
  const type = mediaTypeOf(call);
  const encoding = field(call, 'content-encoding');
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return unsupported(`the body must not be encoded (${printable(encoding)})`, ['accept-encoding', 'identity']);
  }
  const charset = charsetOf(call);
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8' && charset !== 'us-ascii') {
    return unsupported('the body must be UTF-8');
  }
  const fitting =
    type === undefined ? request.media[0] : request.media.find((one) => covers(mediaType(one.type), type));
  return fitting ?? unsupported(`${operationId} takes ${typesOf(request)}, not ${printable(type ?? '')}`);
}

function unsupported(detail: string, headers: readonly string[] = []): Answer {
  return problem('unsupported-type', detail, { headers });
}

function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 100);
}

/** @param value the body that has the faults */
function invalid(faults: readonly PlannedProblem[], value: unknown): Objection {
  const wrong: Wrong[] = faults.slice(0, TOLD).map((error) => ({
    in: 'body',
    pointer: pointerOf(error.instancePath, error.params),
    message: messageOf(error, value),
  }));
  const texts = new Set(wrong.map(({ pointer, message }) => `${pointer === '' ? 'the body' : pointer} ${message}`));
  const detail = texts.size > 0 ? [...texts].join('; ') : 'the body is not valid';
  return { kind: 'invalid-body', detail, wrong };
}

/** The pointer of a missing or unknown member is its would-be position. */
function pointerOf(path: string, params: Readonly<Record<string, unknown>> = {}): string {
  const name = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty;
  return typeof name === 'string' ? joinPointer(path, name) : path;
}
