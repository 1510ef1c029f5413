import { SAME_MOMENT } from './times.ts';
import { bySending, createTraffic, headerOf, type Sent, type Traffic } from './traffic.ts';

/** Requests that are linked by connection or token: certainly of one program. */
interface Component {
  readonly sent: Sent[];
  readonly start: number;
  readonly end: number;
  readonly agents: ReadonlySet<string>;
}

/** One of the programs behind a journal. */
export interface Caller {
  /** Its `user-agent`, numbered where several have the same. */
  readonly name: string;
  readonly traffic: Traffic;
  /** Null where connections are not known. */
  readonly connections: number | null;
}

/** How the programs behind a journal are told apart: not at all, or by connections and tokens. */
export type CallersAre = 'one' | 'by-connection';

/**
 * Tells the programs behind one journal apart, so that two of them with a token each are not taken for one that wastes tokens.
 * Requests belong together that share a connection or a token. Of what is left, a part that begins when another has ended, or needs a
 * new token, goes on for it, if both call themselves by the same `user-agent`; parts that run beside each other are several programs.
 * Where connections are not known, all is one.
 *
 * @param margin Milliseconds before its expiry from which a token is renewed.
 */
export function tellCallersApart(sent: readonly Sent[], single: boolean, margin: number): Caller[] {
  const lanes = sent.length === 0 ? [] : lanesOf(sent, single, margin);
  const alike = Map.groupBy(lanes, ({ sent: own }) => nameOf(own));
  return lanes.map((lane) => {
    const name = nameOf(lane.sent);
    const same = alike.get(name) ?? [];
    const number = same.length > 1 ? ` #${same.indexOf(lane) + 1}` : '';
    return { name: `${name}${number}`, traffic: lane.traffic, connections: connectionsOf(lane.sent) };
  });
}

function lanesOf(all: readonly Sent[], single: boolean, margin: number): { sent: readonly Sent[]; traffic: Traffic }[] {
  if (single || all.some(({ entry }) => entry.connection === null)) return [{ sent: all, traffic: createTraffic(all) }];
  const lanes: { sent: Sent[]; last: Component }[] = [];
  const parts = components(all);
  const working = parts.filter(({ sent }) => sent.some((one) => !one.isTokenRequest));
  const bursts = burstsOf(working);
  for (const component of working) {
    const burst = bursts.get(component);
    const lane = lanes
      .filter(({ last }) => goesOn(last, component, margin, burst !== undefined && bursts.get(last) === burst))
      .sort(
        (a, b) =>
          Number(b.last.end <= component.start) - Number(a.last.end <= component.start) || b.last.end - a.last.end,
      )[0];
    if (lane === undefined) lanes.push({ sent: [...component.sent], last: component });
    else {
      lane.sent.push(...component.sent);
      lane.last = { ...component, end: Math.max(component.end, lane.last.end) };
      if (burst !== undefined) bursts.set(lane.last, burst);
    }
  }
  // a token that nobody used tells nothing of its owner: it is that of the program that was at work then
  for (const component of parts.filter((part) => !working.includes(part))) {
    const near = lanes.find(({ last }) => !last.agents.isDisjointFrom(component.agents));
    if (near === undefined) lanes.push({ sent: component.sent, last: component });
    else near.sent.push(...component.sent);
  }
  return lanes.map(({ sent }) => {
    const own = sent.sort(bySending);
    return { sent: own, traffic: createTraffic(own) };
  });
}

const LONGEST_NAME = 80;

/** The agents of its requests; a client of the token endpoint may call itself otherwise than one of the API. */
export function nameOf(sent: readonly Sent[]): string {
  const agents = new Set(sent.map(({ userAgent }) => userAgent).filter((agent) => agent !== ''));
  const name = agents.size === 0 ? 'no user-agent' : [...agents].slice(0, 3).join(' + ');
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name;
}

function connectionsOf(sent: readonly Sent[]): number | null {
  const connections = new Set(sent.map(({ entry }) => entry.connection));
  return connections.has(null) ? null : connections.size;
}

/**
 * Parts that look alike and asked for a token at the same moment, at least two of them beside each other: then all of them were begun
 * together, also those that happen to follow each other.
 */
function burstsOf(all: readonly Component[]): Map<Component, number> {
  const bursts = new Map<Component, number>();
  const asking = all.flatMap((component) => {
    const first = component.sent.find(({ isTokenRequest }) => isTokenRequest);
    return first === undefined ? [] : [{ component, first, key: identityOf(first) }];
  });
  let number = 0;
  for (const alike of Map.groupBy(asking, ({ key }) => key).values()) {
    const inOrder = alike.sort((a, b) => bySending(a.first, b.first));
    for (let from = 0; from < inOrder.length; ) {
      const until = (inOrder[from]?.first.start ?? 0) + SAME_MOMENT;
      let to = from;
      let latest = Number.NEGATIVE_INFINITY;
      let beside = false;
      for (; to < inOrder.length && (inOrder[to]?.first.start ?? 0) <= until; to += 1) {
        const { start = 0, end = 0 } = inOrder[to]?.component ?? {};
        beside ||= start < latest;
        latest = Math.max(latest, end);
      }
      number += 1;
      if (beside) for (const { component } of inOrder.slice(from, to)) bursts.set(component, number);
      from = to;
    }
  }
  return bursts;
}

/** What programs that are one have in common: who they say they are, by agent and by credentials. */
export function identityOf(request: Sent): string {
  return JSON.stringify([request.userAgent, headerOf(request.entry, 'authorization')]);
}

function goesOn(before: Component, next: Component, margin: number, begunTogether: boolean): boolean {
  if (before.agents.isDisjointFrom(next.agents)) return false;
  if (before.end <= next.start && !begunTogether) return true;
  const [first] = next.sent;
  if (first === undefined || !first.isTokenRequest) return false;
  const { tokens } = createTraffic(before.sent);
  return [...tokens.values()].some(
    ({ refusals, expiresAt }) =>
      refusals.some(({ end }) => end <= first.start) || (expiresAt !== null && expiresAt - margin <= first.start),
  );
}

function components(sent: readonly Sent[]): Component[] {
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
  }));
}
