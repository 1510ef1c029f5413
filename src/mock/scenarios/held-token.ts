import { type Answer, headerOf } from '../http/answer.ts';
import { promisedIn } from '../tokens/token-response.ts';

/** What scenarios may know of the tokens of the mock. */
export interface ScenarioTokens {
  /** Milliseconds since the epoch, by the clock of the mock. */
  readonly now: () => number;
  /** When a token that still is accepted expires, by its claims; undefined for one that is not accepted any more. Seconds since the epoch. */
  readonly aliveUntil: (token: string) => number | undefined;
  /** What an answer may promise of a token that expires then. Seconds. */
  readonly left: (exp: number) => number;
}

/** A token endpoint that gives out one token for as long as that lives. */
export interface HeldToken {
  /** The answer of before, with what is left of its token; the given one where there is none, or its token is dead. */
  again(given: Answer): Answer;
}

export function createHeldToken(tokens: ScenarioTokens): HeldToken {
  let held: Answer | undefined;
  return {
    again(given) {
      if (promisedIn(given) === undefined) return given;
      const before = held && promisedIn(held);
      const until = before && tokens.aliveUntil(before.value);
      if (held === undefined || until === undefined || !held.body) {
        held = given;
        return given;
      }
      const body = JSON.parse(held.body.toString()) as Record<string, unknown>;
      const bytes = Buffer.from(JSON.stringify({ ...body, expires_in: tokens.left(until) }));
      const length = headerOf(held, 'content-length');
      const headers = held.headers.map((part, index) =>
        index % 2 === 1 && held?.headers[index - 1] === 'content-length' && part === length
          ? String(bytes.length)
          : part,
      );
      return { ...held, headers, body: bytes };
    },
  };
}
