import type { Contract } from '../contract/contract.ts';
import type { JudgedAnswer } from '../judge/responses.ts';
import { type Answer, headerOf, whenReady, withBody, withHeader } from '../mock/message/answer.ts';
import { isJsonMedia, type ReceivedRequest } from '../mock/message/call.ts';
import type { Pipeline } from '../mock/pipeline/pipeline.ts';
import type { ExchangeRequest } from '../model/exchange.ts';
import { isObject, type Json } from '../schema/json.ts';
import { parseJson } from '../text/decode.ts';
import { ABSENT, anotherId, changedAt, HEADER, isId, type Mutation, type Shown, STATUS } from './mutations.ts';

/** Stands between one run of a program and its mock, and changes the good JSON answers. */
export interface Evolver {
  wrap(pipeline: Pipeline): Pipeline;
  /** A request with the ids that the mock knows. */
  restored(request: ExchangeRequest): ExchangeRequest;
  /** The first answers of the mock, before a change. */
  readonly answers: readonly JudgedAnswer[];
}

const MOST_ANSWERS = 50;

/** @param given texts that the program knows before its first request */
export function createEvolver(contract: Contract, mutations: readonly Mutation[], given: readonly string[]): Evolver {
  const answers: JudgedAnswer[] = [];
  const known = wordsOf(given.join('\n'));
  const sent = new Set<string>();
  /** The mock's id for each id that it never gave out. */
  const aliases = new Map<string, Json>();
  /** The first alias of each id. */
  const names = new Map<Json, Json>();
  let hasWritten = false;

  const shown: Shown = {
    isSent: (value) => sent.has(String(value)),
    get hasWritten() {
      return hasWritten;
    },
    renamed(id, number) {
      if (number === undefined && (names.has(id) || known.has(String(id)) || sent.has(String(id))))
        return names.get(id) ?? id;
      const alias = anotherId(id, number);
      aliases.set(String(alias), id);
      if (number === undefined) names.set(id, alias);
      return alias;
    },
  };

  const restoredText = (text: string): string =>
    [...wordsOf(text)].reduce((result, word) => {
      const id = aliases.get(word);
      return id === undefined ? result : result.replaceAll(word, String(id));
    }, text);
  const restoredBytes = <T extends Uint8Array | null>(bytes: T): T | Buffer => {
    if (bytes === null || aliases.size === 0) return bytes;
    const text = Buffer.from(bytes).toString('utf8');
    const restored = restoredText(text);
    return restored === text ? bytes : Buffer.from(restored);
  };

  const evolved = (own: Answer, call: ReceivedRequest, operationId: string): Answer => {
    const operation = contract.operation(operationId);
    const type = headerOf(own, 'content-type')?.split(';')[0] ?? '';
    if (operation === undefined || own.status < 200 || own.status > 299 || !own.body || !isJsonMedia(type)) return own;
    const value = parseJson(own.body.toString()) as Json;
    const { status } = own;
    hasWritten ||= operation.effect !== 'read' && operation.auth !== 'issues';
    if (answers.length < MOST_ANSWERS) answers.push({ operation, status, content: { kind: 'json', value } });
    const mine = mutations.filter((mutation) => mutation.operationId === operationId);
    let result: Json = value;
    for (const { at, change } of mine) {
      const next = changedAt(result, at, (part) => change(part, shown));
      if (next !== ABSENT) result = next;
    }
    const asked = wordsOf(textOf(call));
    const named = withNames(result, (id) => namedIn(asked, id) ?? names.get(id));
    for (const id of idsIn(named)) known.add(String(id));
    let answer =
      JSON.stringify(named) === JSON.stringify(value) ? own : withBody(own, Buffer.from(JSON.stringify(named)));
    if (mine.some(({ kind }) => kind === HEADER)) answer = withHeader(answer, 'x-evolved', '1');
    if (mine.some(({ kind }) => kind === STATUS))
      answer = { ...answer, status: otherStatus(status, operation.effect === 'read') };
    return answer;
  };

  /** The alias of an id by which the program asked for the record. */
  const namedIn = (asked: ReadonlySet<string>, id: Json): Json | undefined => {
    const alias = [...asked].find((word) => aliases.get(word) === id);
    return alias === undefined || typeof id !== 'number' ? alias : Number(alias);
  };

  return {
    answers,
    wrap: (pipeline) => ({
      interrupt: (head) => pipeline.interrupt(head),
      answer(call, trail) {
        for (const word of wordsOf(textOf(call))) sent.add(word);
        const own = { ...call, path: restoredText(call.path), query: restoredText(call.query) };
        own.body = restoredBytes(call.body);
        return whenReady(pipeline.answer(own, trail), (answer) =>
          evolved(answer, call, trail.operation?.operationId ?? ''),
        );
      },
    }),
    restored: (request) => ({
      ...request,
      target: restoredText(request.target),
      body: restoredBytes(request.body),
    }),
  };
}

function textOf({ path, query, body }: ReceivedRequest): string {
  return `${path}\n${query}\n${body?.toString('utf8') ?? ''}`;
}

function wordsOf(text: string): Set<string> {
  return new Set(text.match(/[\w.~-]+/g));
}

/** A read gets 203 (RFC 9110, 15.3.4), and a write gets 201 or 200. */
function otherStatus(status: number, isRead: boolean): number {
  if (isRead) return status === 203 ? 200 : 203;
  return status === 201 ? 200 : 201;
}

function withNames(value: Json, nameOf: (id: Json) => Json | undefined, name = ''): Json {
  if (Array.isArray(value)) return value.map((item) => withNames(item as Json, nameOf, name));
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withNames(member, nameOf, key)]));
  return isId(`/${name}`) ? (nameOf(value) ?? value) : value;
}

function idsIn(value: Json): Json[] {
  const ids: Json[] = [];
  withNames(value, (id) => void ids.push(id));
  return ids;
}
