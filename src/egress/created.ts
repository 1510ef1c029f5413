import { hash } from 'node:crypto';
import { type Contract, type JsonObject, type Operation, remembered } from '../contract/contract.ts';
import { isObject } from '../contract/schema-facts.ts';
import type { Call } from '../model/call.ts';
import { type Exchange, is2xx } from '../model/exchange.ts';
import { contentOf, isBeyondLimits } from '../model/media.ts';
import { isUnread } from './retry.ts';

/** What a creating call left behind: something with this id, or something (perhaps) whose id nobody can tell. */
export type Creation = { readonly id: string } | { readonly id: null; readonly reason: string };

/** More ids than this are not remembered. Nobody can tell then what was there before, and nothing counts as created. */
const MOST_IDS = 100_000;

export type NotedCall = Pick<Call, 'attempts' | 'auth' | 'operationId' | 'parameters'>;

export function createCreations(contract: () => Contract, most: number = MOST_IDS) {
  const seen = new Set<string>();
  const created = new Set<string>();
  let tooMany = false;
  // A hash: the ids of 100,000 records could be long.
  const keyOf = (id: string): string => hash('sha256', id, 'base64').slice(0, 16);
  const remember = (id: string): void => {
    if (seen.size >= most) tooMany ||= !seen.has(keyOf(id));
    else seen.add(keyOf(id));
  };
  const isOld = (id: string): boolean => seen.has(keyOf(id));

  return {
    /**
     * What a call created, or null if it created nothing. An id that an earlier answer showed, or that a parameter or path held, is not new.
     *
     * @param parameters of the run
     */
    note(call: NotedCall, parameters: Readonly<Record<string, string>>): Creation | null {
      for (const value of Object.values({ ...parameters, ...call.parameters })) remember(value);
      for (const { request } of call.attempts) for (const part of partsOf(request.target)) remember(part);
      const operation = contract().operation(call.operationId);
      const creation = operation ? createdBy(call, operation, isOld) : null;
      if (creation !== null && creation.id !== null) created.add(creation.id);
      const names = namesOfIds(contract());
      for (const attempt of call.attempts) {
        const content = contentOf(attempt);
        if (content.kind === 'json') {
          for (const [name, value] of scalarsIn(content.value)) {
            if (names.has(plainName(name))) for (const id of scalar(value)) remember(id);
          }
        }
        // An answer that is too large to read shows more ids than anybody remembers.
        else if (isBeyondLimits(content)) tooMany = true;
      }
      return creation;
    },
    has: (id: string): boolean => !tooMany && created.has(id),
    get doubt(): string | null {
      return tooMany ? `it saw more than ${most} ids and cannot identify new ones` : null;
    },
  };
}

const namesOfIds = remembered(
  ({ operations }) => new Set(['id', ...operations.map(({ creates }) => plainName(creates ?? 'id'))]),
);

function partsOf(target: string): string[] {
  return target.split(/[/?&=]/).flatMap((part) => (part === '' ? [] : (decoded(part) ?? part)));
}

function* scalarsIn(body: unknown): Generator<readonly [name: string, value: unknown]> {
  const waiting: (readonly [string, unknown])[] = [['', body]];
  for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
    const [, value] = entry;
    if (typeof value === 'object' && value !== null) for (const member of Object.entries(value)) waiting.push(member);
    else yield entry;
  }
}

function createdBy(call: NotedCall, { creates }: Operation, isOld: (id: string) => boolean): Creation | null {
  const last = call.attempts.at(-1);
  if (creates === null || last === undefined) return null;
  const lost = lossOf(last);
  if (lost !== null) {
    return call.auth === 'token'
      ? { id: null, reason: `its answer was lost (${lost}); it may have been created` }
      : null;
  }
  if (!is2xx(last.response?.status ?? 0)) return null;
  const sent = scalarsOf(last.request);
  const id = idIn(last, creates, (text) => !isOld(text) && !sent.has(text));
  return id === null ? { id, reason: 'its answer names no new id' } : { id };
}

/** Why nobody knows what became of a request that may have been carried out; null where the answer is there, or it surely was not. */
function lossOf(exchange: Exchange): string | null {
  const { response, failure } = exchange;
  if (response === null) return isUnread(exchange) ? null : (failure?.message ?? 'no answer');
  // 501 and 503 say that nothing was done; behind other 5xx the request may have been.
  if (response.status >= 500) return [501, 503].includes(response.status) ? null : `answered ${response.status}`;
  if (!is2xx(response.status)) return null;
  const content = contentOf(exchange);
  if (content.kind === 'html') return `answered ${response.status} with HTML`;
  return content.kind === 'broken' ? `the body is ${content.why}` : null;
}

/** The id in the body: under its own name, at the top or one level down, else as `id`; null where that is none, or not one only. */
function idIn(exchange: Exchange, name: string, isNew: (id: string) => boolean): string | null {
  const content = contentOf(exchange);
  if (content.kind !== 'json') return null;
  const [top] = Array.isArray(content.value) && content.value.length === 1 ? content.value : [content.value];
  if (!isObject(top)) return null;
  const inner = Object.values(top).filter(isObject);
  const wanted = plainName(name);
  const found = [
    idsUnder([top], wanted),
    idsUnder(inner, wanted),
    idsUnder([top], 'id'),
    // Which of several objects is the new one, `id` does not tell.
    idsUnder(inner.length === 1 ? inner : [], 'id'),
  ].find(({ size }) => size > 0);
  const [id = null] = found ?? [];
  return id === null || found?.size !== 1 || !isNew(id) ? null : id;
}

function idsUnder(objects: readonly JsonObject[], name: string): Set<string> {
  const members = objects.flatMap((object) => Object.entries(object));
  return new Set(members.flatMap(([key, value]) => (plainName(key) === name ? scalar(value) : [])));
}

/** A larger number has lost digits on the way here and names something else. */
function scalar(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return typeof value === 'number' && Number.isSafeInteger(value) ? [String(value)] : [];
}

/** `order_id`, `OrderID` and `orderId` are one. */
function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** Every text and number that a request has in its body; of what is no JSON, every word. */
function scalarsOf(request: Exchange['request']): Set<string> {
  const text = Buffer.from(request.body ?? []).toString('utf8');
  try {
    const body: unknown = JSON.parse(text === '' ? 'null' : text);
    return new Set(scalarsIn(body).map(([, value]) => String(value)));
  } catch {
    return new Set(text.match(/[\w.-]+/g) ?? []);
  }
}
