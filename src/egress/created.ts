import type { Operation } from '../contract/contract.ts';
import { type Call, finalAttempt } from '../model/call.ts';
import { type Exchange, header } from '../model/exchange.ts';
import { contentOf } from '../model/media.ts';

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
  const { response } = last;
  if (response === null || response.status < 200 || response.status > 299) return null;
  const old = scalarsOf(last.request);
  for (const value of [...Object.values(before.parameters), ...Object.values(call.parameters)]) old.add(value);
  const id = idIn(last, creates, old) ?? idInLocation(last, before.host, old);
  return id === null ? { id, reason: 'its answer names no new id' } : { id };
}

/** Why nobody knows what became of a request that may have been carried out; null where the answer is there, or it surely was not. */
function lossOf(exchange: Exchange): string | null {
  const { response, failure } = exchange;
  if (response === null) {
    const kept = ['refused', 'dns', 'tls', 'connect-timeout'].includes(failure?.kind ?? '');
    return kept ? null : (failure?.message ?? 'no answer');
  }
  // 501 and 503 say that nothing was done; behind other 5xx the request may have been.
  if (response.status >= 500) return [501, 503].includes(response.status) ? null : `answered ${response.status}`;
  if (response.status < 200 || response.status > 299) return null;
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
  const places: [readonly Readonly<Record<string, unknown>>[], string][] = [
    [[top], wanted],
    [inner, wanted],
    [[top], 'id'],
    // Which of several objects is the new one, `id` does not tell.
    [inner.length === 1 ? inner : [], 'id'],
  ];
  for (const [objects, key] of places) {
    const ids = new Set(objects.flatMap((object) => idsUnder(object, key)));
    const [id] = ids;
    if (id !== undefined) return ids.size === 1 && !old.has(id) ? id : null;
  }
  return null;
}

function idsUnder(object: Readonly<Record<string, unknown>>, name: string): string[] {
  return Object.entries(object).flatMap(([key, value]) => (plainName(key) === name ? scalar(value) : []));
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

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
