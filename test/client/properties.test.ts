import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Mode, Simulation } from './simulation.ts';

/** The model contains only the elapsed time; the simulation itself watches the promises. */
interface Model {
  elapsed: number;
}

class Step implements fc.AsyncCommand<Model, Simulation> {
  readonly #text: string;
  readonly #run: (simulation: Simulation) => void | Promise<void>;

  constructor(text: string, run: (simulation: Simulation) => void | Promise<void>) {
    this.#text = text;
    this.#run = run;
  }

  check(): boolean {
    return true;
  }

  async run(_: Model, simulation: Simulation): Promise<void> {
    await this.#run(simulation);
    // Enough for settled promises, too little for any timer.
    await simulation.clock.advance(0);
    expect(simulation.broken).toEqual([]);
  }

  toString(): string {
    return this.#text;
  }
}

const step = (text: string, run: (simulation: Simulation) => void | Promise<void>): Step => new Step(text, run);
const MODES: readonly Mode[] = ['up', 'up', 'up', 'unavailable', 'refuses', 'malformed', 'silent', 'unreachable'];

const commands = fc.commands(
  [
    fc.integer({ min: 1, max: 8 }).map((count) =>
      step(`call ${count} times`, (simulation) => {
        for (let call = 0; call < count; call += 1) simulation.call();
      }),
    ),
    fc.integer({ min: 0, max: 12_000 }).map((ms) => step(`call, abort after ${ms} ms`, (s) => s.call(ms))),
    fc
      .oneof(
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 200, max: 15_000 }),
        fc.integer({ min: 15_000, max: 4_000_000 }),
      )
      .map((ms) => step(`advance ${ms} ms`, ({ clock }) => clock.advance(ms))),
    fc.constant(step('revoke all tokens', (simulation) => simulation.revokeAll())),
    fc.boolean().map((refuses) =>
      step(`API answers ${refuses ? '401 to all' : 'as it should'}`, (simulation) => {
        simulation.refusesAll = refuses;
      }),
    ),
    fc.nat(5).map((which) => step(`invalidate token ${which} from the end`, (s) => s.invalidate(which))),
    fc.constantFrom(...MODES).map((mode) =>
      step(`token endpoint: ${mode}`, (simulation) => {
        simulation.mode = mode;
      }),
    ),
    fc.constantFrom(1, 2, 10, 60, 300, 3600).map((seconds) =>
      step(`lifetime ${seconds} s`, (simulation) => {
        simulation.lifetime = seconds;
      }),
    ),
    fc.tuple(fc.nat(3_000), fc.nat(3_000)).map(([token, api]) =>
      step(`latency of tokens ${token} ms, of the API ${api} ms`, (simulation) => {
        simulation.tokenLatency = token;
        simulation.apiLatency = api;
      }),
    ),
    fc
      .constantFrom(-3_600_000, -5_000)
      .map((ms) => step(`wall clock jumps by ${ms} ms`, ({ clock }) => clock.jump(ms))),
  ],
  { maxCommands: 60, size: 'max' },
);

describe('random sequences of calls, expiries, failures and invalidations', () => {
  it('T1, T2, T3, T8, T14, T15: one token request in flight, no dead token, two attempts, no useless request, every call ends', async () => {
    const outcomes: Record<string, number> = {};
    await fc.assert(
      fc.asyncProperty(commands, fc.double({ min: 0, max: 0.999, noNaN: true }), async (steps, random) => {
        const simulation = new Simulation(() => random);
        await fc.asyncModelRun(() => ({ model: { elapsed: 0 }, real: simulation }), steps);
        for (const outcome of await simulation.finish()) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
        expect(simulation.broken).toEqual([]);
      }),
      { numRuns: 400 },
    );
    // An empty simulation would prove nothing.
    for (const outcome of ['200', '401', 'cooling-down', 'aborted', 'refused']) {
      expect(outcomes[outcome] ?? 0, outcome).toBeGreaterThan(0);
    }
  }, 60_000);

  it('the lifetimes determine the number of token requests', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(1, 5, 30, 60, 300, 3600),
        fc.array(fc.integer({ min: 1, max: 2_000 }), { minLength: 1, maxLength: 60 }),
        async (lifetime, pauses) => {
          const simulation = new Simulation(() => 0.5);
          simulation.lifetime = lifetime;
          simulation.tokenLatency = 10;
          let elapsed = 0;
          for (const pause of pauses) {
            simulation.call();
            await simulation.clock.advance(pause * lifetime);
            elapsed += pause * lifetime;
          }
          await simulation.finish();
          const shortest = (lifetime - Math.min(45, lifetime / 5)) * 1000;
          expect(simulation.broken).toEqual([]);
          expect(simulation.tokenRequests).toBeLessThanOrEqual(1 + Math.floor(elapsed / shortest));
        },
      ),
      { numRuns: 60 },
    );
  }, 60_000);
});
