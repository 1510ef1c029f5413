import type { Contract, Operation } from '../../src/contract/contract.ts';
import { type Exchange, header } from '../../src/model/exchange.ts';
import { isObject, type Json, type JsonObject } from '../../src/schema/json.ts';
import { describe } from '../../src/schema/schema-facts.ts';
import { parseJson } from '../../src/text/decode.ts';
import { joinPointer } from '../../src/text/pointer.ts';

export type Ask = (path: string, init: RequestInit) => Promise<Response>;

/** What a reader sees of a record: created, in the list, read by its id, gone after its deletion. */
export type Step = 'create' | 'list' | 'read' | 'delete';

const MARK = 'Made by a test';

/**
 * Creates, lists, reads and deletes one record, and returns the steps that show what was sent.
 *
 * @param sent the requests that `verify` sends, by operationId
 */
export async function journey(
  ask: Ask,
  contract: Contract,
  sent: ReadonlyMap<string, Exchange['request']>,
  path: string,
): Promise<Step[]> {
  const at = (method: string, form: RegExp): Operation | undefined =>
    contract.operations.find((one) => one.method === method && form.test(one.path ?? ''));
  const item = new RegExp(`^${path}/\\{[^/]+\\}$`);
  const [creates, lists] = [at('POST', new RegExp(`^${path}$`)), at('GET', new RegExp(`^${path}$`))];
  const [reads, deletes] = [at('GET', item), at('DELETE', item)];
  const send = async (operation: Operation, url: string, body?: string): Promise<{ status: number; text: string }> => {
    const headers = (sent.get(operation.operationId)?.headers ?? []).filter(
      ([name]) => !['host', 'connection', 'content-length', 'transfer-encoding'].includes(name),
    );
    const init = {
      method: operation.method ?? '',
      headers: headers.map(([name, value]): [string, string] => [name, value]),
    };
    const answer = await ask(url, { ...init, ...(body !== undefined && { body }) });
    return { status: answer.status, text: await answer.text() };
  };
  const first = sent.get(creates?.operationId ?? '');
  if (creates === undefined || reads === undefined || first === undefined) return [];
  for (const body of bodies(contract, creates, first, reads.path?.split('{')[1]?.slice(0, -1) ?? '')) {
    const made = await send(creates, path, write(first, body));
    if (made.status > 299) continue;
    const answer = parseJson(made.text);
    for (const id of idsIn(answer, body)) {
      const url = `${path}/${encodeURIComponent(id)}`;
      const read = await send(reads, url);
      if (read.status !== 200 || !read.text.includes(MARK)) continue;
      const steps: Step[] = ['create', 'read'];
      if (lists && (await send(lists, path)).text.includes(MARK)) steps.push('list');
      if (deletes && (await send(deletes, url)).status < 300 && (await send(reads, url)).status === 404)
        steps.push('delete');
      return steps.sort();
    }
  }
  return [];
}

/** The body of `verify` with a text that no example has: in each member in turn, and with an id if the body may have one. */
function* bodies(
  contract: Contract,
  { requestBody }: Operation,
  request: Exchange['request'],
  parameter: string,
): Generator<JsonObject> {
  const base = read(request);
  const media = requestBody?.content.find(({ type }) => header(request.headers, 'content-type')?.startsWith(type));
  const facts = media && describe(contract, [joinPointer(media.pointer, 'schema')]);
  const id = [parameter, 'id'].find((name) => facts?.properties.has(name));
  const own = id === undefined ? {} : { [id]: facts?.member(id).types.includes('integer') ? 4711 : 'made-4711' };
  const texts = [...(facts?.properties.keys() ?? [])].filter((name) => facts?.member(name).types.includes('string'));
  for (const name of new Set([...Object.keys(base), ...texts])) {
    for (const more of id === undefined ? [{}] : [own, {}]) {
      if (texts.includes(name)) yield { ...base, ...more, [name]: MARK };
      else for (const changed of marked(base[name])) yield { ...base, ...more, [name]: changed };
    }
  }
}

/** Copies of a value, each with one other text. */
function* marked(value: Json | undefined): Generator<Json> {
  if (typeof value === 'string') yield MARK;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, own] of Object.entries(value))
    for (const changed of marked(own))
      yield Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed };
}

function read({ headers, body }: Exchange['request']): JsonObject {
  const text = body === null ? '' : Buffer.from(body).toString();
  if (header(headers, 'content-type')?.includes('form')) return Object.fromEntries(new URLSearchParams(text));
  const value = parseJson(text);
  return isObject(value) ? (value as JsonObject) : {};
}

function write({ headers }: Exchange['request'], body: JsonObject): string {
  if (!header(headers, 'content-type')?.includes('form')) return JSON.stringify(body);
  return `${new URLSearchParams(Object.entries(body).map(([name, value]): [string, string] => [name, String(value)]))}`;
}

function idsIn(answer: unknown, body: JsonObject): Set<string> {
  const values = [answer, body].flatMap((one) => (isObject(one) ? Object.values(one) : []));
  return new Set(
    values.flatMap((one) => (['string', 'number'].includes(typeof one) && one !== MARK ? [String(one)] : [])),
  );
}
