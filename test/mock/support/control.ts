import type { Mock } from '../../../src/mock/mock.ts';
import { type Reply, type Sent, send } from './client.ts';

/** Calls the control API of a mock as a script does: a body is sent as JSON. */
export function control(
  mock: Pick<Mock, 'port'>,
  method: string,
  path: string,
  body?: unknown,
  headers: Sent['headers'] = {},
): Promise<Reply> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  return send(mock, { method, path: `/__mock${path}`, ...sent, headers: { ...type, ...headers } });
}
