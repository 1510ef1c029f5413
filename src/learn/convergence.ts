import { isObject } from '../schema/json.ts';
import { digestOf, type ObservedShape } from './observed-shape.ts';
import { createGatherer, type Sighting, type StatusSeen } from './sightings.ts';

export type ConvergenceTracker = ReturnType<typeof trackConvergence>;

export type Convergence = Omit<ConvergenceTracker, 'add'>;

/** An operation whose answers vary is settled after this many answers without news. */
const QUIET = 16;
/** The same if each request got the same answer as before: another request now shows nothing new. */
const SAME = 2;

/** Settled if as many answers brought no news as the current knowledge needed. A different value is not news. */
export function trackConvergence() {
  const gatherer = createGatherer();
  const answersTo = new Map<string, string>();
  const all = new Set<string>();
  let answers = 0;
  let quiet = 0;
  let known = '';
  let varies = false;
  return {
    /** @param request identifies the request, because equal requests can get different answers */
    add(sighting: Sighting, request: string): void {
      answers += 1;
      gatherer.add(sighting);
      const digest = digestOf([sighting.status, sighting.type, lasting(sighting.json?.value)]);
      all.add(digest);
      const before = answersTo.get(request);
      if (before !== undefined && before !== digest) varies = true;
      answersTo.set(request, digest);
      const now = [...(gatherer.sightings.get(sighting.operationId) ?? [])].map(statusText).sort().join();
      quiet = now === known ? quiet + 1 : 0;
      known = now;
    },
    get answers() {
      return answers;
    },
    get different() {
      return all.size;
    },
    get quiet() {
      return quiet;
    },
    get settled() {
      if (!varies) return quiet >= SAME * answersTo.size;
      return quiet >= Math.max(QUIET, answers / 2);
    },
  };
}

/** Members that change with each answer. They do not make it a different record. */
const OF_THE_ANSWER =
  /^(?:(?:request|correlation|trace|span|response|message)_?-?ids?|(?:generated|served|responded|response|request|server|current)_?-?(?:at|on|time|date|timestamp)|timestamp|nonce|took|(?:elapsed|duration)(?:_?ms)?)$/i;

/** A value without these members, except inside lists: in an item they may be data. */
function lasting(value: unknown): unknown {
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([name]) => !OF_THE_ANSWER.test(name));
  return Object.fromEntries(members.map(([name, member]) => [name, lasting(member)]));
}

function statusText([status, { empty, bodies }]: [number, StatusSeen]): string {
  const types = [...bodies].map(([type, seen]) => `${type} ${seen === null ? '' : textOf(seen)}`);
  return `${status}${empty > 0 ? ' empty' : ''} ${types.sort().join()}`;
}

function textOf({ types, fields, items, texts }: ObservedShape): string {
  const inside = [...fields].map(
    ([name, field]) => `${JSON.stringify(name)}${field.out > 0 ? '?' : ''}${textOf(field)}`,
  );
  const forms = types.has('string') ? [...texts.forms].join(' ') : '';
  return `(${[...types.keys()].sort().join('|')} ${forms}{${inside.sort().join()}}[${items === null ? '' : textOf(items)}])`;
}
