import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Report } from '../../src/model/report.ts';
import { discoveredIn, withHistory } from '../../src/report/history.ts';
import { digestIn } from '../../src/report/id-digests.ts';
import { verdictLine } from '../../src/report/words/verdict.ts';
import { POSIX } from '../support/needs.ts';
import { report } from '../support/report-samples.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const URL = 'https://sandbox.example.com';
const on = (day: number, over: Partial<Report>): Report =>
  report({
    target: { kind: 'url', baseUrl: URL },
    startedAt: `2026-11-${day}T02:00:00.000Z`,
    ...over,
  });

describe('digests of ids', () => {
  test('are the same each night, and differ from history to history', async () => {
    const folder = join(await temporaryFolder(), 'new');
    const first = await digestIn(folder);
    const second = await digestIn(folder);
    const other = await digestIn(await temporaryFolder());
    expect(first('k-1')).toMatch(/^[\da-f]{16}$/);
    expect([second('k-1'), first('k-2') === first('k-1')]).toEqual([first('k-1'), false]);
    expect(other('k-1')).not.toBe(first('k-1'));
  });

  test('need a key that only its owner can read, and that is no report', POSIX, async () => {
    const folder = await temporaryFolder();
    await digestIn(folder);
    expect(await readdir(folder)).toEqual(['ids.key']);
    expect((await stat(join(folder, 'ids.key'))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(folder, 'ids.key'))).toHaveLength(32);
  });

  test('come from the last night that found ids, of the same target', () => {
    const found = (digest: string, from: string) => ({ discovered: [{ parameter: 'cardId', from, digest }] });
    const elsewhere = report({
      target: { kind: 'url', baseUrl: 'https://other.example' },
      ...found('d9', 'listOther'),
    });
    const earlier = [on(18, found('d1', 'listOld')), elsewhere, on(19, found('d2', 'listClientCards')), on(20, {})];
    expect(discoveredIn(earlier, URL)).toEqual({ knownIds: ['d2'], filledLists: ['listOld', 'listClientCards'] });
  });
});

describe('the share of a verdict', () => {
  const operation = (operationId: string, exercised: boolean, seen = 0): Report['coverage']['operations'][number] => ({
    ...{ operationId, located: 'documented', exercised, goodAnswers: exercised ? 1 : 0, notShown: [] },
    fields: [{ pointer: '/a', provenance: 'documented', seen, of: seen }],
  });
  const covering = (...operations: Report['coverage']['operations']): Partial<Report> => ({ coverage: { operations } });
  const full = on(19, covering(operation('getCard', true, 1), operation('getClient', true, 1)));

  test('names the operations that are no longer called', () => {
    const less = on(20, covering(operation('getCard', false), operation('getClient', true, 1)));
    expect(verdictLine(withHistory(less, [full]))).toBe(
      'AGREES: 1 of 2 operations called, 1 of 2 documented fields seen; less than on 2026-11-19: getCard; no findings.',
    );
  });

  test('names an operation without fields, too', () => {
    const bare = (exercised: boolean) => ({ ...operation('getCard', exercised), fields: [] });
    const line = verdictLine(withHistory(on(20, covering(bare(false))), [on(19, covering(bare(true)))]));
    expect(line).toBe('AGREES: 0 of 1 operation called; less than on 2026-11-19: getCard; no findings.');
  });

  test('is not compared if it is as large', () => {
    expect(verdictLine(withHistory({ ...full, startedAt: on(20, {}).startedAt }, [full]))).not.toContain('less than');
  });
});
