import type { CallRequest } from '../model/call.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Way } from './egress.ts';

/** Two are sent at a time, so a dead target is known after two of these waves. */
const MOST_STRANGERS = 4;

/**
 * Returns a function that sends a request once. If it hangs and nothing else answers meanwhile, other reads are sent.
 * They show whether only the operation, its service or the whole target is silent.
 */
export function watchLiveness(
  { egress, breaker, timeouts: { firstByte, dead }, onCall }: Way,
  signal: AbortSignal,
): (sent: CallRequest, repeated?: Exchange) => Promise<Exchange> {
  const { reads, serviceOf } = breaker;
  /** Seconds in which one of the reads must answer. */
  const patience = Math.min(firstByte, Math.max(dead - firstByte, dead / 4));
  const alive = new Set<string>();
  let answers = 0;

  /** Whether one of these reads answers with the silent request's token, which a gateway may reject. */
  async function isAnswered(questions: readonly CallRequest[], { auth, headers }: CallRequest): Promise<boolean> {
    const authorization = headers.filter(([name]) => name === 'authorization');
    const asked = questions.map(async (read) => {
      const question = { ...read, headers: [...read.headers, ...authorization], seconds: patience / 2 };
      // If we did not send it, that says nothing about the target.
      const exchange = await egress.send(question, signal).catch(() => null);
      if (exchange === null || exchange.failure !== null) return exchange === null;
      answers += 1;
      breaker.heard();
      const { operationId, parameters } = read;
      breaker.note(operationId, 'alive', '');
      const attempts = [exchange];
      onCall({ checkId: null, operationId, purpose: 'liveness', auth, parameters, attempts, notSent: null });
      return true;
    });
    return (await Promise.all(asked)).includes(true);
  }

  return async (sent, repeated) => {
    const { operationId } = sent;
    const before = answers;
    const exchange = await egress.send({ ...sent, repeated }, breaker.signal);
    if (exchange.response !== null) {
      answers += 1;
      alive.add(operationId);
    }
    if (!hasHung(exchange) || answers !== before || signal.aborted) return exchange;
    const others = reads
      .filter((read) => read.operationId !== operationId && breaker.openFor(read.operationId) === null)
      .sort((a, b) => Number(alive.has(b.operationId)) - Number(alive.has(a.operationId)));
    const services = Map.groupBy(others, (read) => serviceOf(read.operationId));
    const peers = services.get(serviceOf(operationId)) ?? [];
    const strangers = [...services.values()].filter((own) => own !== peers);
    const isTargetAlive = await isAnswered(endsOf(strangers).slice(0, MOST_STRANGERS), sent);
    const isServiceAlive = await isAnswered(endsOf([peers]), sent);
    if (signal.aborted || others.length === 0 || isServiceAlive) return exchange;
    if (!isTargetAlive) breaker.trip('the target does not answer any more');
    else if (peers.length > 0) breaker.shut(operationId, 'does not answer any more');
    return exchange;
  };
}

/** The first read of each service, then the last ones: one dead backend may be behind the first read of each. */
function endsOf(services: readonly (readonly CallRequest[])[]): CallRequest[] {
  return [...services.flatMap((own) => own.slice(0, 1)), ...services.flatMap((own) => own.slice(1).slice(-1))];
}

const TIMEOUTS = ['connect-timeout', 'first-byte-timeout', 'call-timeout'] as const;

/** True if a time limit passed; `kinds` restricts the limits that count. */
export function hasHung({ failure }: Exchange, kinds: readonly string[] = TIMEOUTS): boolean {
  return failure !== null && kinds.includes(failure.kind);
}
