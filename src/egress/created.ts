import type { JsonObject, Operation } from '../contract/contract.ts';
import { isObject } from '../contract/schema-facts.ts';
import { type Call, finalAttempt } from '../model/call.ts';
import { type Exchange, header, is2xx } from '../model/exchange.ts';
import { contentOf } from '../model/media.ts';
import { isUnread } from './retry.ts';

/** What is known of a run before one of its calls. */
interface Before {
  /** Parameters of the run: they name what was there before. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Host (with port where it has one) of the target. */
  readonly host: string;
}

/** What a creating call left behind: something with this id, or something (perhaps) whose id nobody can tell. */
export type Creation = { readonly id: string } | { readonly id: null; readonly reason: string };

/**
 * What a call created, or null where it created nothing. An id that was part of the request, or that is a parameter of the run, was
 * there before: it is never told as created, and so never becomes expendable.
 */
export function createdBy(call: Call, operation: Operation, before: Before): Creation | null {
  const { creates } = operation;
  const last = finalAttempt(call);
  if (creates === null || last === undefined) return null;
  const lost = lossOf(last);
  if (lost !== null) {
    return call.auth === 'token'
      ? { id: null, reason: `its answer was lost (${lost}); it may have been created` }
      : null;
  }
  if (!is2xx(last.response?.status ?? 0)) return null;
  const old = scalarsOf(last.request);
  for (const value of [...Object.values(before.parameters), ...Object.values(call.parameters)]) old.add(value);
  const id = idIn(last, creates, old) ?? idInLocation(last, before.host, old);
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
function idIn(exchange: Exchange, name: string, old: ReadonlySet<string>): string | null {
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
  return id === null || found?.size !== 1 || old.has(id) ? null : id;
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

/** The last segment of the `Location` of a 201 (RFC 9110, 15.3.2), where it lies in a collection that the request's path names too. */
function idInLocation({ request, response }: Exchange, host: string, old: ReadonlySet<string>): string | null {
  const location = header(response?.headers ?? [], 'location');
  if (response?.status !== 201 || location === undefined) return null;
  const url = URL.parse(location, `https://${host}${request.target}`);
  if (url === null || url.host !== host) return null;
  const asked = segmentsOf(request.target.split('?', 1)[0] ?? '');
  const [collection, id] = segmentsOf(url.pathname).slice(-2);
  if (collection === undefined || id === undefined || !asked.includes(collection)) return null;
  return asked.includes(id) || old.has(id) ? null : id;
}

function segmentsOf(path: string): string[] {
  try {
    return path
      .split('/')
      .filter((part) => part !== '')
      .map(decodeURIComponent);
  } catch {
    return [];
  }
}

/** Every text and number that a request has in its body; of what is no JSON, every word. */
function scalarsOf(request: Exchange['request']): Set<string> {
  const text = Buffer.from(request.body ?? []).toString('utf8');
  const found = new Set<string>();
  let waiting: unknown[];
  try {
    waiting = [JSON.parse(text === '' ? 'null' : text)];
  } catch {
    return new Set(text.match(/[\w.-]+/g) ?? []);
  }
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) waiting.push(item);
    else found.add(String(value));
  }
  return found;
}
