import type { CallRequest } from '../model/call.ts';
import type { Exchange } from '../model/exchange.ts';
import type { OutgoingRequest, Way } from './egress.ts';

export interface LivenessOptions extends Way {
  /** Seconds in which one of the operations that are asked must answer. */
  readonly patience: number;
  /** Good calls of reads that this run can make, those that were never asked too. */
  readonly reads: () => readonly CallRequest[];
  /** The service behind an operation. */
  readonly serviceOf: (operationId: string) => string;
}

/**
 * A way to send a request once that tells a target or a service which has gone silent from one operation which has: where a request
 * hangs and nothing else has answered meanwhile, other operations of its service and one of each other service are asked.
 */
export function watchLiveness(
  { egress, breaker, limits, patience, reads, serviceOf, onCall }: LivenessOptions,
  signal: AbortSignal,
): (call: CallRequest, sent: OutgoingRequest) => Promise<Exchange> {
  /** Operations that have answered, by how they were authenticated. */
  const alive = new Set<string>();
  let answers = 0;

  async function isAnswered(call: CallRequest, seconds: number): Promise<boolean> {
    const late = AbortSignal.timeout(Math.ceil(seconds * 1000));
    // Not sent for a reason of ours: that says nothing of the target.
    const exchange = await egress.send(call, AbortSignal.any([signal, late])).catch(() => null);
    if (exchange === null) return true;
    if (exchange.response === null) return false;
    answers += 1;
    const { operationId, auth, parameters } = call;
    breaker.note(operationId, 'alive', '');
    onCall({ checkId: null, operationId, purpose: 'liveness', auth, parameters, attempts: [exchange], notSent: null });
    return true;
  }

  /**
   * What else can be asked, with what authenticates the silent request; what has answered before comes first. A gateway that refuses bad
   * tokens by itself says nothing of what is behind it.
   */
  function questions({ auth, operationId: silent }: CallRequest, { headers }: OutgoingRequest): CallRequest[] {
    const authorization = headers.filter(([name]) => name === 'authorization');
    const others = reads().filter((call) => call.operationId !== silent && breaker.openFor(call.operationId) === null);
    const [known = [], unknown = []] = [true, false].map((wanted) =>
      others.filter(({ operationId }) => alive.has(`${auth} ${operationId}`) === wanted),
    );
    return [...known, ...unknown].map((call) => ({ ...call, auth, headers: [...call.headers, ...authorization] }));
  }

  /** What is silent: the operation alone, its service, or the target. All questions together take no longer than the patience. */
  async function whatIsSilent(silent: CallRequest, sent: OutgoingRequest): Promise<'operation' | 'service' | 'target'> {
    const services = Map.groupBy(questions(silent, sent), ({ operationId }) => serviceOf(operationId));
    const own = serviceOf(silent.operationId);
    // What answered before may be the next to be silent by itself.
    const peers = services.get(own)?.slice(0, 2) ?? [];
    services.delete(own);
    const others = [...services.values()].flatMap((calls) => calls.slice(0, 1));
    const all = [...others, ...peers];
    const rounds = Math.ceil(all.length / limits.concurrency);
    const answered: boolean[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const now = all.slice(round * limits.concurrency, (round + 1) * limits.concurrency);
      answered.push(...(await Promise.all(now.map((question) => isAnswered(question, patience / rounds)))));
    }
    if (all.length === 0 || answered.slice(others.length).includes(true)) return 'operation';
    if (!answered.includes(true)) return 'target';
    return peers.length === 0 ? 'operation' : 'service';
  }

  return async (call, sent) => {
    const { operationId, effect, purpose, auth } = call;
    const before = answers;
    const exchange = await egress.send(sent, breaker.signal);
    if (exchange.response !== null) {
      answers += 1;
      if (effect === 'read' && ['succeed', 'refuse-token'].includes(purpose)) alive.add(`${auth} ${operationId}`);
    }
    if (!hasHung(exchange) || answers !== before || signal.aborted) return exchange;
    const silent = await whatIsSilent(call, sent);
    if (signal.aborted) return exchange;
    if (silent === 'target') breaker.trip('the target does not answer any more');
    if (silent === 'service') breaker.shut(operationId, 'does not answer any more');
    return exchange;
  };
}

const TIMEOUTS = ['connect-timeout', 'first-byte-timeout', 'call-timeout'] as const;

/** True where a time ran out; `kinds` says which times count. */
export function hasHung({ failure }: Exchange, kinds: readonly string[] = TIMEOUTS): boolean {
  return failure !== null && kinds.includes(failure.kind);
}
