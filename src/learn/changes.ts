import { isObject, type Json, type JsonObject, listOf, objectOf } from '../schema/json.ts';
import { joinPointer } from '../text/pointer.ts';
import { compare } from '../text/words.ts';
import { schemaParts } from './read-back.ts';

interface Line {
  readonly target: string;
  readonly place: string;
  readonly what: string;
}

export interface Change extends Line {
  readonly sign: '+' | '-' | '~';
}

/** Differences of a newer recording from an older one. Sample counts do not matter. */
export function changesBetween(older: Json | undefined, newer: Json | undefined): Change[] {
  const before = linesOf(older);
  const after = linesOf(newer);
  const changes: Change[] = [];
  for (const [key, line] of after) {
    const was = before.get(key);
    if (was === undefined) {
      if (!isInside(key, after, before)) changes.push({ sign: '+', ...line });
    } else if (was.what !== line.what) changes.push({ sign: '~', ...line, what: `${was.what} → ${line.what}` });
  }
  for (const [key, line] of before) {
    if (!after.has(key) && !isInside(key, before, after)) changes.push({ sign: '-', ...line });
  }
  return changes.sort((a, b) => compare(a.target, b.target) || compare(a.place, b.place));
}

function isInside(key: string, here: ReadonlyMap<string, Line>, there: ReadonlyMap<string, Line>): boolean {
  for (let at = key.lastIndexOf('/'); at > 0; at = key.lastIndexOf('/', at - 1)) {
    const around = key.slice(0, at);
    if (here.has(around) && !there.has(around)) return true;
  }
  return false;
}

function linesOf(overlay: Json | undefined): Map<string, Line> {
  const lines = new Map<string, Line>();
  for (const { target, update } of listOf(objectOf(overlay).actions).map(objectOf)) {
    if (typeof target !== 'string') continue;
    for (const [status, response] of Object.entries(objectOf(objectOf(update).responses))) {
      const content = objectOf(objectOf(response).content);
      const types = Object.keys(content);
      lines.set(`${target} ${status}`, { target, place: status, what: types.join(', ') || 'no body' });
      for (const { schema } of Object.values(content).map(objectOf)) {
        if (isObject(schema))
          walk(schema, '', true, (at, what) => {
            lines.set(`${target} ${status}${at}`, { target, place: `${status} ${at || 'body'}`, what });
          });
      }
    }
  }
  return lines;
}

function walk(schema: JsonObject, at: string, always: boolean, add: (at: string, what: string) => void): void {
  const parts = schemaParts(schema);
  const word = (name: string): Json | undefined => parts.find((part) => part[name] !== undefined)?.[name];
  if (at !== '' || word('type') !== undefined)
    add(at === '' ? '/' : at, describe(word) + (always ? '' : ', not always there'));
  const required = new Set(parts.flatMap((part) => listOf(part.required).map(String)));
  for (const part of parts) {
    for (const [name, child] of Object.entries(objectOf(part.properties))) {
      if (isObject(child)) walk(child, joinPointer(at, name), required.has(name), add);
    }
    for (const inner of [part.items, part.additionalProperties]) if (isObject(inner)) walk(inner, `${at}/*`, true, add);
  }
  const named = new Set(parts.flatMap((part) => Object.keys(objectOf(part.properties))));
  for (const name of required) if (!named.has(name)) add(joinPointer(at, name), 'documented, always there');
}

function describe(word: (name: string) => Json | undefined): string {
  const type = word('type');
  const types = Array.isArray(type) ? type.join(' or ') : typeof type === 'string' ? type : 'any';
  if (word('x-only-null') === true) return 'null so far';
  if (word('x-always-there') === true) return 'documented, always there so far';
  const otherwise = word('x-contradicts-reference');
  if (isObject(otherwise)) return `${describe((name) => otherwise[name])}, against the reference`;
  const form = word('format') ?? word('pattern');
  const words = word('enum');
  return [
    types,
    ...(typeof form === 'string' ? [form] : []),
    ...(Array.isArray(words) ? [`one of ${words.map(String).join(', ')}`] : []),
  ].join(', ');
}
