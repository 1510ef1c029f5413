import type { Contract } from '../contract/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import type { VerifyOptions } from '../run/options.ts';
import { asMock, isOfMock, type Target } from '../run/target.ts';

/** The target of a proxy. If its answers identify it as a mock, the mock's assumptions also apply from then on. */
export function followTarget(opened: Target, options: Pick<VerifyOptions, 'parameters'>) {
  let { contract } = opened;
  let mock: Promise<Target> | undefined;
  return {
    contract: (): Contract => contract,
    isMock: (): boolean => mock !== undefined || opened.embedded,
    note(exchange: Exchange): void {
      if (mock !== undefined || opened.kind === 'mock' || !isOfMock(exchange)) return;
      mock = asMock(opened, options);
      // Judging awaits it too and gets the error.
      mock.then((found) => ({ contract } = found)).catch(() => {});
    },
    /** The target as far as its answers identify it, once its contract is loaded. */
    latest: (): Promise<Target> => mock ?? Promise.resolve(opened),
  };
}
