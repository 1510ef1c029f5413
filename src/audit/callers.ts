import { createTraffic, type Sent, type Traffic } from './traffic.ts';

export interface Caller {
  readonly name: string;
  readonly traffic: Traffic;
  readonly connections: number | null;
}

/** Everything that carries one client id. */
export interface Client extends Caller {
  /** Empty if connections overlap and the user has not stated the number of programs. */
  readonly programs: readonly Caller[];
}

export type CallersAre = 'one' | 'by-connection';

/** A caller keeps a token for each client id. Requests without a client id are separate only if there are several ids. */
export function clientsOf(sent: readonly Sent[], callers: CallersAre | undefined): Client[] {
  const groups = Map.groupBy(sent, ({ client }) => client);
  const apart =
    groups.size - Number(groups.has(null)) > 1 ? [...groups.values()] : [sent].filter(({ length }) => length);
  const split = apart.map((own) => ({ own, programs: programsIn(own, callers) }));
  const nameOf = numberedNames(split.flatMap(({ programs }) => programs));
  return split.map(({ own, programs }) => {
    const each = programs.map((program) => callerOf(program, nameOf.get(program)));
    return { ...(each.length === 1 && each[0] ? each[0] : callerOf(own)), programs: each };
  });
}

/** Programs that run one after the other are told apart by their `user-agent`. */
function programsIn(own: readonly Sent[], callers: CallersAre | undefined): readonly (readonly Sent[])[] {
  if (callers === 'one') return [own];
  const parts = linked(own);
  if (callers === 'by-connection') return parts;
  if (overlap(parts)) return [];
  return [...Map.groupBy(parts, ([first]) => first?.userAgent).values()].map((alike) => alike.flat());
}

function callerOf(sent: readonly Sent[], name = callerName(sent)): Caller {
  const connections = new Set(sent.map(({ entry }) => entry.connection));
  return { name, traffic: createTraffic(sent), connections: connections.has(null) ? null : connections.size };
}

/** `NAME`, or `NAME #1`, `NAME #2` if several have that name. */
function numberedNames(groups: readonly (readonly Sent[])[]): ReadonlyMap<readonly Sent[], string> {
  const byName = Map.groupBy(groups, callerName);
  return new Map(
    [...byName].flatMap(([name, alike]) =>
      alike.map((group, index) => [group, alike.length === 1 ? name : `${name} #${index + 1}`] as const),
    ),
  );
}

const LONGEST_NAME = 80;

/** The agents of its requests. The token client may have another agent than the API client. */
export function callerName(sent: readonly Sent[]): string {
  const agents = new Set(sent.map(({ userAgent }) => userAgent).filter((agent) => agent !== ''));
  const name = agents.size === 0 ? 'no user-agent' : [...agents].slice(0, 3).join(' + ');
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name;
}

/** @param parts in the order of their first request */
function overlap(parts: readonly (readonly Sent[])[]): boolean {
  let until = Number.NEGATIVE_INFINITY;
  return parts.some((part) => {
    const isBeside = (part[0]?.start ?? until) < until;
    until = part.reduce((latest, { end }) => Math.max(latest, end), until);
    return isBeside;
  });
}

/** Groups of requests that share a connection or a token, in the order of their first request. */
function linked(sent: readonly Sent[]): Sent[][] {
  const parents = new Map<string, string>();
  const rootOf = (name: string): string => {
    let at = name;
    for (let up = parents.get(at); up !== undefined; up = parents.get(at)) {
      parents.set(at, parents.get(up) ?? up);
      at = up;
    }
    return at;
  };
  // a service that repeats its token gives it to several programs
  const issues = Map.groupBy(sent, ({ isTokenRequest, entry }) => (isTokenRequest ? entry.token?.id : undefined));
  for (const { entry } of sent) {
    if (entry.token === null || (issues.get(entry.token.id)?.length ?? 0) > 1) continue;
    const [token, connection] = [rootOf(entry.token.id), rootOf(`${entry.connection}`)];
    if (token !== connection) parents.set(token, connection);
  }
  return [...Map.groupBy(sent, ({ entry }) => rootOf(`${entry.connection}`)).values()];
}
