import { expect, test } from 'vitest';
import { createEndOfTurn } from '../../src/net/end-of-turn.ts';

test('tasks of one turn run together, in order, after the turn', async () => {
  const atEndOfTurn = createEndOfTurn();
  const ran: string[] = [];
  atEndOfTurn(() => {
    ran.push('first');
    atEndOfTurn(() => ran.push('from a task'));
  });
  atEndOfTurn(() => ran.push('second'));
  await Promise.resolve();
  expect(ran).toEqual([]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(ran).toEqual(['first', 'second']);
  await new Promise((resolve) => setImmediate(resolve));
  expect(ran).toEqual(['first', 'second', 'from a task']);
});
