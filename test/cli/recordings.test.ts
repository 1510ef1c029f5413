import { expect, test } from 'vitest';
import { settledText } from '../../src/cli/recordings.ts';

const picture = (operationId: string, different: number, settled: boolean) => ({
  operationId,
  answers: 6,
  different,
  quiet: settled ? 5 : 0,
  settled,
});

test('a sandbox that answers the same each time is not said to be unsettled', () => {
  const text = settledText([picture('getCard', 1, true), picture('getClient', 1, true)]);
  expect(text).toMatch(/^The same answer each time, one sample however often: getCard, getClient\./);
  expect(text).not.toContain('Settled: 0');
});

test('what is settled, what is open and what is always the same are told apart', () => {
  const text = settledText([
    picture('getCard', 1, true),
    picture('getClient', 4, true),
    picture('getClients', 6, false),
  ]);
  expect(text.split('\n')).toEqual([
    'Settled: 1 of 3 operations; nothing new came in the last answers of each.',
    'Not settled, more may come:',
    '  getClients: 6 answers, the last one showed something new',
    'The same answer each time, one sample however often: getCard.',
    expect.stringContaining('Recording again'),
  ]);
});
