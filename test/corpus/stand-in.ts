import type { ServerResponse } from 'node:http';
import { type Fault, json, type Sandbox, type SandboxOptions, startSandbox } from '../run/sandbox.ts';
import { answerOf, type Body, randomFrom, SERVED, SERVED_IDS, type Served } from './world.ts';

/**
 * Answers a good request instead of the stand-in; false leaves it to the stand-in. `count` starts at 1, per
 * operation.
 */
export type Answer = (response: ServerResponse, count: number, body: Body) => boolean | undefined;

/** The active changes of the stand-in's behaviour. */
export interface Switch {
  /** Changes good bodies. The return value is sent; `undefined` if it changed the body in place. */
  readonly body?: Readonly<Partial<Record<Served, (body: Body) => Body>>>;
  /** Answers good requests to an operation, or to all of them. */
  readonly answer?: Readonly<Partial<Record<Served | 'every', Answer>>>;
  /** First of all, including the token endpoint and bad tokens. */
  readonly fault?: Fault;
  readonly token?: NonNullable<SandboxOptions['token']>;
  /** Fees without their optional field: only a recording shows that it is optional. */
  readonly unrecorded?: true;
}

export const operationAt = (method: string, path: string): Served | undefined =>
  SERVED_IDS.find((id) => SERVED[id] === `${method} ${path.split('?', 1)[0]}`);

/** The stand-in of a sandbox with new data in every answer. The same seed gives the same answers. */
export async function startStandIn(seed: number, change: Switch = {}): Promise<Sandbox> {
  const counts = new Map<string, number>();
  const isIssued = (bearer: string): boolean =>
    change.token === undefined ? sandbox.tokens.includes(bearer) : bearer.startsWith('ey');
  const sandbox = await startSandbox({
    ...(change.token === undefined ? {} : { token: change.token }),
    fault(seen, response, count) {
      if (change.fault?.(seen, response, count) === true) return true;
      const operationId = operationAt(seen.method, seen.path);
      if (operationId === undefined || !isIssued(seen.authorization.replace('Bearer ', ''))) return false;
      const nth = (counts.get(operationId) ?? 0) + 1;
      counts.set(operationId, nth);
      const good = answerOf(operationId, randomFrom(seed * 7919 + SERVED_IDS.indexOf(operationId) * 101 + nth));
      if (change.unrecorded === true) for (const fee of good?.fees ?? []) delete fee.per;
      const edit = change.body?.[operationId];
      const body = edit === undefined ? good : (edit(good) ?? good);
      const own = change.answer?.[operationId] ?? change.answer?.every;
      if (own?.(response, nth, body) === true) return true;
      if (body === undefined) response.writeHead(204).end();
      else json(response, 200, body);
      return true;
    },
  });
  return sandbox;
}
