import type { AcceptedRequest, Preference } from '../compile/request.ts';
import type { Answer } from '../message/answer.ts';
import type { Checkpoints } from '../scenarios/rules.ts';
import type { Objection } from './objections.ts';

/** Steps that find the operation. Scenarios begin after them. */
const FINDING = ['framing', 'host', 'path', 'method'] as const;
const SERVING = ['withdrawn', 'token', 'accept', 'body', 'behaviour', 'payload'] as const;
/** The order in which a request is checked (docs/mock.md). Problems name these steps. */
export const STEPS: readonly string[] = [...FINDING, ...SERVING];

/** A request to a known operation. Each step may leave facts for later steps. */
export interface Turn extends AcceptedRequest {
  readonly checkpoints: Checkpoints | undefined;
  preference: Preference | undefined;
  body: unknown;
  /** Faults that do not refuse the request. The answer warns of them. */
  objections: readonly Objection[];
}

type Outcome = Answer | undefined;
/** Answers a request, or leaves it to the next step. */
type Check = (turn: Turn) => Outcome | Promise<Outcome>;
export type Checks = Readonly<Partial<Record<(typeof SERVING)[number], Check>>>;

/** Takes each request through the checks in their order. The last one must answer. Uses a promise only if a check does. */
export function inOrder(checks: Checks): (turn: Turn) => Answer | Promise<Answer> {
  const ordered = SERVING.flatMap((name) => checks[name] ?? []);
  const from = (index: number, turn: Turn): Answer | Promise<Answer> => {
    for (let at = index; at < ordered.length; at += 1) {
      const given = (ordered[at] as Check)(turn);
      if (given instanceof Promise) return given.then((late) => late ?? from(at + 1, turn));
      if (given) return given;
    }
    throw new Error('no step answered the request');
  };
  return (turn) => from(0, turn);
}
