import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { groupsOf, type IntentGroup, intentsOf, membersOf, type Write } from '../../src/drive/intents.ts';

let seq = 0;
/** A payment that was executed. */
function pay(body: Readonly<Record<string, unknown>>, headers: readonly (readonly [string, string])[] = []): Write {
  seq += 1;
  const request = { method: 'POST', target: '/payments', headers, body: Buffer.from(JSON.stringify(body)) };
  return { seq, operationId: 'pay', members: membersOf(request), acted: true };
}

const fresh = (): string => crypto.randomUUID();
/** Three undisturbed runs of a program. */
const runs = (program: () => readonly Write[]): readonly (readonly Write[])[] => [program(), program(), program()];

function learned(program: () => readonly Write[]): readonly IntentGroup[] {
  const groups = groupsOf(runs(program));
  if (typeof groups === 'string') throw new Error(groups);
  return groups;
}

/** Intended, sent and done, for each intent of a disturbed run. */
function counts(program: () => readonly Write[], disturbed: readonly Write[]): string[] {
  return intentsOf(learned(program), disturbed)
    .map(({ intended, sent }) => `${intended} ${sent.length} ${sent.filter(({ acted }) => acted).length}`)
    .sort();
}

describe('members that differ between undisturbed runs name no intent', () => {
  test('a fresh reference in one payment: a second payment is done twice', () => {
    const program = () => [pay({ amount: 5, reference: fresh() })];
    expect(counts(program, program())).toEqual(['1 1 1']);
    expect(counts(program, [...program(), ...program()])).toEqual(['1 2 2']);
  });

  test('a fresh idempotency key for each attempt is found', () => {
    const attempt = (amount: number) => pay({ amount }, [['idempotency-key', fresh()]]);
    const program = () => [attempt(5), attempt(6)];
    expect(counts(program, [attempt(5), attempt(5), attempt(6)])).toEqual(['1 1 1', '1 2 2']);
  });

  test('a batch id in all payments of a run tells none of them', () => {
    const program = (batch = fresh()) => [pay({ batch, to: 'a' }), pay({ batch, to: 'b' })];
    expect(learned(program)).toMatchObject([{ by: 'by /to' }, { by: 'by /to' }]);
    const batch = fresh();
    expect(counts(program, [...program(batch), pay({ batch, to: 'b' })])).toEqual(['1 1 1', '1 2 2']);
  });

  test('two identical payments on purpose are one group of two', () => {
    const program = () => [pay({ amount: 5 }), pay({ amount: 5 })];
    expect(counts(program, program())).toEqual(['2 2 2']);
    expect(counts(program, [...program(), pay({ amount: 5 })])).toEqual(['2 3 3']);
  });

  test('equal payments with a reference each: a repeated and a missing one do not make up for each other', () => {
    const program = () => [pay({ amount: 5, reference: fresh() }), pay({ amount: 5, reference: fresh() })];
    expect(learned(program)).toMatchObject([{ intended: 2, by: 'by /reference' }]);
    const twice = { amount: 5, reference: fresh() };
    expect(counts(program, [pay(twice), pay(twice)])).toEqual(['1 0 0', '1 2 2']);
  });

  test('times name nothing, even if each payment has another', () => {
    let now = Date.now();
    const payNow = () => {
      now += 1;
      return pay({ at: new Date(now).toISOString(), stamp: now });
    };
    const program = () => [payNow(), payNow()];
    const same = { at: new Date(now).toISOString(), stamp: now };
    expect(counts(program, [pay(same), pay(same)])).toEqual(['2 2 2']);
  });

  test('an amount drawn anew counts for the operation as a whole', () => {
    let run = 0;
    const program = () => {
      run += 1;
      return [pay({ amount: run % 2 })];
    };
    expect(counts(program, [pay({ amount: 7 }), pay({ amount: 8 })])).toEqual(['1 2 2']);
    const steady = () => [pay({ amount: 5 }), pay({ amount: 6 })];
    expect(counts(steady, [pay({ amount: 5 }), pay({ amount: 9 })])).toEqual(['2 2 2']);
  });

  test('forms and texts have members as JSON has', () => {
    const of = (body: string) => membersOf({ method: 'POST', target: '/a?x=1', headers: [], body: Buffer.from(body) });
    expect([...of('to=b&amount=5')]).toEqual([
      ['path', '/a'],
      ['?x', '1'],
      ['/to', 'b'],
      ['/amount', '5'],
    ]);
    expect([...of('{"to":{"id":[1,{}]}}')].slice(2)).toEqual([
      ['/to/id/0', '1'],
      ['/to/id/1', '{}'],
    ]);
    expect([...of('plain words')].slice(2)).toEqual([['body', 'plain words']]);
  });
});

test('runs that differ in the number of acts are an obstacle that names the act without a partner', () => {
  const once = [pay({ amount: 5 })];
  expect(groupsOf([once, [...once, pay({ amount: 6 })], once])).toBe(
    'pay acts 2 times in undisturbed run 2, and 1 time in run 1. Act 2 of run 2 has no partner.',
  );
  expect(groupsOf([once, [], once])).toContain('pay acts 1 time in undisturbed run 1, and 0 times in run 2.');
  expect(groupsOf([[], [], []])).toEqual([]);
});

test('an undisturbed run is always done as intended, in any order and whatever is random in it', () => {
  const payments = fc.array(fc.record({ to: fc.constantFrom('a', 'b'), amount: fc.integer({ min: 1, max: 3 }) }), {
    minLength: 1,
    maxLength: 6,
  });
  const kinds = fc.record({ reference: fc.boolean(), batch: fc.boolean(), key: fc.boolean(), order: fc.boolean() });
  fc.assert(
    fc.property(payments, kinds, (all, kind) => {
      const program = (): readonly Write[] => {
        const batch = fresh();
        const made = all.map((body) =>
          pay(
            { ...body, ...(kind.reference && { reference: fresh() }), ...(kind.batch && { batch }) },
            kind.key ? [['idempotency-key', fresh()]] : [],
          ),
        );
        return kind.order ? made.toReversed() : made;
      };
      const groups = learned(program);
      const outcomes = intentsOf(groups, program());
      for (const { intended, sent } of outcomes) expect(sent.length).toBe(intended);
      // one more execution of any payment is found
      const run = program();
      const again = run[0] as Write;
      const more = intentsOf(groups, [...run, { ...again, seq: again.seq + 1000 }]);
      expect(more.some(({ intended, sent }) => sent.length > intended)).toBe(true);
    }),
  );
});
