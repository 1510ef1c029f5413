import { type Call, finalAttempt } from '../model/call.ts';

/** Bodies above this are judged once and not kept. Bytes. */
const LARGEST_KEPT = 64 * 1024;
/** Calls of one operation that are kept per sort of answer; what fails twice fails. */
const MOST = { good: 1, bad: 3, other: 1 } as const;

type Sort = keyof typeof MOST;

/** The few calls of the past that rules over several exchanges need: of each operation the last ones of each sort. Bounded. */
export interface Memory {
  add(call: Call): void;
  readonly calls: readonly Call[];
}

export function createMemory(): Memory {
  const kept = new Map<string, Map<Sort, Call[]>>();
  return {
    add(call) {
      const of = kept.get(call.operationId) ?? new Map<Sort, Call[]>();
      kept.set(call.operationId, of);
      const sort = sortOf(call);
      of.set(sort, [...(of.get(sort) ?? []), lighter(call)].slice(-MOST[sort]));
      // It works again; what failed before was reported, or was weather.
      if (sort === 'good') of.delete('bad');
    },
    get calls() {
      const all = [...kept.values()].flatMap((of) => [...of.values()].flat());
      return all.sort((a, b) => a.number - b.number);
    },
  };
}

function sortOf(call: Call): Sort {
  const response = finalAttempt(call)?.response;
  const status = response?.status ?? 599;
  if (call.purpose === 'refuse-token') return 'other';
  if (status >= 200 && status < 300) return response?.body.state === 'complete' ? 'good' : 'bad';
  return status >= 500 ? 'bad' : 'other';
}

function lighter(call: Call): Call {
  const attempts = call.attempts.map((attempt) => {
    const request = { ...attempt.request, headers: [], body: null };
    const { response } = attempt;
    if (response === null || response.body.bytes.length <= LARGEST_KEPT) return { ...attempt, request };
    return { ...attempt, request, response: { ...response, body: { ...response.body, bytes: new Uint8Array() } } };
  });
  return { ...call, attempts };
}
