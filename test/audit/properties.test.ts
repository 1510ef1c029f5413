import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeCaller } from '../../src/audit/judge-caller.ts';
import { loadContract } from '../../src/contract/load.ts';
import { JournalBuilder } from './journal-builder.ts';
import { simulate, type World } from './perfect-caller.ts';

const contract = await loadContract();

const LIMITS = {
  numRuns: Number(process.env.AUDIT_RUNS ?? 100),
  interruptAfterTimeLimit: Number(process.env.AUDIT_LIMIT ?? 6_000),
};

const worlds = (span: number): fc.Arbitrary<World> =>
  fc.record({
    calls: fc.array(
      fc.record({
        at: fc.nat(span),
        path: fc.nat(2),
        takes: fc.integer({ min: 1, max: 900 }),
        waits: fc.oneof(fc.constant(0), fc.nat(300)),
      }),
      { maxLength: 40 },
    ),
    lifetimes: fc.array(fc.oneof(fc.integer({ min: 20, max: 600 }), fc.constant(3600), fc.constant(7200)), {
      minLength: 1,
      maxLength: 5,
    }),
    failures: fc.array(fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.boolean()), { maxLength: 8 }),
    tokenTakes: fc.integer({ min: 1, max: 2_000 }),
    revocations: fc.array(fc.nat(span), { maxLength: 3 }),
    outage: fc.tuple(fc.nat(span), fc.nat(span)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const),
    dropsOnSecond: fc.boolean(),
    connections: fc.constantFrom('one', 'each', 'pool', 'unknown'),
  });

function expectNoFinding(journal: JournalBuilder): void {
  const { findings } = judgeCaller({ contract, recordings: [{ entries: journal.entries() }] });
  expect(findings.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([]);
}

describe('a caller that follows the whole reference gives no finding, for random events', () => {
  for (const [name, span] of [
    ['within seconds', 5_000],
    ['within minutes', 600_000],
    ['within hours', 20_000_000],
  ] as const) {
    test(name, () => {
      fc.assert(
        fc.property(worlds(span), (world) => {
          const journal = new JournalBuilder(contract);
          simulate(world, journal);
          expectNoFinding(journal);
        }),
        LIMITS,
      );
    });
  }

  test('with three clients at the same time', () => {
    fc.assert(
      fc.property(fc.tuple(worlds(5_000), worlds(5_000), worlds(5_000)), ([first, ...others]) => {
        const journal = new JournalBuilder(contract);
        for (const [index, world] of [first, ...others].entries()) {
          simulate({ ...world, connections: first.connections }, journal, `client-${index}`);
        }
        expectNoFinding(journal);
      }),
      LIMITS,
    );
  });
});
