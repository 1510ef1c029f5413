import pactum from 'pactum';
import { inject } from 'vitest';
import { type AttemptView, RUN_HEADERS, type SuiteInput } from '../../src/run/protocol.ts';

/** What the run says of itself. */
export const suite: SuiteInput = inject('suite');

// Process-global in pactum; this worker does nothing else. What it would print may hold what must not be printed.
pactum.settings.setLogLevel('SILENT');
pactum.settings.setReporterAutoRun(false);
// Times are the gateway's business: it answers in bounded time.
pactum.request.setDefaultTimeout(600_000);

interface PactumResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly json: unknown;
}

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

/** Asks the gateway for something, by the words of its path. What it refuses is a mistake in a contract file. */
async function ask(...words: readonly (string | number)[]): Promise<Answer> {
  const spec = pactum.spec();
  spec.post(`${suite.gateway}/${words.map(encodeURIComponent).join('/')}`);
  spec.withHeaders(RUN_HEADERS.key, suite.key);
  spec.inspect(false);
  const { statusCode, headers, json } = (await spec.toss()) as unknown as PactumResponse;
  const { [RUN_HEADERS.refused]: refused, [RUN_HEADERS.stopped]: stopped } = headers;
  if (typeof refused === 'string') throw new Error(decodeURIComponent(refused));
  if (typeof stopped === 'string') throw new Stopped(decodeURIComponent(stopped));
  return { status: statusCode, json };
}

/** Why a check is not run, or null and the way to make its calls. */
export async function begin(id: string): Promise<{ readonly skip: string | null; readonly asker: Asker }> {
  const { json } = await ask(id, 'begin');
  const { skip, calls } = json as { readonly skip: string | null; readonly calls: readonly number[] };
  const asker: Asker = {
    call: (number = 0) => ask(id, 'call', number),
    async all() {
      const answers: Answer[] = [];
      for (const [number, times] of calls.entries()) {
        for (let count = 0; count < times; count += 1) answers.push(await asker.call(number));
      }
      return answers;
    },
    attempts: async () => (await ask(id, 'attempts')).json as readonly AttemptView[],
    async mock(action, count = 1) {
      const { json } = await ask(id, 'mock', action, count);
      return (json as { readonly requests: number }).requests;
    },
  };
  return { skip, asker };
}
