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
  expect(text).toMatch(/^Always the same answer, so one sample: getCard, getClient\./);
  expect(text).not.toContain('Settled: 0');
});

test('what is settled, what is open and what is always the same are told apart', () => {
  const text = settledText([
    picture('getCard', 1, true),
    picture('getClient', 4, true),
    picture('getClients', 6, false),
  ]);
  expect(text.split('\n')).toEqual([
    'Settled: 1 of 3 operations. Their last answers showed nothing new.',
    'Not settled:',
    '  getClients: 6 answers, the last one was new',
    'Always the same answer, so one sample: getCard.',
    expect.stringContaining('Record again'),
  ]);
});
