import { describe, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { readAnnouncement } from '../../src/judge/announcements.ts';
import { judge } from '../../src/judge/judge.ts';
import type { HeaderFields } from '../../src/model/exchange.ts';
import { cpuTime } from '../support/growth.ts';
import { call } from './calls.ts';

const DAY = Date.parse('2026-11-30T00:00:00Z');

describe('a Deprecation or Sunset header is parsed leniently', () => {
  test.each([
    ['@1796860800', '2026-12-10'],
    ['@1796860800;x=1', '2026-12-10'],
    ['1796860800', '2026-12-10'],
    ['1796860800000', '2026-12-10'],
    ['"@1796860800"', '2026-12-10'],
    ['Mon, 30 Nov 2026 00:00:00 GMT', '2026-11-30'],
    ['Tue, 01 Dec 2026 00:00:00 GMT, Mon, 30 Nov 2026 00:00:00 GMT', '2026-11-30'],
    ['true, Mon, 30 Nov 2026 00:00:00 GMT', '2026-11-30'],
    ['date="2026-11-30"', '2026-11-30'],
    ['version="v1"; date="Mon, 30 Nov 2026 00:00:00 GMT"', '2026-11-30'],
    ['2026-11-30T00:00:00Z', '2026-11-30'],
    ['2026-11-30', '2026-11-30'],
    ['30 Nov 2026 00:00:00 GMT', '2026-11-30'],
    ['@1796860800, @1796256000', '2026-12-03'],
  ])('%s', (value, day) => {
    for (const field of ['deprecation', 'sunset'] as const) {
      const read = readAnnouncement(field, value);
      expect(read.kind === 'date' && new Date(read.at).toISOString().slice(0, 10)).toBe(day);
    }
  });

  test.each(['true', '?1', '1', 'yes', 'soon', '@', '@soon', 'Mon, 99 Nov 2026', '99', 'v1', '{}'])(
    '%s has no date',
    (value) => {
      expect(readAnnouncement('deprecation', value)).toEqual({ kind: 'undated' });
    },
  );

  test.each(['false', '?0', '0', ' False '])('%s announces nothing', (value) => {
    expect(readAnnouncement('deprecation', value)).toEqual({ kind: 'none' });
  });

  test('only the format of the RFC counts as exact', () => {
    const isAsWritten = (field: 'deprecation' | 'sunset', value: string): boolean => {
      const read = readAnnouncement(field, value);
      return read.kind === 'date' && read.asWritten;
    };
    expect(isAsWritten('deprecation', '@1796860800')).toBe(true);
    expect(isAsWritten('deprecation', 'Mon, 30 Nov 2026 00:00:00 GMT')).toBe(false);
    expect(isAsWritten('sunset', 'Mon, 30 Nov 2026 00:00:00 GMT')).toBe(true);
    expect(isAsWritten('sunset', '@1796860800')).toBe(false);
  });

  test('a hostile value is parsed quickly and throws nothing', () => {
    const started = cpuTime();
    for (const value of [
      '@'.repeat(1e6),
      'Mon, '.repeat(1e5),
      `${'9'.repeat(1e5)}`,
      '@999999999999999',
      ', '.repeat(1e5),
    ]) {
      readAnnouncement('sunset', value);
    }
    expect(cpuTime() - started).toBeLessThan(5_000);
  });
});

describe('announced removals', () => {
  async function found(operationId: string, ...answers: HeaderFields[]) {
    const contract = await loadContract();
    const calls = answers.map((headers) => call(operationId, { json: {}, headers }));
    return judge({ contract, calls, redact: (text) => text }).findings;
  }

  test('an announcement on a current operation is one warning with the date, for any number of answers', async () => {
    const sunset = ['sunset', new Date(DAY + 400 * 86_400_000).toUTCString()] as const;
    const [finding, ...more] = await found('getCard', [['deprecation', '@1796860800']], [], [sunset]);
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ severity: 'warning', rule: 'deprecation-announced', occurrences: 2 });
    expect(finding?.message).toContain('deprecated from 2026-12-10 on, Sunset on 2028-01-04');
    expect(finding?.exchanges).toHaveLength(2);
  });

  test('a moved date keeps the fingerprint, a near date changes it', async () => {
    // the clock of these calls is in 1970
    const of = async (date: string) => (await found('getCard', [['sunset', date]]))[0]?.fingerprint;
    const far = await of('Mon, 30 Nov 2026 00:00:00 GMT');
    expect(await of('Tue, 01 Dec 2026 00:00:00 GMT')).toBe(far);
    expect(await of('Fri, 02 Jan 1970 00:00:00 GMT')).not.toBe(far);
  });
});
