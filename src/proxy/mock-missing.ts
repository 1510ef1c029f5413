import type { IncomingMessage } from 'node:http';
import type { Contract } from '../contract/contract.ts';
import type { Reached } from '../contract/paths.ts';
import { createUpstream } from '../egress/connect.ts';
import { startMock } from '../mock/start-mock.ts';
import { DIRECT } from '../net/network.ts';
import { DEFAULT_TIMEOUTS } from '../net/settings.ts';
import { locate } from './calls.ts';
import { announcesBody } from './headers.ts';
import type { ProxyOptions } from './options.ts';

/** Answers of a target that lost an operation. */
const GONE = new Set([404, 405, 410]);

export type MissingMock = Awaited<ReturnType<typeof startMissingMock>>;

/**
 * A mock in this process for operations that the target lacks. It accepts the target's tokens.
 *
 * @param assumed the contract with the mock's assumptions
 */
export async function startMissingMock(
  { folder, overlays = [] }: Pick<ProxyOptions, 'folder' | 'overlays'>,
  assumed: Contract,
) {
  const mock = await startMock({ ...(folder && { folder }), overlays, anyToken: true, stateless: true });
  const upstream = createUpstream(mock.url, DEFAULT_TIMEOUTS.connect, DIRECT);
  return {
    upstream,
    /** The operation of a request if only the mock's assumptions locate it. */
    locate(method: string, target: string): Reached | null {
      const reached = locate(assumed, method, target);
      return reached?.operation.located === 'assumed' ? reached : null;
    },
    /** Statuses of the target's answers to withhold, because they show that a deprecated operation was withdrawn. */
    withheld(reached: Reached | null, request: IncomingMessage): ReadonlySet<number> | undefined {
      // By then, a request body has gone to the target and cannot be sent again.
      return reached?.operation.deprecated && !announcesBody(request) ? GONE : undefined;
    },
    async close(): Promise<void> {
      upstream.close();
      await mock.close();
    },
  };
}
