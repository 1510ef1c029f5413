import type { Auth } from '../model/call.ts';
import type { HeaderFields } from '../model/exchange.ts';
import type { AnnouncedCall, AnnouncedCheck } from './announce.ts';
import type { Row, RowRequest } from './protocol.ts';

export function rowOf({ id, kind, skip, calls }: AnnouncedCheck, segment: string): Row {
  const skipped = skip !== null;
  const requests = skipped ? [] : calls.map(requestOf);
  return { id, segment, skipped, isOfMock: kind === 'mock-only', requests };
}

const INSTEAD_OF_A_TOKEN: Partial<Record<Auth, HeaderFields>> = {
  none: [['authorization', '']],
  garbage: [['authorization', 'Bearer garbage-token']],
};

function requestOf(call: AnnouncedCall): RowRequest {
  const { method, target, purpose, auth, times, headers, body } = call;
  return {
    method,
    target,
    headers: Object.fromEntries([...headers, ...(INSTEAD_OF_A_TOKEN[auth] ?? [])]),
    ...(body && { body: Buffer.from(body).toString() }),
    purpose,
    times,
  };
}

export function encoded(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, encodeURIComponent(value)]));
}
