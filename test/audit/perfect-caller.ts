import { asClient, CARD, type JournalBuilder } from './journal-builder.ts';

/** The events in a perfect caller's world; times in milliseconds. */
export interface World {
  /** Calls: time, request, duration of the answers, and wait for a connection. */
  readonly calls: readonly {
    readonly at: number;
    readonly path: number;
    readonly takes: number;
    readonly waits: number;
  }[];
  /** Lifetimes of the issued tokens in seconds; the last one repeats. */
  readonly lifetimes: readonly number[];
  /** Outcome of each token request; true fails it. */
  readonly failures: readonly boolean[];
  readonly tokenTakes: number;
  /** Times at which all tokens are revoked. */
  readonly revocations: readonly number[];
  /** The period in which each call is answered 401. */
  readonly outage: readonly [from: number, to: number];
  /** Whether a token that is also rejected on the retry is dropped. */
  readonly dropsOnSecond: boolean;
  readonly connections: 'one' | 'each' | 'pool' | 'unknown';
}

interface Held {
  readonly id: string;
  readonly issuedAt: number;
  readonly renewAt: number;
}

/** Simulates a caller that follows the whole reference, and writes its journal. */
export function simulate(world: World, journal: JournalBuilder, client = 'sandbox'): void {
  const events: { at: number; order: number; run: () => void }[] = [];
  let order = 0;
  let now = 0;
  const later = (at: number, run: () => void): void => {
    events.push({ at, order: order++, run });
  };
  let held: Held | null = null;
  let waiting: ((token: Held | null) => void)[] | null = null;
  let asked = 0;
  let given = 0;
  let lastConnection = 0;
  /** The program does not immediately repeat a rejected request. */
  const quietUntil = new Map<number, number>();

  const connection = (): number | null => {
    lastConnection += 1;
    if (world.connections === 'unknown') return null;
    if (world.connections === 'one') return 1;
    return world.connections === 'each' ? lastConnection : lastConnection % 3;
  };

  function withToken(next: (token: Held | null) => void): void {
    if (held !== null && now < held.renewAt) {
      next(held);
      return;
    }
    if (waiting !== null) {
      waiting.push(next);
      return;
    }
    waiting = [next];
    const fails = world.failures[asked] ?? false;
    asked += 1;
    const startedAt = now;
    const lifetime = world.lifetimes[Math.min(given, world.lifetimes.length - 1)] ?? 3600;
    const id = `${client}-${given}`;
    if (!fails) given += 1;
    const common = { at: startedAt, takes: world.tokenTakes, connection: connection(), headers: asClient(client) };
    journal.token(fails ? { ...common, status: 503 } : { ...common, gives: id, expiresIn: lifetime });
    later(startedAt + world.tokenTakes, () => {
      const margin = Math.min(45, lifetime * 0.15);
      held = fails ? null : { id, issuedAt: now, renewAt: now + (lifetime - margin) * 1000 };
      const all = waiting ?? [];
      waiting = null;
      for (const each of all) each(held);
    });
  }

  function send(call: World['calls'][number], retry: boolean): void {
    withToken((token) => {
      if (token === null) return;
      // the token is chosen when the request is made; then the request may wait for a connection
      later(now + call.waits, () => {
        const refused =
          world.revocations.some((at) => token.issuedAt <= at && at <= now) ||
          (now >= world.outage[0] && now < world.outage[1]);
        journal.call({
          at: now,
          takes: call.takes,
          token: token.id,
          path: `${CARD}${call.path}`,
          status: refused ? 401 : 200,
          connection: connection(),
        });
        later(now + call.takes, () => {
          if (!refused) return;
          if (!retry || world.dropsOnSecond) if (held?.id === token.id) held = null;
          if (!retry) send(call, true);
          else quietUntil.set(call.path, now + 1_500 + world.tokenTakes);
        });
      });
    });
  }

  for (const call of world.calls) {
    const run = (): void => {
      if (now >= (quietUntil.get(call.path) ?? 0)) send(call, false);
    };
    // after all answers of its time, because the program knows them
    events.push({ at: call.at, order: Number.MAX_SAFE_INTEGER, run });
  }
  for (;;) {
    events.sort((a, b) => a.at - b.at || a.order - b.order);
    const event = events.shift();
    if (event === undefined) return;
    now = event.at;
    event.run();
  }
}
