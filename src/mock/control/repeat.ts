import type { Repair, Repeated } from '../../../generated/mock/control.ts';
import { fieldsOf } from '../../model/exchange.ts';
import type { RecordedExchange } from '../http/recorder.ts';
import { field, type ReceivedRequest } from '../message/call.ts';
import type { Trail } from '../pipeline/pipeline.ts';
import type { Controls } from './controls.ts';
import { repairBody } from './repair-body.ts';

/** Marks a request that the mock's page sent for its reader. */
export const FROM_PAGE = 'x-mock-page';

/** Repeats a request from the journal, repaired. Replaces an expired or revoked token, so that other faults show. */
export async function repeat(recorded: RecordedExchange, repair: Repair, controls: Controls): Promise<Repeated> {
  const repairedBody = repair.fit === 'body' ? await repairBody(recorded, controls) : undefined;
  const call = repaired(recorded, repairedBody ? { ...repair, body: repairedBody.body } : repair, controls);
  const target = call.query === '' ? call.path : `${call.path}?${call.query}`;
  const trail: Trail = { operation: null };
  const { status } = await controls.ask(call, { socket: {}, url: target }, trail);
  return { seq: trail.seq ?? 0, status };
}

function repaired(
  { call }: RecordedExchange,
  { method = call.method, path, token, body }: Repair,
  { tokens, credentials }: Controls,
): ReceivedRequest {
  const [, carried] = /^bearer +(\S+) *$/i.exec(field(call, 'authorization') ?? '') ?? [];
  const isOver = carried !== undefined && ['expired', 'revoked'].includes(tokens.state(carried));
  // marks the request as the page's, not the application's
  const changed = new Map([[FROM_PAGE, 'repeat']]);
  if (token === 'fresh' || isOver) changed.set('authorization', `Bearer ${tokens.issue(credentials.username).value}`);
  const bytes = body === undefined ? call.body : Buffer.from(JSON.stringify(body));
  if (body !== undefined) {
    changed.set('content-type', 'application/json');
    if (call.headers['content-encoding'] !== undefined) changed.set('content-encoding', 'identity');
    changed.set('content-length', String(bytes?.length));
  }
  const rawHeaders = fieldsOf(call.rawHeaders).filter(([name]) => !changed.has(name));
  const [at = '', query = ''] = (path ?? '').split(/\?(.*)/s);
  return {
    ...call,
    ...{ method, body: bytes },
    ...(path !== undefined && { path: at, query }),
    headers: { ...call.headers, ...Object.fromEntries(changed) },
    rawHeaders: [...rawHeaders, ...changed].flat(),
  };
}
