import { hash } from 'node:crypto';
import type { Contract, Operation } from '../contract/contract.ts';
import type { Call } from '../model/call.ts';
import { type Exchange, is2xx } from '../model/exchange.ts';
import { contentOf, isBeyondLimits } from '../model/media.ts';
import { isObject, type JsonObject } from '../schema/json.ts';
import { remembered } from '../schema/schema-document.ts';
import { decodePercent, parseJson } from '../text/decode.ts';
import { isUnread } from './retry.ts';

/** A record that a call created, or may have created. The id is null if it is unknown. */
export type Creation = { readonly id: string } | { readonly id: null; readonly reason: string };

export interface Made extends Pick<Call, 'parameters'> {
  readonly operation: Operation;
  readonly creation: Creation;
}

/** More ids than this are not remembered. After that, new ids cannot be identified, so no record counts as created. */
const MOST_IDS = 100_000;

export type NotedCall = Pick<Call, 'attempts' | 'auth' | 'operationId' | 'parameters'>;

export function createCreations(contract: () => Contract, most: number = MOST_IDS) {
  const seen = new Set<string>();
  const made: Made[] = [];
  let tooMany = false;
  // A hash, because the ids of 100,000 records could be long.
  const keyOf = (id: string): string => hash('sha256', id, 'base64').slice(0, 16);
  const remember = (id: string): void => {
    if (seen.size >= most) tooMany ||= !seen.has(keyOf(id));
    else seen.add(keyOf(id));
  };
  const isOld = (id: string): boolean => seen.has(keyOf(id));

  return {
    /**
     * The record that a call created, or null. An id is not new if an earlier answer, a parameter or a path had it.
     *
     * @param parameters of the run
     */
    note(call: NotedCall, parameters: Readonly<Record<string, string>>): Creation | null {
      for (const value of Object.values({ ...parameters, ...call.parameters })) remember(value);
      for (const { request } of call.attempts) for (const part of partsOf(request.target)) remember(part);
      const operation = contract().operation(call.operationId);
      const creation = operation ? createdBy(call, operation, isOld) : null;
      if (operation && creation) made.push({ operation, creation, parameters: call.parameters });
      const names = namesOfIds(contract());
      for (const attempt of call.attempts) {
        const content = contentOf(attempt);
        if (content.kind === 'json') {
          for (const [name, value] of scalarsIn(content.value)) {
            if (names.has(plainName(name))) for (const id of scalar(value)) remember(id);
          }
        }
        // An answer that is too large to read contains more ids than we remember.
        else if (isBeyondLimits(content)) tooMany = true;
      }
      return creation;
    },
    made: made as readonly Made[],
    has: (id: string): boolean => !tooMany && made.some(({ creation }) => creation.id === id),
    get doubt(): string | null {
      return tooMany ? `it saw more than ${most} ids and cannot identify new ones` : null;
    },
  };
}

const namesOfIds = remembered(
  ({ operations }: Contract) => new Set(['id', ...operations.map(({ creates }) => plainName(creates ?? 'id'))]),
);

function partsOf(target: string): string[] {
  return target.split(/[/?&=]/).flatMap((part) => (part === '' ? [] : (decodePercent(part) ?? part)));
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

/** Why the outcome of a request is unknown. Null if it has an answer or was certainly not carried out. */
function lossOf(exchange: Exchange): string | null {
  const { response, failure } = exchange;
  if (response === null) return isUnread(exchange) ? null : (failure?.message ?? 'no answer');
  // 501 and 503 mean that nothing was done. Other 5xx may come after the request was carried out.
  if (response.status >= 500) return [501, 503].includes(response.status) ? null : `answered ${response.status}`;
  if (!is2xx(response.status)) return null;
  const content = contentOf(exchange);
  if (content.kind === 'html') return `answered ${response.status} with HTML`;
  return content.kind === 'broken' ? `the body is ${content.why}` : null;
}

/** The id in the body: by its own name at the top or one level down, else as `id`. Null unless exactly one is found. */
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
    // With several objects, `id` does not show which one is new.
    idsUnder(inner.length === 1 ? inner : [], 'id'),
  ].find(({ size }) => size > 0);
  const [id = null] = found ?? [];
  return id === null || found?.size !== 1 || !isNew(id) ? null : id;
}

function idsUnder(objects: readonly JsonObject[], name: string): Set<string> {
  const members = objects.flatMap((object) => Object.entries(object));
  return new Set(members.flatMap(([key, value]) => (plainName(key) === name ? scalar(value) : [])));
}

/** A larger number has lost digits in parsing and names a different record. */
function scalar(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return typeof value === 'number' && Number.isSafeInteger(value) ? [String(value)] : [];
}

/** `order_id`, `OrderID` and `orderId` are the same. */
function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Every text and number in the JSON body of a request, or every word of any other body. */
function scalarsOf(request: Exchange['request']): Set<string> {
  const text = Buffer.from(request.body ?? []).toString('utf8');
  const body = parseJson(text);
  return new Set(body === undefined ? text.match(/[\w.-]+/g) : scalarsIn(body).map(([, value]) => String(value)));
}
