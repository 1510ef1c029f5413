import type { Contract, Operation } from '../../contract/contract.ts';
import { serviceOf } from '../../contract/services.ts';
import { type Call, finalAttempt } from '../../model/call.ts';
import { contentOf } from '../../model/media.ts';
import { listIn } from '../responses.ts';

export interface GoneIds {
  readonly names: readonly string[];
  /** Operations whose lists lack the ids. Empty if enough operations agree without a list. */
  readonly lists: readonly string[];
}

/** If this many operations of several services do not know an id, there is no other explanation. */
const ENOUGH = 3;

/**
 * Ids that the target no longer has. Operations that take the id answer 404, no later call with it succeeds, and a list
 * of the same run lacks it. A sandbox reset is one reason.
 *
 * @param missing calls that got a 404
 * @param good calls that got a good answer
 */
export function goneIds(missing: readonly Call[], good: readonly Call[], contract: Contract): GoneIds {
  const names = new Set<string>();
  const lists = new Set<string>();
  const pairs = new Map(
    missing.flatMap(({ parameters }) =>
      Object.entries(parameters).map(([name, value]) => [JSON.stringify([name, value]), [name, value] as const]),
    ),
  );
  for (const [name, value] of pairs.values()) {
    const own = missing.filter(({ parameters }) => parameters[name] === value);
    const since = Math.min(...own.map(seqOf));
    if (good.some((call) => call.parameters[name] === value && seqOf(call) > since)) continue;
    const shown = good.filter((call) => isListOf(call, name, own, contract));
    if (shown.length > 0) {
      if (shown.some((call) => answerHolds(call, value))) continue;
      for (const { operationId } of shown) lists.add(operationId);
      names.add(name);
    } else if (
      isUnknownToAll(own, contract) &&
      good.some((call) => !(name in call.parameters) && seqOf(call) > since)
    ) {
      names.add(name);
    }
  }
  return { names: [...names], lists: [...lists] };
}

function isUnknownToAll(calls: readonly Call[], contract: Contract): boolean {
  const operations = new Set(calls.map(({ operationId }) => operationId));
  const services = new Set([...operations].map((id) => serviceOf(contract, id)));
  return operations.size >= ENOUGH && services.size > 1;
}

export function seqOf(call: Call): number {
  return finalAttempt(call)?.seq ?? 0;
}

function isListOf(call: Call, name: string, asked: readonly Call[], contract: Contract): boolean {
  const operation = contract.operation(call.operationId);
  const last = finalAttempt(call);
  if (operation?.effect !== 'read' || name in call.parameters || last === undefined) return false;
  const collection = lastWord(operation);
  if (collection === null || !collectionsOf(contract, name).has(collection)) return false;
  const isOfTheSame = asked.some(({ parameters }) =>
    Object.entries(call.parameters).every(([key, value]) => parameters[key] === undefined || parameters[key] === value),
  );
  const content = contentOf(last);
  return isOfTheSame && content.kind === 'json' && listIn(content.value) !== null;
}

function lastWord({ path }: Operation): string | null {
  const last = path?.split('/').at(-1) ?? '';
  return last === '' || last.includes('{') ? null : singular(last);
}

function collectionsOf({ operations }: Contract, name: string): Set<string> {
  return new Set(
    operations.flatMap(({ path }) => {
      const segments = path?.split('/') ?? [];
      const before = segments[segments.indexOf(`{${name}}`) - 1] ?? '';
      return before === '' || before.includes('{') ? [] : [singular(before)];
    }),
  );
}

function singular(word: string): string {
  return word.toLowerCase().replace(/ies$/, 'y').replace(/s$/, '');
}

export function answerHolds(call: Call, id: string): boolean {
  const last = finalAttempt(call);
  const content = last === undefined ? null : contentOf(last);
  const waiting: unknown[] = content?.kind === 'json' ? [content.value] : [];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value === 'object' && value !== null) for (const child of Object.values(value)) waiting.push(child);
    else if (String(value) === id) return true;
  }
  return false;
}
