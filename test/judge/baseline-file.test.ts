import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ToolError } from '../../src/errors.ts';
import { parseBaseline } from '../../src/judge/baseline.ts';
import { acceptInto } from '../../src/judge/baseline-write.ts';
import { finding } from '../support/report-samples.ts';

const BY = { reason: 'known: fixed in January', expires: '2026-12-31', owner: 'team-cards' };
const hex = (number: number): string => number.toString(16).padStart(16, '0');

async function failure(text: string): Promise<string> {
  const error = await parseBaseline(text, 'b.yaml').catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ToolError);
  expect((error as ToolError).exitCode).toBe(2);
  return (error as ToolError).describe();
}

const file = (entries: string): string => `baselineVersion: 1\naccepted:\n${entries}`;
const good = "  - fingerprint: '00000000000000a1'\n    reason: r\n    expires: 2026-12-31\n";

describe('reading a baseline', () => {
  test('an entry needs exactly a fingerprint, a reason and a date', async () => {
    expect((await parseBaseline(file(good), 'b.yaml')).entries).toEqual([
      {
        fingerprint: '00000000000000a1',
        reason: 'r',
        expires: '2026-12-31',
        owner: null,
        rule: null,
        operation: null,
        pointer: null,
        checks: [],
        parts: [],
      },
    ]);
  });

  test.each([
    ['a wrong key', `${good}    expire: 1\n`, /^b\.yaml:6:5 .*no key "expire".*expires/],
    ['no reason', "  - fingerprint: '00000000000000a1'\n    expires: 2026-12-31\n", /^b\.yaml:3:5 .*reason/],
    ['an empty reason', good.replace('reason: r', "reason: ' '"), /^b\.yaml:4:13 /],
    ['an impossible date', good.replace('2026-12-31', '2026-02-30'), /^b\.yaml:5:14 .*no day 2026-02-30/],
    ['another date', good.replace('2026-12-31', '31.12.2026'), /^b\.yaml:5:14 .*2026-12-31/],
    ['a fingerprint of digits', good.replace("'00000000000000a1'", '1234567812345678'), /^b\.yaml:3:18 .*quotes/],
    ['the same finding repeated', good + good, /^b\.yaml:6:18 .*twice, first on line 3/],
    ['broken YAML', '  - fingerprint: "\n', /^b\.yaml:\d+:\d+/],
    ['no list', '  x: 1\n', /^b\.yaml:3:3 /],
  ])('%s is an error with file, line and column', async (_, entries, expected) => {
    expect(await failure(file(entries))).toMatch(expected);
  });

  test('an empty file and a list are not baselines', async () => {
    expect(await failure('')).toMatch(/^b\.yaml:1:1/);
    expect(await failure('- a\n')).toMatch(/^b\.yaml:1:1/);
  });
});

describe('writing a baseline', () => {
  test('a new file has rule, place, reason, owner and date of each finding, and can be read again', async () => {
    const text = await acceptInto(null, [finding()], BY);
    expect(text).toMatchInlineSnapshot(`
      "# yaml-language-server: $schema=https://unpkg.com/banking-api-contract/schemas/baseline.schema.json
      # Findings that are accepted until a date. "banking-api accept" adds to it; edit it as you like: comments and notes are kept.
      baselineVersion: 1
      accepted:
        - fingerprint: '00000000000000a1'
          rule: type-contradicted
          severity: error
          operation: getCard
          call: GET /wallet/api/customers/{customerId}/cards/{cardId}
          pointer: /cardLimitDaily
          expected: integer
          actual: string
          checks: [ cards.shape.getCard ]
          reason: "known: fixed in January"
          owner: team-cards
          expires: 2026-12-31
      "
    `);
    expect((await parseBaseline(text, 'b.yaml')).entries).toMatchObject([
      { fingerprint: '00000000000000a1', owner: 'team-cards', checks: ['cards.shape.getCard'] },
    ]);
  });

  test('the file does not depend on the order of the findings', async () => {
    const findings = [3, 1, 2].map((n) => finding({ fingerprint: hex(n), operationId: `op${n}` }));
    const text = await acceptInto(null, findings, BY);
    expect(await acceptInto(null, findings.toReversed(), BY)).toBe(text);
    expect(await acceptInto(text, findings, BY)).toBe(text);
    const one = await acceptInto(null, findings.slice(0, 1), BY);
    const two = await acceptInto(one, findings.slice(1, 2), BY);
    const three = await acceptInto(two, findings.slice(2), BY);
    expect((await parseBaseline(three, 'b')).entries.map(({ operation }) => operation)).toEqual(['op1', 'op2', 'op3']);
  });

  const HAND = `# ours
baselineVersion: 1
x-team: cards # who to ask
accepted:
  # about b
  - fingerprint: '00000000000000b2'
    operation: b
    reason: >-
      a long reason
    # inside b
    expires: 2026-01-01 # soon
    note: |
      by hand

  # about d

  # and more
  - expires: 2026-05-05
    operation: d
    fingerprint: "00000000000000d4"
    reason: why
    x-ticket: 17
  # the end
`;

  test('a refresh changes only reason and date, and keeps comments, notes and order', async () => {
    const again = await acceptInto(HAND, [finding({ fingerprint: '00000000000000b2' })], {
      reason: 'new',
      expires: '2027-01-01',
    });
    expect(again).toBe(
      HAND.replace('reason: >-\n      a long reason\n', 'reason: new\n').replace('2026-01-01', '2027-01-01'),
    );
    const owned = await acceptInto(HAND, [finding({ fingerprint: '00000000000000d4' })], BY);
    expect(owned.split('\n').filter((line) => !HAND.split('\n').includes(line))).toEqual([
      '  - expires: 2026-12-31',
      '    reason: "known: fixed in January"',
      '    owner: team-cards',
    ]);
    expect((await parseBaseline(owned, 'b')).entries[1]).toMatchObject({ owner: 'team-cards', expires: '2026-12-31' });
  });

  test.each(['a', 'c', 'e'])('a new entry (%s) is sorted in without taking over a comment', async (operation) => {
    const text = await acceptInto(HAND, [finding({ operationId: operation })], BY);
    const added = text.split('\n').filter((line) => !HAND.split('\n').includes(line));
    expect(
      text
        .split('\n')
        .filter((line) => !added.includes(line))
        .join('\n'),
    ).toBe(HAND);
    const { entries } = await parseBaseline(text, 'b');
    expect(entries.map((entry) => entry.operation)).toEqual(['b', 'd', operation].sort());
    for (const [comment, owner] of [
      ['# about b', 'b2'],
      ['# and more', 'd4'],
    ] as const) {
      const after = text.slice(text.indexOf(comment));
      expect(/fingerprint: .0+(..)/.exec(after)?.[1]).toBe(owner);
    }
  });

  test('an empty list and an inline list are accepted as well', async () => {
    for (const list of ['[]', '', "[{fingerprint: '00000000000000c3', reason: r, expires: 2026-01-01}]"]) {
      const text = await acceptInto(`# top\nbaselineVersion: 1\naccepted: ${list}\n`, [finding()], BY);
      expect(text).toContain('# top');
      expect((await parseBaseline(text, 'b')).entries.map(({ fingerprint }) => fingerprint)).toContain(
        '00000000000000a1',
      );
    }
    const flow =
      "baselineVersion: 1\naccepted:\n  - {fingerprint: '00000000000000a1', reason: r, expires: 2026-01-01}\n";
    const text = await acceptInto(flow, [finding()], BY);
    expect((await parseBaseline(text, 'b')).entries).toMatchObject([{ owner: 'team-cards', expires: '2026-12-31' }]);
  });

  test('an inline entry among block entries is renewed in place', async () => {
    const text = [
      '# ours',
      'baselineVersion: 1',
      'accepted:',
      "  - { fingerprint: '00000000000000a1', reason: r, expires: 2026-01-01 } # in braces",
      "  - fingerprint: '00000000000000b2'",
      '    reason: r',
      '    expires: 2026-01-01',
      '',
    ].join('\n');
    expect(await acceptInto(text, [finding()], { ...BY, reason: 'a, b' })).toBe(
      text.replace(
        "{ fingerprint: '00000000000000a1', reason: r, expires: 2026-01-01 }",
        `{ fingerprint: '00000000000000a1', reason: "a, b", expires: 2026-12-31, owner: team-cards }`,
      ),
    );
  });

  test('accepting and renewing thousands of findings needs linear time', async () => {
    const many = Array.from({ length: 1000 }, (_, n) => finding({ fingerprint: hex(n), pointer: `/f${n}` }));
    const first = await acceptInto(null, many.slice(0, 500), BY);
    const started = process.cpuUsage();
    const all = await acceptInto(first, many, { ...BY, reason: 'again' });
    // parsing the file for each finding would take minutes (CPU time in microseconds)
    expect(process.cpuUsage(started).user).toBeLessThan(10_000_000);
    expect(await acceptInto(null, many, { ...BY, reason: 'again' })).toBe(all);
  }, 120_000);

  test('H1: a baseline is read back unchanged, for any text in findings and reasons', async () => {
    const any = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
      fc.constantFrom(
        'no',
        '~',
        '1e3',
        '- a: b',
        '# x',
        "it's",
        '"q"',
        'a: b',
        '\u2028',
        '\n- fingerprint: x',
        '%',
        '@x',
        '`',
        '!!js',
        '*a',
        '&a',
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(any, any, any), { minLength: 1, maxLength: 4 }), any, async (rows, words) => {
        const reason = /\S/.test(words) ? words : `x${words}`;
        let text: string | null = null;
        for (const [index, [operationId, pointer, actual]] of rows.entries()) {
          const one = finding({ fingerprint: hex(index), operationId, pointer, actual, checks: [actual] });
          text = await acceptInto(text, [one], { reason, expires: '2026-12-31', owner: reason });
        }
        const { entries } = await parseBaseline(text ?? '', 'b');
        expect(entries).toHaveLength(rows.length);
        for (const [index, [operation, pointer, actual]] of rows.entries()) {
          const read = entries.find(({ fingerprint }) => fingerprint === hex(index));
          expect(read).toMatchObject({ operation, pointer, reason, owner: reason, checks: [actual] });
        }
      }),
      { numRuns: 60 },
    );
  });
});
