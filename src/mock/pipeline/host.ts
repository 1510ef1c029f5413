import { createHostRule } from '../../net/host.ts';
import type { Answer } from '../message/answer.ts';
import { problem } from '../message/problem.ts';
import type { MockOptions } from '../mock.ts';

export const LOOPBACK = '127.0.0.1';

export function createHostCheck({
  host = LOOPBACK,
  allowedHosts,
}: Pick<MockOptions, 'host' | 'allowedHosts'>): (authority: string) => Answer | undefined {
  const wrongWith = createHostRule(host, allowedHosts);
  let last: string | undefined;
  return (authority) => {
    if (authority === last) return undefined;
    const wrong = wrongWith(authority);
    if (wrong === null) {
      last = authority;
      return undefined;
    }
    return wrong === 'malformed'
      ? problem('bad-request', 'the Host field is malformed')
      : problem('host-refused', 'this mock answers only loopback names and hosts in --allow-host');
  };
}
