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

/** What a target that lost an operation answers. */
const GONE = new Set([404, 405, 410]);

export type MissingMock = Awaited<ReturnType<typeof startMissingMock>>;

/**
 * A mock in this process that answers for what the target does not have. It takes the target's tokens.
 *
 * @param assumed the contract with what the mock assumes
 */
export async function startMissingMock(
  { folder, overlays = [] }: Pick<ProxyOptions, 'folder' | 'overlays'>,
  assumed: Contract,
) {
  const mock = await startMock({ ...(folder && { folder }), overlays, anyToken: true, stateless: true });
  const upstream = createUpstream(mock.url, DEFAULT_TIMEOUTS.connect, DIRECT);
  return {
    upstream,
    /** The operation of a request that only the mock's assumptions locate. */
    locate(method: string, target: string): Reached | null {
      const reached = locate(assumed, method, target);
      return reached?.operation.located === 'assumed' ? reached : null;
    },
    /** For a deprecated operation: which answers of the target are not passed on, since it was withdrawn. */
    withholds({ operation }: Reached, request: IncomingMessage): ((status: number) => boolean) | undefined {
      // A body has gone to the target by then, and cannot go anywhere else.
      return operation.deprecated && !announcesBody(request) ? (status: number) => GONE.has(status) : undefined;
    },
    async close(): Promise<void> {
      upstream.close();
      await mock.close();
    },
  };
}
