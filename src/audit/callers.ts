import { createTraffic, groupBy, type Sent, type Traffic } from './traffic.ts';

/** Requests that are linked by connection or token: certainly of one program. */
interface Component {
  readonly sent: Sent[];
  readonly start: number;
  readonly end: number;
  readonly agents: ReadonlySet<string>;
}

/**
 * Tells the programs behind one journal apart, so that two of them with a token each are not taken for one that wastes tokens.
 * Requests belong together that share a connection or a token. Of what is left, a part that begins when another has ended, or needs a
 * new token, goes on for it, if both call themselves by the same `user-agent`; parts that run beside each other are several programs.
 * Where connections are not known, all is one.
 *
 * @param margin Milliseconds before its expiry from which a token is renewed.
 */
export function tellCallersApart(sent: readonly Sent[], single: boolean, margin: number): Traffic[] {
  if (sent.length === 0) return [];
  if (single || sent.some(({ entry }) => entry.connection === null)) return [createTraffic(sent)];
  const lanes: { sent: Sent[]; last: Component }[] = [];
  const [working, idle] = split(components(sent), ({ sent: all }) => all.some((one) => !one.isTokenRequest));
  for (const component of working) {
    const lane = lanes
      .filter(({ last }) => goesOn(last, component, margin))
      .sort(
        (a, b) =>
          Number(b.last.end <= component.start) - Number(a.last.end <= component.start) || b.last.end - a.last.end,
      )[0];
    if (lane === undefined) lanes.push({ sent: [...component.sent], last: component });
    else {
      lane.sent.push(...component.sent);
      lane.last = { ...component, end: Math.max(component.end, lane.last.end) };
    }
  }
  // a token that nobody used tells nothing of its owner: it is that of the program that was at work then
  for (const component of idle) {
    const near = lanes.find(({ last }) => shares(last.agents, component.agents));
    if (near === undefined) lanes.push({ sent: component.sent, last: component });
    else near.sent.push(...component.sent);
  }
  return lanes.map((lane) => createTraffic(lane.sent.sort((a, b) => a.start - b.start || a.seq - b.seq)));
}

function goesOn(before: Component, next: Component, margin: number): boolean {
  if (!shares(before.agents, next.agents)) return false;
  if (before.end <= next.start) return true;
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
  const groups = groupBy(sent, ({ entry }) => root(`c${entry.connection}`));
  return [...groups.values()].map((group) => ({
    sent: group,
    start: group[0]?.start ?? 0,
    end: group.reduce((latest, { end }) => Math.max(latest, end), 0),
    agents: new Set(group.map(({ userAgent }) => userAgent)),
  }));
}

function shares(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return [...a].some((agent) => b.has(agent));
}

function split<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}
