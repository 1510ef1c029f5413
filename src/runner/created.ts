import { type Call, finalAttempt, isGood } from '../drift/call.ts';
import { contentOf } from '../drift/media.ts';
import type { Operation } from '../spec/contract.ts';

/** Names that an id of what was just created can have, by area. */
const IDS: Readonly<Record<string, readonly string[]>> = {
  Cards: ['cardId', 'id'],
  Users: ['userId', 'id'],
  Accounts: ['accountId', 'id'],
  Beneficiaries: ['beneficiaryId', 'id'],
};

/**
 * The id of what a creating call made, or null. An id that was part of the request, or that is a parameter of the run, was there
 * before: it never becomes expendable.
 */
export function createdId(
  call: Call,
  operation: Operation,
  parameters: Readonly<Record<string, string>>,
): string | null {
  const last = finalAttempt(call);
  if (operation.effect !== 'write' || operation.method !== 'POST' || !isGood(call) || last === undefined) return null;
  const content = contentOf(last);
  if (content.kind !== 'json' || typeof content.value !== 'object' || content.value === null) return null;
  const body = content.value as Readonly<Record<string, unknown>>;
  const given = new Set([...Object.values(parameters), ...Object.values(call.parameters)]);
  const sent = Buffer.from(last.request.body ?? []).toString('utf8');
  for (const name of IDS[operation.tag] ?? []) {
    const id = body[name];
    if (typeof id === 'string' && id !== '' && !given.has(id) && !sent.includes(JSON.stringify(id))) return id;
  }
  return null;
}
