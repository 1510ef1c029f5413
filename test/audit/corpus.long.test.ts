import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Audited } from '../../src/audit/judge-caller.ts';
import type { AuditRuleId } from '../../src/audit/rules.ts';
import { BAD, GOOD, isHere, WAYS } from './corpus/programs.ts';
import { judged } from './corpus/ways.ts';

const callers = fileURLToPath(new URL('./callers/', import.meta.url));
/**
 * Long enough for a machine that runs all of these in parallel. Programs and clocks are real, and a busy machine may
 * be seconds late. A real habit shows again when the program is driven again.
 */
const REAL = { timeout: 600_000, retry: 2 };
const required = process.env.BANKING_API_TESTS_REQUIRE === 'all';

const shown = ({ findings }: Audited): string[] => findings.map(({ rule, message }) => `${rule}: ${message}`);

/** Rules that the drive tests in every caller, even on a busy machine: the remaining rules depend on tenths of a second. */
const EXERCISED: readonly AuditRuleId[] = [
  'token-not-cached',
  'refresh-not-shared',
  'lifetime-assumed',
  'unauthorized-not-retried',
  'retried-with-dead-token',
  'retried-more-than-once',
  'refresh-loop',
  'renewed-without-401',
];

describe('good callers give no finding, in all three ways', () => {
  for (const { name, library, command, ...rest } of GOOD) {
    test.skipIf(!required && !isHere(rest))(`${name} (${library})`, REAL, async () => {
      const verdicts = await judged(command, callers);
      for (const way of WAYS) expect(shown(verdicts[way]), way).toEqual([]);
      const kept = verdicts.drive.rules.filter(({ outcome }) => outcome === 'kept').map(({ rule }) => rule);
      expect(kept).toEqual(expect.arrayContaining([...EXERCISED]));
      expect(verdicts.drive.callers).toHaveLength(1);
    });
  }
});

describe('a program with a bad habit is found by its rule, in the ways listed in the corpus', () => {
  for (const { habit, rule, situations, ways, command } of BAD) {
    test(`${rule}: ${habit}`, REAL, async () => {
      const verdicts = await judged(command, callers, situations);
      expect(new Set(verdicts.drive.findings.map((finding) => finding.rule)), shown(verdicts.drive).join('\n')).toEqual(
        new Set([rule]),
      );
      for (const way of ways) {
        expect(
          verdicts[way].findings.map((finding) => finding.rule),
          `${way}\n${shown(verdicts[way]).join('\n')}`,
        ).toContain(rule);
      }
    });
  }
});
