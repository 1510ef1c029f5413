import type { Contract } from '../contract/contract.ts';
import type { Intent, Write } from './intents.ts';

/** RFC 9110, 9.2.2: methods whose repetition has no further effect. */
const IDEMPOTENT: ReadonlySet<string | null | undefined> = new Set(['PUT', 'DELETE']);

/**
 * How often each intent took effect. A repeated PUT or DELETE took effect again only if another write changed the
 * resource in between, because then it restores an old state.
 *
 * @param writes in the order of arrival
 */
export function effectsOf(intents: readonly Intent[], writes: readonly Write[], contract: Contract) {
  const intentOf = new Map(intents.flatMap((intent) => intent.sent.map((write) => [write, intent] as const)));
  const latest = new Map<string, Intent | undefined>();
  const changes = new Map<Intent | undefined, number>();
  for (const write of writes.filter(({ acted }) => acted)) {
    const intent = intentOf.get(write);
    const resource = resourceOf(write, contract);
    if (latest.get(resource) !== intent) changes.set(intent, (changes.get(intent) ?? 0) + 1);
    latest.set(resource, intent);
  }
  return (intent: Intent): number => {
    const acts = intent.sent.filter(({ acted }) => acted).length;
    const isIdempotent = IDEMPOTENT.has(contract.operation(intent.group.operationId)?.method);
    return isIdempotent && acts > intent.intended ? Math.max(intent.intended, changes.get(intent) ?? 0) : acts;
  };
}

/** The path of a write up to its last id: operations below it change the same resource. The intent if it has a name. */
function resourceOf({ operationId, members, intent }: Write, contract: Contract): string {
  if (intent !== undefined) return intent;
  const template = contract.operation(operationId)?.path?.split('/') ?? [];
  const end = template.findLastIndex((segment) => segment.startsWith('{')) + 1;
  const path = members.get('path')?.split('/') ?? [];
  return path.slice(0, end === 0 ? path.length : end).join('/');
}
