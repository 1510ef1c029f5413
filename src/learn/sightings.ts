import { type Call, finalAttempt, mustBeRefused } from '../model/call.ts';
import { header, is2xx } from '../model/exchange.ts';
import { contentOf, mediaType } from '../model/media.ts';
import { createObservedShape, learnValue, type ObservedShape } from './observed-shape.ts';

export interface Sighting {
  readonly operationId: string;
  readonly status: number;
  /** Media type without parameters; null for an empty body or one without a type. */
  readonly type: string | null;
  readonly json?: { readonly value: unknown };
  readonly empty: boolean;
  readonly askedWithBody?: boolean;
  /** Day of the answer (UTC), in traffic of several nights. A run is one night. */
  readonly night?: string;
}

export interface StatusSeen {
  samples: number;
  empty: number;
  askedWithBody: number;
  readonly bodies: Map<string, ObservedShape | null>;
}

export type Sightings = ReadonlyMap<string, ReadonlyMap<number, StatusSeen>>;

export function createGatherer() {
  const operations = new Map<string, Map<number, StatusSeen>>();
  return {
    sightings: operations as Sightings,
    add(sighting: Sighting): void {
      if (!isTelling(sighting.status)) return;
      const statuses = operations.get(sighting.operationId) ?? new Map<number, StatusSeen>();
      operations.set(sighting.operationId, statuses);
      const seen = statuses.get(sighting.status) ?? { samples: 0, empty: 0, askedWithBody: 0, bodies: new Map() };
      statuses.set(sighting.status, seen);
      seen.samples += 1;
      if (sighting.askedWithBody === true) seen.askedWithBody += 1;
      if (sighting.empty) seen.empty += 1;
      else if (sighting.type !== null) addBody(seen, sighting.type, sighting);
    },
  };
}

export function gather(sightings: Iterable<Sighting>): Sightings {
  const gatherer = createGatherer();
  for (const sighting of sightings) gatherer.add(sighting);
  return gatherer.sightings;
}

function addBody(seen: StatusSeen, type: string, { json, night }: Sighting): void {
  if (json === undefined) {
    if (!seen.bodies.has(type)) seen.bodies.set(type, null);
    return;
  }
  const body = seen.bodies.get(type) ?? createObservedShape();
  seen.bodies.set(type, body);
  learnValue(body, json.value, night);
}

/** Successes, and errors of the operation itself. 401 is documented, 408 and 429 are temporary. */
function isTelling(status: number): boolean {
  return is2xx(status) || (status >= 400 && status < 500 && ![401, 408, 429].includes(status));
}

export function sightingsOf(calls: readonly Call[]): Sighting[] {
  return calls.flatMap((call) => sightingIn(call) ?? []);
}

/** The observation of one call, or null. An unexpected success (an unprotected operation) does not count. */
export function sightingIn(call: Call): Sighting | null {
  const last = finalAttempt(call);
  const response = last?.response;
  if (call.notSent !== null || last === undefined || response == null) return null;
  if (is2xx(response.status) && mustBeRefused(call)) return null;
  const content = contentOf(last);
  if (content.kind === 'html' || content.kind === 'broken') return null;
  const type = mediaType(header(response.headers, 'content-type'));
  return {
    operationId: call.operationId,
    status: response.status,
    // a header can hold anything, and OpenAPI allows only these
    type: /^[a-z0-9][\w.+-]{0,63}\/[a-z0-9][\w.+-]{0,63}$/.test(type) ? type : null,
    empty: content.kind === 'empty',
    askedWithBody: last.request.body !== null,
    ...(content.kind === 'json' ? { json: { value: content.value } } : {}),
  };
}
