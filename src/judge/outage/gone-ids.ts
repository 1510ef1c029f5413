import { collectionOf, collectionsOf } from '../../contract/collections.ts';
import type { Contract } from '../../contract/contract.ts';
import { serviceOf } from '../../contract/services.ts';
import { type Call, finalAttempt } from '../../model/call.ts';
import { header } from '../../model/exchange.ts';
import { jsonIn } from '../../model/media.ts';
import { isObject } from '../../schema/json.ts';
import { listIn } from '../responses.ts';
import { type Evidence, formsIn, sameParameters, seqOf } from './evidence.ts';

interface GoneIds {
  readonly names: readonly string[];
  /** Operations whose lists lack the ids. Empty if enough operations agree without a list. */
  readonly lists: readonly string[];
}

interface Asked {
  readonly name: string;
  readonly value: string;
  readonly calls: readonly Call[];
}

export type Ids = ReturnType<typeof weighIds>;

/**
 * Weighs whether the ids of requests that got a 404 still exist. A sandbox reset removes ids, a withdrawal does not.
 * A good answer alone is no proof, because an operation may answer any id.
 */
export function weighIds(missing: readonly Call[], { contract, good, goodOf }: Evidence) {
  const missed = byId(missing);
  const served = byId(missing.length === 0 ? [] : good);
  const shown = new Map<string, boolean>();

  /** Whether an answer shows an id that its own request did not contain. */
  function isShown(name: string, value: string): boolean {
    const id = keyOf(name, value);
    const isFound = shown.get(id) ?? good.some((call) => call.parameters[name] !== value && answerHolds(call, value));
    shown.set(id, isFound);
    return isFound;
  }

  function formsWith(ids: ReadonlyMap<string, Asked>, id: string): number {
    return formsIn((ids.get(id)?.calls ?? []).map(idOf), contract).size;
  }

  /** True if at least as many operations reject an id as answer it. One operation alone may be withdrawn. */
  function isOutweighed(name: string, value: string): boolean {
    const id = keyOf(name, value);
    const rejecting = formsWith(missed, id);
    return rejecting > 1 && rejecting >= formsWith(served, id) && !isShown(name, value);
  }

  function goneIds(): GoneIds {
    const names = new Set<string>();
    const lists = new Set<string>();
    for (const { name, value, calls } of missed.values()) {
      const since = Math.min(...calls.map(seqOf));
      const reads = contract.operations.filter(({ path }) => path?.endsWith(`{${name}}`));
      const isRead = ({ operationId }: Call): boolean => reads.some((read) => read.operationId === operationId);
      const isServed = reads.some((read) =>
        goodOf(read.operationId).some((call) => call.parameters[name] === value && seqOf(call) > since),
      );
      const tries = calls.filter(isRead).flatMap(({ attempts }) => attempts);
      if (isServed || tries.length === 1) continue;
      const found = good.filter((call) => isListOf(call, name, calls, contract));
      if (found.some((call) => answerHolds(call, value))) continue;
      const whole = found.filter(isWhole);
      for (const { operationId } of whole) lists.add(operationId);
      // one service alone may be out
      const services = new Set(calls.map(({ operationId }) => serviceOf(contract, operationId)));
      const isElsewhere = (call: Call): boolean => !(name in call.parameters) && seqOf(call) > since;
      const isUnknown = services.size > 1 && isOutweighed(name, value) && good.some(isElsewhere);
      if (whole.length > 0 || isUnknown) names.add(name);
    }
    return { names: [...names], lists: [...lists] };
  }

  return {
    gone: goneIds(),
    /** Whether other operations answer the same ids, and most of them. */
    areServed({ operationId, parameters }: Call): boolean {
      const ids = Object.entries(parameters);
      const candidates = served.get(keyOf(...(ids[0] ?? ['', ''])))?.calls ?? good;
      const isOther = (other: Call): boolean => ![operationId, contract.token?.operationId].includes(other.operationId);
      const isAnswered = candidates.some((other) => isOther(other) && sameParameters({ parameters }, other));
      return isAnswered && !ids.some(([name, value]) => isOutweighed(name, value));
    },
    /** Names of the ids that nothing else of the run knows. */
    unknownIn({ parameters }: Call): string[] {
      const isUnknown = ([name, value]: [string, string]): boolean =>
        isOutweighed(name, value) || !(served.has(keyOf(name, value)) || isShown(name, value));
      return Object.entries(parameters)
        .filter(isUnknown)
        .map(([name]) => name);
    },
  };
}

function keyOf(name: string, value: string): string {
  return JSON.stringify([name, value]);
}

const idOf = ({ operationId }: Call): string => operationId;

function byId(calls: readonly Call[]): ReadonlyMap<string, Asked> {
  const found = new Map<string, Asked & { readonly calls: Call[] }>();
  for (const call of calls) {
    for (const [name, value] of Object.entries(call.parameters)) {
      const key = keyOf(name, value);
      const asked = found.get(key) ?? { name, value, calls: [] };
      asked.calls.push(call);
      found.set(key, asked);
    }
  }
  return found;
}

function isListOf(call: Call, name: string, asked: readonly Call[], contract: Contract): boolean {
  const operation = contract.operation(call.operationId);
  if (operation?.effect !== 'read' || name in call.parameters) return false;
  const collection = collectionOf(operation);
  if (collection === null || !collectionsOf(contract, name).has(collection)) return false;
  const isOfTheSame = asked.some(({ parameters }) =>
    Object.entries(call.parameters).every(([key, value]) => parameters[key] === undefined || parameters[key] === value),
  );
  return isOfTheSame && listIn(jsonIn(finalAttempt(call))) !== null;
}

/** Whether a list has no further page, as far as its envelope shows. A full page may have a next one. */
function isWhole(call: Call): boolean {
  const last = finalAttempt(call);
  const value = jsonIn(last);
  const items = listIn(value)?.items.length ?? 0;
  const hints = isObject(value) ? [value, ...Object.values(value).filter(isObject)].flatMap(Object.entries) : [];
  const having = (name: RegExp): unknown[] => hints.filter(([own]) => name.test(own)).map(([, hint]) => hint);
  const counts = (name: RegExp): number[] => having(name).filter((hint) => typeof hint === 'number');
  if (/rel="?next\b/i.test(header(last?.response?.headers ?? [], 'link') ?? '')) return false;
  if (having(/next|more|cursor|continu/i).some(Boolean) || counts(/pages$/i).some((pages) => pages > 1)) return false;
  const totals = counts(/^(total|count)|(total|count|elements)$/i);
  if (totals.length > 0) return totals.every((total) => total <= items);
  const sizes = counts(/limit|size|per_?page/i);
  return sizes.length > 0 ? sizes.every((size) => items < size) : items === 0 || items % USUAL_PAGE > 0;
}

/** Usual pages have a multiple of this many items. */
const USUAL_PAGE = 10;

function answerHolds(call: Call, id: string): boolean {
  const waiting = [jsonIn(finalAttempt(call))];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value === 'object' && value !== null) for (const child of Object.values(value)) waiting.push(child);
    else if (value !== undefined && String(value) === id) return true;
  }
  return false;
}
