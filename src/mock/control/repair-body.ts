import { documentFor } from '../../schema/direction.ts';
import { isObject, type Json, nodeAt } from '../../schema/json.ts';
import { parseJson } from '../../text/decode.ts';
import { joinPointer, parsePointer } from '../../text/pointer.ts';
import type { RecordedExchange } from '../http/recorder.ts';
import { isJsonMedia } from '../message/call.ts';
import { PROBLEM_BASE, type Wrong } from '../message/problem.ts';
import type { Controls } from './controls.ts';
import { existingIds } from './state-view.ts';

/** A valid request body, made from a rejected one. */
export interface RepairedBody {
  readonly body: Json;
  /** The changes at the rejected places, in words and with the new value. Never contains a sent value. */
  readonly changes: readonly string[];
}

const TOLD = 5;
/** Refusals for the syntax or type of a body. JSON that satisfies the schema fixes them. */
const OF_FORM = ['invalid-body', 'missing-type', 'unsupported-type'];

/** Repairs a rejected body. Undefined if the body was not the cause, is not JSON, has no schema, or cannot be fixed. */
export async function repairBody(
  { call, answer, trail }: RecordedExchange,
  controls: Controls,
): Promise<RepairedBody | undefined> {
  const { type = '', errors = [], existing } = Object(parseJson(trail.refused ?? String(answer.body))) as Refused;
  const rule = type.replace(PROBLEM_BASE, '');
  const given = parseJson(String(call.body ?? '')) as Json | undefined;
  const shape = given === undefined ? undefined : await shapeOf(trail.operation?.operationId, controls);
  if (given === undefined || shape === undefined) return undefined;
  const places = [...new Set(errors.flatMap(({ pointer }) => pointer ?? []))];
  const good = errors.map(({ pointer = '', maximum }) => [pointer, maximum ?? existing?.[0]] as const);
  const without = (): Json => shape.complete(replaced(given, new Map(places.map((place) => [place, undefined]))));
  // remove unknown members; remove a known member only if no value can replace it
  const candidates = OF_FORM.includes(rule) ? [() => shape.complete(given), without] : [];
  if (rule === 'unknown-member') candidates.push(without);
  else if (good.length > 0 && good.every(([, value]) => value !== undefined))
    candidates.push(() => replaced(given, new Map(good)));
  for (const candidate of candidates) {
    const body = candidate();
    if (!shape.holds(body) || (isSame(body, given) && !rule.endsWith('-type'))) continue;
    return { body, changes: places.slice(0, TOLD).flatMap((place) => changeAt(place, given, body)) };
  }
  return undefined;
}

/** The parts of a refusal that help to repair a body. */
interface Refused {
  readonly type?: string;
  readonly errors?: readonly (Wrong & { readonly maximum?: number })[];
  readonly existing?: readonly string[];
}

/** The smallest valid body of an operation; undefined if it cannot be derived. */
export async function leastBody(operationId: string, controls: Controls): Promise<Json | undefined> {
  const shape = await shapeOf(operationId, controls);
  const least = shape?.complete({});
  return least !== undefined && shape?.holds(least) ? least : undefined;
}

interface Shape {
  holds(body: Json): boolean;
  /** Keeps the valid parts of a body. Missing parts get the id of an existing record, or a made-up value. */
  complete(body: Json): Json;
}

async function shapeOf(operationId: string | undefined, controls: Controls): Promise<Shape | undefined> {
  const contract = await controls.served().contract();
  const { content = [] } = contract.operation(operationId ?? '')?.requestBody ?? {};
  const media = content.find(({ type }) => isJsonMedia(type));
  if (media?.schema === undefined) return undefined;
  const [{ make }, { compilerOf }] = await Promise.all([import('../../schema/make.ts'), import('../../schema/ajv.ts')]);
  const at = joinPointer(media.pointer, 'schema');
  const holds = compilerOf(documentFor(contract.document, 'request'))(at);
  const ids = await existingIds(controls);
  return {
    holds: (body) => holds(body) === true,
    complete(body) {
      const made = make(contract, at, { seed: controls.options.seed ?? 1, like: body });
      if (!isObject(made)) return made;
      const isKept = (name: string): boolean => isObject(body) && isSame(body[name], made[name]);
      const named = Object.entries(made).map(([name, value]) => [name, (!isKept(name) && ids[name]) || value]);
      const withIds = Object.fromEntries(named) as Json;
      return holds(withIds) === true ? withIds : made;
    },
  };
}

function changeAt(place: string, before: Json, after: Json): readonly string[] {
  const is = nodeAt(after, place);
  if (isSame(nodeAt(before, place), is)) return [];
  return [is === undefined ? `no ${place}` : `${place === '' ? 'the body' : place} ${JSON.stringify(is)}`];
}

/** A copy with new values at some places. Undefined removes the place. */
function replaced(value: Json, values: ReadonlyMap<string, Json | undefined>): Json {
  const copy = structuredClone(value) as Json;
  for (const [place, instead] of values) {
    const segments = parsePointer(place) ?? [];
    const last = segments.at(-1);
    const holder = nodeAt(copy, place.slice(0, place.lastIndexOf('/')));
    if (last === undefined || typeof holder !== 'object' || holder === null || Array.isArray(holder)) continue;
    if (instead === undefined) delete (holder as Record<string, Json>)[last];
    else (holder as Record<string, Json>)[last] = instead;
  }
  return copy;
}

function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
