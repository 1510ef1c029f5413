import type { Call, CallRequest } from '../model/call.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Egress, OutgoingRequest } from './egress.ts';

export interface LivenessOptions {
  readonly egress: Egress;
  /** Seconds in which one of the operations that are asked again must answer. */
  readonly patience: number;
  readonly signal: AbortSignal;
  /** Called for each operation that answered when it was asked again. */
  readonly onCall: (call: Omit<Call, 'number'>) => void;
  /** Called where nothing that answered before does now. */
  readonly onDead: () => void;
}

/** Operations that are asked again; one of them may be the next to be silent by itself. */
const ASKED = 2;

/**
 * A way to send a request once that tells a target which has gone silent from one operation which has: where a request hangs and nothing
 * else has answered meanwhile, what answered before is asked again.
 */
export function watchLiveness({
  egress,
  patience,
  signal,
  onCall,
  onDead,
}: LivenessOptions): (call: CallRequest, sent: OutgoingRequest, signal: AbortSignal) => Promise<Exchange> {
  const known = new Map<string, { readonly call: CallRequest; readonly sent: OutgoingRequest }>();
  let answers = 0;

  async function answersNow(call: CallRequest, sent: OutgoingRequest): Promise<boolean> {
    let exchange: Exchange;
    try {
      exchange = await egress.send(sent, AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(patience * 1000))]));
    } catch {
      // Not sent for a reason of ours: that says nothing of the target.
      return true;
    }
    if (exchange.response === null) return false;
    answers += 1;
    const { operationId, auth, parameters } = call;
    onCall({ checkId: null, operationId, purpose: 'liveness', auth, parameters, attempts: [exchange], notSent: null });
    return true;
  }

  /** True also where nothing is known to ask. */
  async function isAlive(silent: string): Promise<boolean> {
    const others = [...known.values()].filter(({ call }) => call.operationId !== silent).slice(-ASKED);
    const alive = await Promise.all(others.map(({ call, sent }) => answersNow(call, sent)));
    return alive.length === 0 || alive.includes(true);
  }

  return async (call, sent, stop) => {
    const { operationId, effect, purpose, auth } = call;
    const before = answers;
    const exchange = await egress.send(sent, stop);
    if (exchange.response !== null) {
      answers += 1;
      if (effect === 'read' && auth !== 'client' && ['succeed', 'refuse-token'].includes(purpose)) {
        known.delete(operationId);
        known.set(operationId, { call, sent });
      }
    }
    const isSilent = hasHung(exchange) && answers === before;
    if (isSilent && !(await isAlive(operationId)) && !signal.aborted) onDead();
    return exchange;
  };
}

const TIMEOUTS = ['connect-timeout', 'first-byte-timeout', 'call-timeout'] as const;

/** True where a time ran out; `kinds` says which times count. */
export function hasHung({ failure }: Exchange, kinds: readonly string[] = TIMEOUTS): boolean {
  return failure !== null && kinds.includes(failure.kind);
}
