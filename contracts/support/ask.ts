import type { Auth, Purpose } from '../../src/drift/call.ts';
import { type AttemptView, type PlannedCall, RUN_HEADERS } from '../../src/runner/suite.ts';
import { type Answer, exchangeWithGateway } from './pactum.ts';
import { operation, suite } from './suite.ts';

/** Ends a check whose call was not answered well. Why is for the judge. */
export class Stopped extends Error {
  override readonly name: string = 'Stopped';
}

export interface AskOptions {
  readonly auth?: Auth;
  readonly purpose?: Purpose;
  /** Another method than the operation's own. */
  readonly method?: string;
  /** JSON instead of the body that the run has for the operation; null for none. */
  readonly json?: unknown;
  /** Form fields instead of JSON. */
  readonly form?: Readonly<Record<string, string>>;
  /** Path parameters that differ from those of the run. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Query, without `?`. */
  readonly query?: string;
}

/** How a check makes its calls. */
export interface Asker {
  /** A call that should succeed; its answer is 2xx, or the check ends here. The documented schema is asserted. */
  succeed(operationId: string, options?: AskOptions): Promise<Answer>;
  /** A call whose answer may be any; only silence ends the check. */
  ask(operationId: string, options: AskOptions): Promise<Answer>;
  /** Attempts of this check so far, as they left the process. */
  attempts(): Promise<readonly AttemptView[]>;
  /** Turns something of the embedded mock; the number of token requests that it has seen. */
  mock(action: 'revoke' | 'expire' | 'refuse' | 'state' | 'reset', count?: number): Promise<number>;
}

export function createAsker(checkId: string, planned: readonly PlannedCall[]): Asker {
  async function send(operationId: string, options: AskOptions, schema: string | null): Promise<Answer> {
    const { auth = 'token', purpose = 'succeed' } = options;
    const announced = planned.some(
      (call) => call.operationId === operationId && call.auth === auth && call.purpose === purpose,
    );
    // What --plan prints is a promise.
    if (!announced) throw new Error(`check ${checkId} does not announce ${purpose} ${operationId} with ${auth}`);
    const { method, path, target, body, accept } = operation(operationId);
    const filled = options.parameters === undefined ? target : fill(path ?? '', target ?? '', options.parameters);
    if (method === null || filled === null) throw new Error(`${operationId} cannot be called`);
    const json = options.json === undefined ? body : options.json;
    const answer = await exchangeWithGateway({
      url: `${suite.gateway}${filled}${options.query === undefined ? '' : `?${options.query}`}`,
      method: options.method ?? method,
      headers: {
        [RUN_HEADERS.key]: suite.key,
        [RUN_HEADERS.check]: checkId,
        [RUN_HEADERS.operation]: operationId,
        [RUN_HEADERS.purpose]: purpose,
        [RUN_HEADERS.auth]: auth,
        accept,
      },
      ...(options.form === undefined ? {} : { form: options.form }),
      ...(options.form !== undefined || json === undefined || json === null ? {} : { json }),
      schema,
    });
    if (answer.notSent !== null) throw new Stopped(answer.notSent);
    return answer;
  }

  return {
    async succeed(operationId, options = {}) {
      const answer = await send(operationId, options, operation(operationId).schema);
      if (answer.status < 200 || answer.status > 299) throw new Stopped(`${operationId} answered ${answer.status}`);
      return answer;
    },
    ask: (operationId, options) => send(operationId, options, null),
    async attempts() {
      const answer = await control(`attempts/${encodeURIComponent(checkId)}`);
      return answer as readonly AttemptView[];
    },
    async mock(action, count) {
      const answer = await control(`mock/${action}`, count === undefined ? undefined : String(count));
      return (answer as { requests: number }).requests;
    },
  };
}

async function control(path: string, body?: string): Promise<unknown> {
  const response = await fetch(`${suite.gateway}/__run/${path}`, {
    method: 'POST',
    headers: { [RUN_HEADERS.key]: suite.key },
    ...(body === undefined ? {} : { body }),
  });
  return response.json();
}

/** Segments of the template that name a given parameter are replaced in the filled path. */
function fill(template: string, target: string, parameters: Readonly<Record<string, string>>): string {
  const given = target.split('/');
  return template
    .split('/')
    .map((segment, index) => {
      const name = /^\{(.+)\}$/.exec(segment)?.[1];
      const value = name === undefined ? undefined : parameters[name];
      return value === undefined ? (given[index] ?? '') : encodeURIComponent(value);
    })
    .join('/');
}
