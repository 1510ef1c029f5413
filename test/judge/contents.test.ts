import { describe, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { duplicateKeys } from '../../src/judge/duplicate-keys.ts';
import { judge } from '../../src/judge/judge.ts';
import { looksLikeId } from '../../src/judge/strings.ts';
import { makeRecording } from '../../src/learn/recording.ts';
import { gather } from '../../src/learn/sightings.ts';
import { call } from './calls.ts';

async function brief(answer: { json?: unknown; text?: string }, recorded: readonly unknown[] = []): Promise<string[]> {
  const plain = await loadContract();
  const sightings = recorded.map((value) => ({
    operationId: 'getCard',
    status: 200,
    type: 'application/json',
    json: { value },
    empty: false,
  }));
  const overlays =
    recorded.length === 0 ? [] : [{ file: 'recording.yaml', text: makeRecording(plain, gather(sightings)).text }];
  const contract = await loadContract({ overlays });
  const { findings } = judge({ contract, calls: [call('getCard', answer)], redact: (text) => text });
  return findings.map(
    ({ severity, rule, pointer, actual, occurrences }) => `${severity} ${rule} ${pointer} ${actual} ${occurrences}`,
  );
}

describe('JSON that parsers read differently', () => {
  test('with a byte order mark is an info', async () => {
    expect(await brief({ text: '\ufeff{"cardDesign":"a"}' })).toEqual([
      'info byte-order-mark  a byte order mark before it 1',
    ]);
  });

  test('with a field twice is a warning for each place', async () => {
    const text = '{"cardDesign":"a","cardDesign":"b","parts":[{"n":1,"\\u006e":2},{"n":1,"n":2,"n":3}]}';
    expect((await brief({ text })).filter((one) => one.includes('key-twice'))).toEqual([
      'warning key-twice /cardDesign more than once 1',
      'warning key-twice /parts/*/n more than once 3',
    ]);
  });

  test.each([
    ['{"a":"\\"a\\":","b":{"a":1}}', []],
    ['[{"a":1},{"a":2}]', []],
    ['{"a":{"b":1,"c":[]},"a":{"b":1}}', ['/a']],
    ['{"a/b":1,"a/b":2}', ['/*']],
    ['{"acc-1234":{"x":1,"x":2}}', ['/*/x']],
    ['{"":1,"":2}', ['/*']],
    ['"a"', []],
  ])('%s', (text, places) => {
    expect([...duplicateKeys(text, looksLikeId).keys()]).toEqual(places);
  });

  test('with an integer beyond 2^53 where one is documented is a warning', async () => {
    expect(await brief({ text: '{"cardLimitDaily":9007199254740993,"cardLimitMonthly":9007199254740991}' })).toEqual([
      'warning integer-too-large /cardLimitDaily a larger integer 1',
    ]);
    expect(await brief({ text: '{"cardLimitDaily":1e400,"cardLimitMonthly":1e3}' })).toEqual([
      'warning integer-too-large /cardLimitDaily a larger integer 1',
    ]);
  });
});

describe('what was only ever empty when it was recorded', () => {
  const card = { state: null, list: [], holder: { city: null }, parts: [{ of: [] }] };

  test('and has contents now is an info for each place', async () => {
    const now = { state: 'on', list: [{ a: 1 }], holder: { city: 7 }, parts: [{ of: ['x'] }, { of: [] }] };
    expect(await brief({ json: now }, [card, card])).toEqual([
      'info contents-new /holder/city integer 1',
      'info contents-new /list array of object { a: integer } 1',
      'info contents-new /parts/*/of array of string 1',
      'info contents-new /state string 1',
    ]);
  });

  test('and still is so is nothing, nor is what had contents once', async () => {
    expect(await brief({ json: card }, [card])).toEqual([]);
    const full = { state: 'on', list: [1], holder: { city: 'x' }, parts: [{ of: ['x'] }] };
    expect(await brief({ json: full }, [card, full])).toEqual([]);
  });
});

test('Z that became an offset is no longer of the recorded form, and an offset that was recorded may be any', async () => {
  const utc = { at: '2026-11-20T10:00:00Z' };
  const local = { at: '2026-11-20T10:00:00+02:00' };
  const offset = ['warning value-contradicted /at another string 1'];
  const other = { at: '2025-01-31T23:59:59.125Z' };
  expect(await brief({ json: local }, [utc, other])).toEqual(offset);
  expect(await brief({ json: { at: 'yesterday' } }, [utc, other])).toEqual([
    'warning format-contradicted /at another string 1',
  ]);
  expect(await brief({ json: utc }, [local])).toEqual([]);
  expect(await brief({ json: local }, [utc, local])).toEqual([]);
});
