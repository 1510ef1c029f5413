import type { Call, CallRequest } from '../model/call.ts';
import { type Exchange, header } from '../model/exchange.ts';
import type { Egress, OutgoingRequest } from './egress.ts';
import { withAuthorization } from './tokens.ts';

export interface LivenessOptions {
  readonly egress: Egress;
  /** Seconds in which one of the operations that are asked must answer. */
  readonly patience: number;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Good calls of reads that this run can make, those that were never asked too. */
  readonly reads: () => readonly CallRequest[];
  readonly serviceOf: (operationId: string) => string;
  readonly isShut: (operationId: string) => boolean;
  /** Called for each operation that answered when it was asked. */
  readonly onCall: (call: Omit<Call, 'number'>) => void;
  /** Called where nothing answers now: the target is out, or only the service of the silent operation. */
  readonly onDead: (what: 'target' | 'service', operationId: string) => void;
}

/**
 * A way to send a request once that tells a target or a service which has gone silent from one operation which has: where a request
 * hangs and nothing else has answered meanwhile, other operations of its service and one of each other service are asked.
 */
export function watchLiveness(
  options: LivenessOptions,
): (call: CallRequest, sent: OutgoingRequest, signal: AbortSignal) => Promise<Exchange> {
  const { egress, patience, concurrency, signal, serviceOf } = options;
  /** Operations that have answered, by how they were authenticated. */
  const alive = new Set<string>();
  let answers = 0;

  async function answersNow(call: CallRequest, seconds: number): Promise<boolean> {
    let exchange: Exchange;
    try {
      exchange = await egress.send(call, AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(seconds * 1000))]));
    } catch {
      // Not sent for a reason of ours: that says nothing of the target.
      return true;
    }
    if (exchange.response === null) return false;
    answers += 1;
    const { operationId, auth, parameters } = call;
    const asked = { checkId: null, operationId, purpose: 'liveness', auth, parameters } as const;
    options.onCall({ ...asked, attempts: [exchange], notSent: null });
    return true;
  }

  /**
   * What else can be asked, with what authenticates the silent request; what has answered before comes first. A gateway that refuses bad
   * tokens by itself says nothing of what is behind it.
   */
  function questions({ auth, operationId: silent }: CallRequest, sent: OutgoingRequest): CallRequest[] {
    const authorization = header(sent.headers, 'authorization');
    const others = options
      .reads()
      .filter(({ operationId }) => operationId !== silent && !options.isShut(operationId))
      .map((call) => ({
        ...call,
        auth,
        headers: authorization === undefined ? call.headers : withAuthorization(call.headers, authorization),
      }));
    const isAlive = ({ operationId }: CallRequest): boolean => alive.has(`${auth} ${operationId}`);
    return [...others.filter(isAlive), ...others.filter((call) => !isAlive(call))];
  }

  /** Whether each of some questions is answered, all of them within the patience of a run. */
  async function ask(some: readonly CallRequest[]): Promise<boolean[]> {
    const rounds = Math.ceil(some.length / concurrency);
    const answered: boolean[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const now = some.slice(round * concurrency, (round + 1) * concurrency);
      answered.push(...(await Promise.all(now.map((question) => answersNow(question, patience / rounds)))));
    }
    return answered;
  }

  /** What is silent: the operation alone, its service, or the target. */
  async function whatIsSilent(silent: CallRequest, sent: OutgoingRequest): Promise<'operation' | 'service' | 'target'> {
    const own = serviceOf(silent.operationId);
    const all = questions(silent, sent);
    const others = new Map<string, CallRequest>();
    for (const question of all) {
      const service = serviceOf(question.operationId);
      if (service !== own && !others.has(service)) others.set(service, question);
    }
    const peers = all.filter(({ operationId }) => serviceOf(operationId) === own);
    // What answered before may be the next to be silent by itself.
    const some = [...others.values(), ...peers.slice(0, 2)];
    if (some.length === 0) return 'operation';
    const answered = await ask(some);
    if (answered.slice(others.size).includes(true)) return 'operation';
    if (!answered.includes(true)) return 'target';
    return peers.length === 0 ? 'operation' : 'service';
  }

  return async (call, sent, stop) => {
    const { operationId, effect, purpose, auth } = call;
    const before = answers;
    const exchange = await egress.send(sent, stop);
    if (exchange.response !== null) {
      answers += 1;
      if (effect === 'read' && ['succeed', 'refuse-token'].includes(purpose)) alive.add(`${auth} ${operationId}`);
    }
    if (!hasHung(exchange) || answers !== before || signal.aborted) return exchange;
    const silent = await whatIsSilent(call, sent);
    if (silent !== 'operation' && !signal.aborted) options.onDead(silent, operationId);
    return exchange;
  };
}

const TIMEOUTS = ['connect-timeout', 'first-byte-timeout', 'call-timeout'] as const;

/** True where a time ran out; `kinds` says which times count. */
export function hasHung({ failure }: Exchange, kinds: readonly string[] = TIMEOUTS): boolean {
  return failure !== null && kinds.includes(failure.kind);
}
