import { describe, expect, test } from 'vitest';
import { isHere } from '../audit/corpus/programs.ts';
import { surviveAll, WRITERS } from './writers.ts';

const required = process.env.BANKING_API_TESTS_REQUIRE === 'all';

describe('the corpus of writers: an unsafe one is found by its rule, a safe one is not accused', () => {
  for (const writer of WRITERS) {
    test.skipIf(!required && !isHere(writer))(`${writer.name}`, { timeout: 300_000, retry: 1 }, async () => {
      const { rules } = await surviveAll(writer);
      expect(rules).toEqual(writer.isSafe ? [] : ['write-done-twice']);
    });
  }
});
