import type { Contract, Operation, ResponseSpec } from '../contract/contract.ts';
import { createMatcher, type Match } from '../contract/paths.ts';
import type { Side } from '../judge/given.ts';
import { unmatched } from '../judge/rules/run.ts';
import type { Call } from '../model/call.ts';
import { isJsonType } from '../model/media.ts';
import { joinPointer } from '../pointer.ts';
import { pause } from '../slices.ts';
import { compareAnswers } from './compare.ts';
import type { Remark } from './look.ts';

export interface ComparedContracts {
  /** The answers of the later one without what is in their bodies: what the rules on statuses and content types judge. */
  readonly calls: readonly Call[];
  readonly differences: readonly Remark[];
  readonly doubts: readonly Remark[];
}

/** Holds all that the later contract lets come to the earlier one; of what is aborted, as far as it came. */
export async function compareContracts(before: Side, after: Side, signal?: AbortSignal): Promise<ComparedContracts> {
  const calls: Call[] = [];
  const remarks: Remark[] = [];
  const pause = pausing(signal);
  const found = matcherOf(after.contract);
  for (const operation of before.contract.operations) {
    if (await pause()) break;
    const match = found(operation);
    if (match === undefined) continue;
    if (match?.kind !== 'operation') {
      // A recording tells of what was called, not of what there is.
      if (!after.recording) remarks.push(withdrawn(operation, match === null ? '404' : '405'));
      continue;
    }
    remarks.push(...refused(before.contract, operation, after.contract, match.operation));
    for (const { status, type, given } of answersOf(after, match.operation, operation)) {
      calls.push(callOf(operation, calls.length + 1, status, type));
      if (given === null) continue;
      const said = await compareAnswers(before.contract, after, operation, status, given, pause);
      for (const remark of said) remarks.push(remark);
    }
  }
  const known = matcherOf(before.contract);
  for (const operation of after.contract.operations) {
    const match = known(operation);
    if (match !== undefined && match?.kind !== 'operation') remarks.push(...added(before.contract, after, operation));
  }
  const bySure = Map.groupBy(remarks, ({ certainty }) => certainty === 'differs');
  return { calls, differences: bySure.get(true) ?? [], doubts: bySure.get(false) ?? [] };
}

/** Milliseconds between two pauses in which signals have their turn. */
const SLICE = 20;

function pausing(signal: AbortSignal | undefined): () => Promise<boolean> {
  let paused = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - paused >= SLICE) {
      await pause();
      paused = performance.now();
    }
    return signal?.aborted === true;
  };
}

/** Where a call of an operation of the one contract leads in another; undefined where it is not known how to call it. */
function matcherOf({ operations }: Contract): (operation: Operation) => Match | null | undefined {
  const match = createMatcher(operations);
  return ({ method, path }) => (method === null || path === null ? undefined : match(method, path));
}

function withdrawn({ operationId, pointer }: Operation, actual: string): Remark {
  return {
    certainty: 'differs',
    rule: 'operation-withdrawn',
    observation: { operationId, pointer: '', expected: '2XX', actual, source: pointer, exchanges: [] },
  };
}

function* added(before: Contract, after: Side, { method, path, responses }: Operation): Iterable<Remark> {
  const status = shown(after, responses, /^[2345]/)[0]?.status;
  if (status === undefined) return;
  const observation = unmatched(before, { method: method ?? '', target: path ?? '', status });
  yield { rule: 'unmatched-exchange', observation, certainty: 'differs' };
}

/** The responses that a side shows: in a recording only those that were seen. */
function shown({ contract, recording }: Side, responses: readonly ResponseSpec[], statuses: RegExp): ResponseSpec[] {
  return responses.filter(
    ({ status, pointer }) => statuses.test(status) && (!recording || isRecordedIn(contract, pointer)),
  );
}

/** Whether a recording describes a node, or a part of one that is documented. */
export function isRecordedIn(contract: Contract, pointer: string): boolean {
  if (contract.provenanceOf(pointer) === 'observed') return true;
  const node = contract.at(pointer);
  if (typeof node !== 'object' || node === null) return false;
  return Object.keys(node).some((key) => isRecordedIn(contract, joinPointer(pointer, key)));
}

function* refused(before: Contract, known: Operation, after: Contract, now: Operation): Iterable<Remark> {
  const seen = (contract: Contract, { responses }: Operation, statuses: RegExp): ResponseSpec[] =>
    shown({ contract, recording: true }, responses, statuses);
  const good = seen(before, known, /^2\d\d$/);
  const refusals = seen(after, now, /^4\d\d$/);
  const [first] = good;
  if (first === undefined || refusals.length === 0 || seen(after, now, /^2/).length > 0) return;
  const listed = (all: readonly ResponseSpec[]): string => all.map(({ status }) => status).join(' or ');
  yield {
    certainty: 'differs',
    rule: 'status-changed',
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

interface KnownResponse {
  readonly status: number;
  /** Null for an empty answer. */
  readonly type: string | null;
  /** Pointers of the schemas of what is in a JSON body; null for another one. */
  readonly given: readonly string[] | null;
}

function answersOf(side: Side, operation: Operation, known: Operation): KnownResponse[] {
  return shown(side, operation.responses, /^2/).flatMap(({ status: code, pointer: at, content }): KnownResponse[] => {
    const status = statusFor(code, known);
    const bodies = content.map(({ type, schema, pointer }): KnownResponse => {
      const given = schema === undefined ? [] : [joinPointer(pointer, 'schema')];
      return { status, type, given: isJsonType(type) ? given : null };
    });
    // Where nothing is shown, nothing can be compared; where a recording says that there is none, it can.
    const isEmpty = content.length === 0 && side.contract.provenanceOf(at) === 'observed';
    const mayBeEmpty = side.contract.at(joinPointer(at, 'x-sometimes-empty')) === true;
    return isEmpty || mayBeEmpty ? [...bodies, { status, type: null, given: null }] : bodies;
  });
}

function statusFor(status: string, known: Operation): number {
  if (/^\d{3}$/.test(status)) return Number(status);
  const code = known.responses.find((response) => /^2\d\d$/.test(response.status));
  return Number(code?.status ?? '200');
}

/** A call that was answered so. There is nothing in a JSON body: that is compared by its schemas. */
function callOf({ operationId, method }: Operation, number: number, status: number, type: string | null): Call {
  const text = type === null ? '' : isJsonType(type) ? 'null' : 'text';
  return {
    number,
    checkId: null,
    operationId,
    purpose: 'succeed',
    auth: 'token',
    parameters: {},
    notSent: null,
    attempts: [
      {
        seq: number,
        startedAt: 0,
        endedAt: 0,
        connection: null,
        operationId,
        request: { method: method ?? 'GET', target: '/', headers: [], body: null },
        response: {
          status,
          headers: type === null ? [] : [['content-type', type]],
          body: { bytes: Buffer.from(text), state: 'complete' },
        },
        failure: null,
        token: null,
      },
    ],
  };
}
