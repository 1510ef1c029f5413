import { expect, test } from 'vitest';
import type { AcceptedRequest } from '../../../src/mock/compile/request.ts';
import { type Answer, answer } from '../../../src/mock/message/answer.ts';
import { PROBLEMS } from '../../../src/mock/message/problem.ts';
import { inOrder, STEPS, type Turn } from '../../../src/mock/pipeline/steps.ts';

const turn = { objections: [], checkpoints: undefined } as Pick<Turn, 'objections' | 'checkpoints'> as AcceptedRequest &
  Turn;
const GOOD = answer(200, null, 'assumed');

test('checks run in the order of the steps, until one answers', () => {
  const seen: string[] = [];
  const passing = (name: string) => (): undefined => void seen.push(name);
  const take = inOrder({
    payload: passing('payload'),
    body: () => GOOD,
    token: passing('token'),
    withdrawn: passing('withdrawn'),
  });
  expect(take(turn)).toBe(GOOD);
  expect(seen).toEqual(['withdrawn', 'token']);
});

test('a check that answers later holds up the next one, and a request of plain checks needs no promise', async () => {
  const seen: string[] = [];
  const late = async (): Promise<Answer | undefined> => {
    await Promise.resolve();
    seen.push('body');
    return undefined;
  };
  const payload = (): Answer => {
    seen.push('payload');
    return GOOD;
  };
  const given = inOrder({ payload, body: late })(turn);
  expect(given).toBeInstanceOf(Promise);
  expect(await given).toBe(GOOD);
  expect(seen).toEqual(['body', 'payload']);
  expect(inOrder({ payload })(turn)).toBe(GOOD);
});

test('each problem names a step, or a part of the mock itself', () => {
  const known = new Set([...STEPS, 'scenario', 'control', 'fault']);
  for (const { step } of Object.values(PROBLEMS)) expect(known).toContain(step);
});
