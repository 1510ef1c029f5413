import type { Contract, Operation } from '../contract/contract.ts';
import { bodyText } from '../journal/body-text.ts';
import type { JournalBody, JournalEntry } from '../journal/entry.ts';
import { lookOf } from '../judge/outage/likeness.ts';
import { type Call, finalAttempt, isGood } from '../model/call.ts';
import type { Exchange } from '../model/exchange.ts';
import { type Reason, reasonText } from '../model/reason.ts';
import { foreignAnswersIn } from './learnable-calls.ts';
import { type Sighting, sightingIn } from './sightings.ts';

/** Exchanges that are judged together. Among this many neighbours, an outage differs clearly from normal answers. */
const TOGETHER = 250;
const MOST_BYTES = 8 * 1024 * 1024;
const LEAST_IN_A_ROW = 3;

interface Reached {
  readonly operation: Operation;
  readonly pathParameters: Call['parameters'];
  /** An answer to a request without a valid token. It is not learned, but it shows answers that everyone gets. */
  readonly isTokenCheck: boolean;
}

interface Held {
  readonly call: Call;
  readonly sighting: Sighting | null;
  strange: Reason | null;
}

/** @param known the contract with the facts of earlier recordings, which a notice contradicts */
export function createTrafficFilter(known: Contract, take: (sighting: Sighting) => void) {
  const leftOut = new Map<string, string>();
  const answered = new Set<string>();
  const own = new Map<string, Held>();
  let before: Held[] = [];
  let now: Held[] = [];
  let bytes = 0;
  let seq = 0;

  function look(): void {
    const window = [...before, ...now];
    const inIt = new Set(window);
    const context = [...own.values()].filter((held) => !inIt.has(held));
    const calls = [...context, ...window].map(({ call }) => call);
    const strange = new Map<Call, Reason>([...refusedAlike(calls), ...foreignAnswersIn(calls, known)]);
    for (const held of window) held.strange ??= strange.get(held.call) ?? null;
    for (const held of before) handOn(held);
    before = now;
    now = [];
    bytes = 0;
  }

  function handOn(held: Held): void {
    const { call, sighting, strange } = held;
    const { operationId } = call;
    if (strange !== null) leftOut.set(operationId, reasonText(strange));
    else if (sighting !== null) {
      answered.add(operationId);
      if (isGood(call)) own.set(operationId, held);
      take(sighting);
    }
  }

  return {
    leftOut: leftOut as ReadonlyMap<string, string>,
    get unanswered(): ReadonlySet<string> {
      return new Set(leftOut.keys()).difference(answered);
    },
    add(entry: JournalEntry, { operation, pathParameters, isTokenCheck }: Reached): void {
      seq += 1;
      const { operationId } = operation;
      const exchange = exchangeOf(entry, operationId, seq);
      const call: Call = {
        checkId: null,
        operationId,
        purpose: isTokenCheck ? 'refuse-token' : 'succeed',
        auth: isTokenCheck ? 'none' : operation.auth === 'issues' ? 'client' : 'token',
        parameters: pathParameters,
        attempts: [exchange],
        notSent: null,
      };
      const sighting = isTokenCheck ? null : sightingIn(call);
      const night = entry.startedAt.slice(0, '2026-11-28'.length);
      now.push({ call, sighting: sighting && { ...sighting, night }, strange: null });
      bytes += exchange.response?.body.bytes.length ?? 0;
      if (now.length >= TOGETHER || bytes >= MOST_BYTES) look();
    },
    end(): void {
      look();
      for (const held of before) handOn(held);
      before = [];
    },
  };
}

function refusedAlike(calls: readonly Call[]): [Call, Reason][] {
  const found: [Call, Reason][] = [];
  let row: Call[] = [];
  let look: string | null = null;
  const close = (): void => {
    const operations = new Set(row.map(({ operationId }) => operationId));
    const reason = { kind: 'foreign-answer', service: '', operations: operations.size } as const;
    if (row.length >= LEAST_IN_A_ROW && operations.size > 1)
      found.push(...row.map((call): [Call, Reason] => [call, reason]));
    row = [];
  };
  for (const call of calls) {
    const last = finalAttempt(call);
    const status = last?.response?.status ?? 0;
    // Another server may issue the tokens. A success ends a series of equal errors.
    if (call.auth === 'client' || call.purpose === 'refuse-token') continue;
    const own = last === undefined || status < 400 ? null : `${status} ${lookOf(last)}`;
    if (own !== look) close();
    look = own;
    if (own !== null) row.push(call);
  }
  close();
  return found;
}

function exchangeOf(entry: JournalEntry, operationId: string, seq: number): Exchange {
  const { method, path, request, response, failure = null } = entry;
  return {
    seq,
    startedAt: Date.parse(entry.startedAt),
    endedAt: Date.parse(entry.endedAt),
    connection: entry.connection,
    operationId,
    request: { method, target: path, headers: request.headers, body: request.body && bytesOf(request.body) },
    response:
      response === null
        ? null
        : {
            status: response.status,
            headers: response.headers,
            body: { bytes: bytesOf(response.body), state: stateOf(response.body) },
          },
    failure,
    token: null,
  };
}

/** A body that is not kept as text cannot be compared. */
function stateOf(body: JournalBody | null) {
  if (body === null) return 'complete';
  return bodyText(body) === null ? 'too-large' : body.state;
}

function bytesOf(body: JournalBody | null): Uint8Array {
  return Buffer.from(bodyText(body) ?? '');
}
