import type { Contract, Media, Operation, ResponseSpec } from '../contract/contract.ts';
import { covers } from '../contract/media-ranges.ts';
import { createMatcher, type Match } from '../contract/paths.ts';
import { pause } from '../contract/time-slices.ts';
import type { DiffSide } from '../judge/allowed-values.ts';
import { answerSchemas, responseFor } from '../judge/responses.ts';
import type { Observed } from '../judge/rule.ts';
import { operationWithdrawn, statusChanged } from '../judge/rules/answers.ts';
import { createSchemas, type Schemas } from '../judge/schemas.ts';
import type { Call } from '../model/call.ts';
import type { Exchange } from '../model/exchange.ts';
import { isJsonType, mediaType } from '../model/media.ts';
import { joinPointer } from '../text/pointer.ts';
import { createCompareAnswers, type SchemaPair } from './answers.ts';
import { examplesOf, isNotCompared } from './examples.ts';
import { createCompareRequests } from './requests.ts';

export type Answered = Awaited<ReturnType<typeof answersOf>>;

/**
 * The facts of the later contract as answers, which the rules judge by the earlier contract. Requests of `compared`
 * operations were compared, too.
 */
export async function answersOf(before: DiffSide, after: DiffSide, signal?: AbortSignal) {
  const calls: Call[] = [];
  const also: Observed[] = [];
  const doubts = new Map<Operation, string>();
  const compared = new Set<Operation>();
  // A recording shows which requests were sent, not which are accepted.
  const isOfDocuments = !before.recording && !after.recording;
  const requests = isOfDocuments ? createCompareRequests(before.contract, after.contract) : null;
  const compareAnswers = isOfDocuments ? createCompareAnswers(before.contract, after.contract) : null;
  const found = matcherOf(after.contract);
  const schemas = createSchemas(after.contract, isNotCompared);
  for (const operation of before.contract.operations) {
    await pause();
    if (signal?.aborted === true) break;
    const match = found(operation);
    if (match === undefined) continue;
    if (match?.kind !== 'operation') {
      // A recording lists only the operations that were called.
      if (!after.recording) also.push(withdrawn(operation, match === null ? '404' : '405'));
      continue;
    }
    also.push(...refused(before.contract, operation, after.contract, match.operation));
    if (requests !== null) {
      also.push(...requests(operation, match.operation));
      compared.add(operation);
    }
    for (const { status, type, bodies, pair } of knownAnswers(before, after, schemas, operation, match.operation)) {
      const isWhole = typeof bodies === 'string';
      if (compareAnswers !== null && pair !== undefined) also.push(...compareAnswers(operation, pair, isWhole));
      else if (isWhole) doubts.set(operation, bodies);
      for (const body of isWhole ? [] : bodies)
        calls.push(callOf(exchangeOf(operation, calls.length + 1, { status, type, body })));
    }
  }
  return { calls, strays: [...added(before, after, calls.length)], also, doubts, compared };
}

function matcherOf({ operations }: Contract): (operation: Operation) => Match | null | undefined {
  const match = createMatcher(operations);
  return ({ method, path }) => (method === null || path === null ? undefined : match(method, path));
}

function withdrawn({ operationId, pointer }: Operation, actual: string): Observed {
  return {
    rule: operationWithdrawn,
    observation: { operationId, pointer: '', expected: '2XX', actual, source: pointer, exchanges: [] },
  };
}

function* added(before: DiffSide, after: DiffSide, count: number): Iterable<Exchange> {
  const known = matcherOf(before.contract);
  for (const [index, operation] of after.contract.operations.entries()) {
    const match = known(operation);
    if (match === undefined || match?.kind === 'operation') continue;
    const [first] = shown(after, operation.responses, /^[2345]/);
    if (first === undefined) continue;
    const status = statusFor(first.status, operation);
    yield exchangeOf(operation, count + index + 1, { status, type: null, body: '' });
  }
}

function shown(
  { contract, recording }: DiffSide,
  responses: readonly ResponseSpec[],
  statuses: RegExp,
): ResponseSpec[] {
  return responses.filter(
    ({ status, pointer }) => statuses.test(status) && (!recording || isRecordedIn(contract, pointer)),
  );
}

export function isRecordedIn(contract: Contract, pointer: string): boolean {
  if (contract.provenanceOf(pointer) === 'observed') return true;
  const node = contract.at(pointer);
  if (typeof node !== 'object' || node === null) return false;
  return Object.keys(node).some((key) => isRecordedIn(contract, joinPointer(pointer, key)));
}

function* refused(before: Contract, known: Operation, after: Contract, now: Operation): Iterable<Observed> {
  const seen = (contract: Contract, { responses }: Operation, statuses: RegExp): ResponseSpec[] =>
    shown({ contract, recording: true }, responses, statuses);
  const good = seen(before, known, /^2\d\d$/);
  const refusals = seen(after, now, /^4\d\d$/);
  const [first] = good;
  if (first === undefined || refusals.length === 0 || seen(after, now, /^2/).length > 0) return;
  const listed = (all: readonly ResponseSpec[]): string => all.map(({ status }) => status).join(' or ');
  yield {
    rule: statusChanged,
    observation: {
      operationId: known.operationId,
      pointer: '',
      expected: listed(good),
      actual: listed(refusals),
      source: first.pointer,
      exchanges: [],
    },
  };
}

interface KnownAnswer {
  readonly status: number;
  readonly type: string | null;
  /** Examples, or why there are none. */
  readonly bodies: readonly string[] | string;
  readonly pair?: SchemaPair;
}

function knownAnswers(
  before: DiffSide,
  after: DiffSide,
  schemas: Schemas,
  known: Operation,
  operation: Operation,
): KnownAnswer[] {
  return shown(after, operation.responses, /^2/).flatMap(({ status: code, pointer: at, content }): KnownAnswer[] => {
    const status = statusFor(code, known);
    const answers = comparable(responseFor(known, status), after, content).map((media): KnownAnswer => {
      const described = answerSchemas(before.contract, known, status);
      const was = described.findLast(({ ofItems }) => !ofItems)?.schema;
      const isPair = was !== undefined && media.schema !== undefined && isJsonType(media.type);
      return {
        status,
        type: media.type,
        bodies: bodiesOf(after, schemas, media, described.length > 0),
        ...(isPair && { pair: { was, is: joinPointer(media.pointer, 'schema') } }),
      };
    });
    // Without content, there is nothing to compare, unless a recording observed that the answer is empty.
    const isEmpty = content.length === 0 && after.contract.provenanceOf(at) === 'observed';
    const mayBeEmpty = after.contract.at(joinPointer(at, 'x-sometimes-empty')) === true;
    return isEmpty || mayBeEmpty ? [...answers, { status, type: null, bodies: [''] }] : answers;
  });
}

/** A bundle may offer more media types than before. A recording of another type contradicts the earlier file. */
function comparable(before: ResponseSpec | undefined, after: DiffSide, content: readonly Media[]): readonly Media[] {
  const known = (before?.content ?? []).map(({ key }) => mediaType(key));
  const isOffered = (key: string): boolean => content.some(({ type }) => covers(key, mediaType(type)));
  if (after.recording || known.length === 0 || !known.every(isOffered)) return content;
  return content.filter(({ type }) => known.some((key) => covers(key, mediaType(type))));
}

function bodiesOf(
  after: DiffSide,
  schemas: Schemas,
  { type, schema, pointer }: Media,
  isDescribed: boolean,
): readonly string[] | string {
  if (!isJsonType(type)) return ['text'];
  const examples = schema === undefined ? [] : examplesOf(after, schemas, [joinPointer(pointer, 'schema')]);
  if (examples === null) return 'its answers in the later file are too large to compare';
  if (examples.length > 0) return examples.map((example) => JSON.stringify(example));
  if (!isDescribed) return ['null'];
  return schema === undefined || after.recording
    ? 'the later file does not describe the content of its answers'
    : 'no example fits its schema in the later file';
}

function statusFor(status: string, known: Operation): number {
  if (/^\d{3}$/.test(status)) return Number(status);
  const code = known.responses.find((response) => /^2\d\d$/.test(response.status));
  return Number(code?.status ?? '200');
}

function exchangeOf(
  { operationId, method, path }: Operation,
  seq: number,
  { status, type, body }: { readonly status: number; readonly type: string | null; readonly body: string },
): Exchange {
  return {
    seq,
    startedAt: 0,
    endedAt: 0,
    connection: null,
    operationId,
    request: { method: method ?? 'GET', target: path ?? '/', headers: [], body: null },
    response: {
      status,
      headers: type === null ? [] : [['content-type', type]],
      body: { bytes: Buffer.from(body), state: 'complete' },
    },
    failure: null,
    token: null,
  };
}

function callOf(exchange: Exchange): Call {
  return {
    checkId: null,
    operationId: exchange.operationId ?? '',
    purpose: 'succeed',
    auth: 'token',
    parameters: {},
    notSent: null,
    attempts: [exchange],
  };
}
