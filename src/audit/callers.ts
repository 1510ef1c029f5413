import { createTraffic, type Sent, type Traffic } from './traffic.ts';

export interface Caller {
  readonly name: string;
  readonly traffic: Traffic;
  readonly connections: number | null;
}

/** Everything that carries one client id. */
export interface Client extends Caller {
  readonly programs: readonly Caller[];
  /** True if connections overlap, so that the number of programs is unknown, and the user has not stated it. */
  readonly isUndecided: boolean;
}

export type CallersAre = 'one' | 'by-connection';

/** A caller keeps a token for each client id. Requests without a client id are separate only if there are several ids. */
export function clientsOf(sent: readonly Sent[], callers: CallersAre | undefined): Client[] {
  const groups = Map.groupBy(sent, ({ client }) => client);
  const apart =
    groups.size - Number(groups.has(null)) > 1 ? [...groups.values()] : [sent].filter(({ length }) => length);
  const isWhole = callers === 'one' || sent.some(({ entry }) => entry.connection === null);
  const split = apart.map((own) => ({ own, ...(isWhole ? { programs: [own], overlap: false } : programsIn(own)) }));
  const nameOf = numberedNames(split.flatMap(({ programs }) => programs));
  return split.map(({ own, programs, overlap }): Client => {
    const each = programs.map((program) => callerOf(program, nameOf.get(program)));
    const [only] = each;
    const whole = only !== undefined && each.length === 1 ? only : callerOf(own);
    return { ...whole, programs: each, isUndecided: overlap && callers === undefined };
  });
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

interface Programs {
  readonly programs: readonly (readonly Sent[])[];
  readonly overlap: boolean;
}

/** Linked requests come from one program. So do parts with one `user-agent` if no other such part overlaps with them. */
function programsIn(sent: readonly Sent[]): Programs {
  const alone: Sent[][] = [];
  const beside: Sent[][] = [];
  for (const alike of Map.groupBy(linked(sent), ([first]) => first?.userAgent).values()) {
    let until = Number.NEGATIVE_INFINITY;
    const quiet: Sent[][] = [];
    for (const [index, part] of alike.entries()) {
      const isLate = (part[0]?.start ?? 0) >= until;
      until = part.reduce((latest, { end }) => Math.max(latest, end), until);
      if (isLate && (alike[index + 1]?.[0]?.start ?? until) >= until) quiet.push(part);
      else beside.push(part);
    }
    if (quiet.length > 0) alone.push(quiet.flat());
  }
  return { programs: [...alone, ...beside], overlap: beside.length > 0 };
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
