import type { AttemptView } from '../../src/runner/suite.ts';
import { askGateway } from './pactum.ts';

/** Ends a check whose call was not answered well. Why is for the judge. */
export class Stopped extends Error {
  override readonly name: string = 'Stopped';
}

/** An answer of the target, as far as a check may see it. */
export interface Answer {
  readonly status: number;
  readonly json: unknown;
}

/** How a check makes the calls that it has announced. */
export interface Asker {
  /**
   * Makes one of the announced calls, by its number from 0. The check ends here where there is no answer, or where a call that
   * should succeed is not answered with 2xx.
   */
  call(number?: number): Promise<Answer>;
  /** Makes all of them, one after the other, as often as they say. */
  all(): Promise<Answer[]>;
  /** Attempts of this check so far, as they left the process. */
  attempts(): Promise<readonly AttemptView[]>;
  /** Turns something of the embedded mock; the number of token requests that it has seen. */
  mock(action: 'revoke' | 'expire' | 'refuse' | 'state', count?: number): Promise<number>;
}

/** Why a check is not run, or null and the way to make its calls. */
export async function begin(id: string): Promise<{ readonly skip: string | null; readonly asker: Asker }> {
  const { json } = await askGateway(id, 'begin');
  const { skip, calls } = json as { readonly skip: string | null; readonly calls: readonly number[] };

  async function call(number = 0): Promise<Answer> {
    const answer = await askGateway(id, 'call', number);
    if (answer.stopped !== null) throw new Stopped(answer.stopped);
    return answer;
  }

  const asker: Asker = {
    call,
    async all() {
      const answers: Answer[] = [];
      for (const [number, times] of calls.entries()) {
        for (let count = 0; count < times; count += 1) answers.push(await call(number));
      }
      return answers;
    },
    attempts: async () => (await askGateway(id, 'attempts')).json as readonly AttemptView[],
    async mock(action, count = 1) {
      const { json } = await askGateway(id, 'mock', action, count);
      return (json as { readonly requests: number }).requests;
    },
  };
  return { skip, asker };
}
