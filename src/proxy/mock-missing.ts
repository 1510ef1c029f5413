import type { IncomingMessage } from 'node:http';
import type { Contract } from '../contract/contract.ts';
import type { Reached } from '../contract/paths.ts';
import { createUpstream, type Upstream } from '../egress/connect.ts';
import { startMock } from '../mock/start-mock.ts';
import { DIRECT } from '../net/network.ts';
import { DEFAULT_TIMEOUTS } from '../net/settings.ts';
import { locate } from './calls.ts';
import { hasBody } from './headers.ts';
import type { ProxyOptions } from './options.ts';

/** What a target that lost an operation answers. */
const GONE = new Set([404, 405, 410]);

/** A mock in this process that answers for what the target does not have. It takes the target's tokens. */
export interface MissingMock {
  readonly upstream: Upstream;
  /** The operation of a request that only the mock's assumptions locate, or null. */
  locate(method: string, target: string): Reached | null;
  /** For a deprecated operation: which answers of the target are not passed on, since it was withdrawn. */
  withholds(reached: Reached, request: IncomingMessage): ((status: number) => boolean) | undefined;
  close(): Promise<void>;
}

/** @param assumed the contract with what the mock assumes */
export async function startMissingMock(
  { folder, overlays = [] }: Pick<ProxyOptions, 'folder' | 'overlays'>,
  assumed: Contract,
): Promise<MissingMock> {
  const mock = await startMock({ ...(folder && { folder }), overlays, anyToken: true, stateless: true });
  const upstream = createUpstream(mock.url, DEFAULT_TIMEOUTS.connect, DIRECT);
  return {
    upstream,
    locate(method, target) {
      const reached = locate(assumed, method, target);
      return reached?.operation.located === 'assumed' ? reached : null;
    },
    withholds({ operation }, request) {
      // A body has gone to the target by then, and cannot go anywhere else.
      return operation.deprecated && !hasBody(request) ? (status) => GONE.has(status) : undefined;
    },
    async close() {
      upstream.close();
      await mock.close();
    },
  };
}
