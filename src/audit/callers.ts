import { SAME_MOMENT } from './times.ts';
import { bySending, createTraffic, requestHeader, type Sent, type Traffic } from './traffic.ts';

interface Component {
  readonly sent: Sent[];
  readonly start: number;
  readonly end: number;
  readonly agents: ReadonlySet<string>;
  /** Time at which its program needs a new token. Milliseconds since the epoch. */
  readonly spentAt: number;
}

export interface Caller {
  readonly name: string;
  readonly traffic: Traffic;
  readonly connections: number | null;
}

export type CallersAre = 'one' | 'by-connection';

/**
 * Separates the programs behind one journal. Two programs with a token each must not look like one that wastes tokens.
 * Requests that share a connection or a token belong to one part, except if they use several client ids.
 * A part continues another with the same `user-agent` if it begins after its end, or when it needs a new token.
 * Parts that overlap in time are several programs. If connections are unknown, all requests count as one program.
 *
 * @param margin milliseconds before its expiry at which a token is renewed
 */
export function tellCallersApart(sent: readonly Sent[], single: boolean, margin: number): Caller[] {
  const lanes = sent.length === 0 ? [] : byClient(sent).flatMap((own) => lanesOf(own, single, margin));
  const names = lanes.map(({ sent: own }) => callerName(own));
  const alike = Map.groupBy(names, (name) => name);
  const numbers = new Map<string, number>();
  return lanes.map((lane, index) => {
    const name = names[index] ?? '';
    const number = (numbers.get(name) ?? 0) + 1;
    numbers.set(name, number);
    const isAlone = alike.get(name)?.length === 1;
    const connections = new Set(lane.sent.map(({ entry }) => entry.connection));
    return {
      name: isAlone ? name : `${name} #${number}`,
      traffic: lane.traffic,
      connections: connections.has(null) ? null : connections.size,
    };
  });
}

/** A caller keeps a token for each client id. Whatever shows no client id is separate only if there are several ids. */
function byClient(sent: readonly Sent[]): (readonly Sent[])[] {
  const groups = Map.groupBy(sent, ({ client }) => client);
  return groups.size - Number(groups.has(null)) > 1 ? [...groups.values()] : [sent];
}

interface Lane {
  readonly parts: Component[];
  last: Component;
}

/** Most programs of one name at the same time. Beyond that, each new part counts as another program. */
const MOST_LANES = 1_000;

function lanesOf(all: readonly Sent[], single: boolean, margin: number): { sent: readonly Sent[]; traffic: Traffic }[] {
  if (single || all.some(({ entry }) => entry.connection === null)) return [{ sent: all, traffic: createTraffic(all) }];
  const lanes: Lane[] = [];
  const byAgent = new Map<string, Set<Lane>>();
  const put = (lane: Lane, component: Component): void => {
    lane.parts.push(component);
    for (const agent of component.agents) {
      const known = byAgent.get(agent) ?? new Set();
      known.delete(lane);
      known.add(lane);
      byAgent.set(agent, known);
      const [oldest] = known;
      if (known.size > MOST_LANES && oldest !== undefined) known.delete(oldest);
    }
  };
  const begin = (component: Component): void => {
    const lane: Lane = { parts: [], last: component };
    lanes.push(lane);
    put(lane, component);
  };
  const near = ({ agents }: Component): Iterable<Lane> => {
    const known = [...agents].flatMap((agent) => byAgent.get(agent) ?? []);
    return known.length === 1 ? (known[0] ?? []) : new Set(known.flatMap((some) => [...some]));
  };
  const { working = [], idle = [] } = Object.groupBy(components(all, margin), ({ sent }) =>
    sent.some((one) => !one.isTokenRequest) ? 'working' : 'idle',
  );
  const bursts = burstsOf(working);
  for (const component of working) {
    const burst = bursts.get(component);
    let best: Lane | undefined;
    for (const lane of near(component)) {
      const { last } = lane;
      if (!goesOn(last, component, burst !== undefined && bursts.get(last) === burst)) continue;
      if (best === undefined || isLikelier(last, best.last, component)) best = lane;
    }
    if (best === undefined) begin(component);
    else {
      best.last = { ...component, end: Math.max(component.end, best.last.end) };
      put(best, component);
      if (burst !== undefined) bursts.set(best.last, burst);
    }
  }
  // a token without uses does not show its owner: it goes to the program that was active at that time
  for (const component of idle) {
    const [first] = near(component);
    if (first === undefined) begin(component);
    else first.parts.push(component);
  }
  return lanes.map(({ parts }) => {
    const own = parts.flatMap(({ sent }) => sent).sort(bySending);
    return { sent: own, traffic: createTraffic(own) };
  });
}

/** Prefers programs that had ended, and among them the latest. */
function isLikelier(a: Component, b: Component, { start }: Component): boolean {
  if (a.end <= start !== b.end <= start) return a.end <= start;
  return a.end > b.end;
}

const LONGEST_NAME = 80;

/** The agents of its requests. The token client may have another agent than the API client. */
export function callerName(sent: readonly Sent[]): string {
  const agents = new Set(sent.map(({ userAgent }) => userAgent).filter((agent) => agent !== ''));
  const name = agents.size === 0 ? 'no user-agent' : [...agents].slice(0, 3).join(' + ');
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name;
}

/** Parts with one identity that requested a token at the same moment, if some of them overlapped. */
function burstsOf(all: readonly Component[]): Map<Component, readonly Component[]> {
  const asking = all.flatMap((component) => {
    const first = component.sent.find(({ isTokenRequest }) => isTokenRequest);
    return first === undefined ? [] : [{ component, first, key: identityIn(first) }];
  });
  const bursts: Component[][] = [];
  for (const alike of Map.groupBy(asking, ({ key }) => key).values()) {
    let until = Number.NEGATIVE_INFINITY;
    for (const { component, first } of alike.sort((a, b) => bySending(a.first, b.first))) {
      if (first.start <= until) bursts.at(-1)?.push(component);
      else {
        bursts.push([component]);
        until = first.start + SAME_MOMENT;
      }
    }
  }
  return new Map(bursts.filter(overlap).flatMap((burst) => burst.map((component) => [component, burst] as const)));
}

function overlap(parts: readonly Component[]): boolean {
  let latest = Number.NEGATIVE_INFINITY;
  return parts.some(({ start, end }) => {
    const isBeside = start < latest;
    latest = Math.max(latest, end);
    return isBeside;
  });
}

export function identityOf({ traffic }: Pick<Caller, 'traffic'>): string {
  const [first] = traffic.tokenRequests;
  return first === undefined ? '' : identityIn(first);
}

function identityIn({ userAgent, client, entry }: Sent): string {
  return JSON.stringify([userAgent, client, requestHeader(entry, 'authorization')]);
}

function goesOn(before: Component, next: Component, begunTogether: boolean): boolean {
  if (before.agents.isDisjointFrom(next.agents)) return false;
  if (before.end <= next.start && !begunTogether) return true;
  const [first] = next.sent;
  return first?.isTokenRequest === true && before.spentAt <= first.start;
}

function spentAt(sent: readonly Sent[], margin: number): number {
  let earliest = Number.POSITIVE_INFINITY;
  for (const { refusals, expiresAt } of createTraffic(sent).tokens.values()) {
    const due = expiresAt === null ? Number.POSITIVE_INFINITY : expiresAt - margin;
    earliest = Math.min(earliest, due, refusals[0]?.end ?? Number.POSITIVE_INFINITY);
  }
  return earliest;
}

function components(sent: readonly Sent[], margin: number): Component[] {
  const parent = new Map<string, string>();
  const root = (node: string): string => {
    let at = node;
    for (let up = parent.get(at); up !== undefined && up !== at; up = parent.get(at)) {
      parent.set(at, parent.get(up) ?? up);
      at = up;
    }
    return at;
  };
  for (const one of sent) {
    const connection = `c${one.entry.connection}`;
    const token = one.entry.token === null ? connection : `t${one.entry.token.id}`;
    for (const node of [connection, token]) if (!parent.has(node)) parent.set(node, node);
    parent.set(root(token), root(connection));
  }
  const groups = Map.groupBy(sent, ({ entry }) => root(`c${entry.connection}`));
  return [...groups.values()].map((group) => ({
    sent: group,
    start: group[0]?.start ?? 0,
    end: group.reduce((latest, { end }) => Math.max(latest, end), 0),
    agents: new Set(group.map(({ userAgent }) => userAgent)),
    spentAt: spentAt(group, margin),
  }));
}
