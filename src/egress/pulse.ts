import type { Call } from '../model/call.ts';
import type { Exchange } from '../model/exchange.ts';
import type { CallRequest } from './caller.ts';
import type { Egress, OutgoingRequest } from './egress.ts';

/** Tells a target that has gone silent from one operation that has, by asking again what answered before. */
export interface Pulse {
  /** Remembers a request that was answered, whatever the answer. */
  answered(call: CallRequest, sent: OutgoingRequest): void;
  /**
   * False where nothing that answered before does now; true also where nothing is known to ask.
   *
   * @param operationId the operation that is silent, which is not asked
   * @param since number of answers, by {@link Pulse.answers}, before it was asked
   */
  beats(operationId: string, since: number): Promise<boolean>;
  /** Answers so far. */
  readonly answers: number;
}

/** One may be the next to be silent by itself. */
const ASKED = 2;

/**
 * @param patience seconds in which one of those that are asked again must answer
 * @param onCall told of each call that was answered
 */
export function createPulse(
  egress: Egress,
  patience: number,
  signal: AbortSignal,
  onCall: (call: Omit<Call, 'number'>) => void,
): Pulse {
  const known = new Map<string, { readonly call: CallRequest; readonly sent: OutgoingRequest }>();
  let answers = 0;

  async function ask(call: CallRequest, sent: OutgoingRequest): Promise<boolean> {
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
    const attempts = [exchange];
    onCall({ checkId: null, operationId, purpose: 'client', auth, parameters, attempts, notSent: null });
    return true;
  }

  return {
    get answers() {
      return answers;
    },
    answered(call, sent) {
      answers += 1;
      const repeatable = call.effect === 'read' && ['succeed', 'refuse-token'].includes(call.purpose);
      if (!repeatable || call.auth === 'client') return;
      known.delete(call.operationId);
      known.set(call.operationId, { call, sent });
    },
    async beats(operationId, since) {
      if (answers > since) return true;
      const others = [...known.values()].filter(({ call }) => call.operationId !== operationId).slice(-ASKED);
      if (others.length === 0) return true;
      const beats = await Promise.all(others.map(({ call, sent }) => ask(call, sent)));
      return beats.includes(true);
    },
  };
}
