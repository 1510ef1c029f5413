import { expect, it, vi } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { planContract } from '../../src/mock/compile/compile.ts';

it('a plan compiles a response schema when its examples are first read', async () => {
  const compile = vi.fn(() => () => true);
  const { operations } = planContract(await loadContract({ assumed: true }), compile, () => {});
  expect(compile).not.toHaveBeenCalled();
  expect(operations.flatMap(({ response }) => response.media.flatMap(({ examples }) => examples))).not.toEqual([]);
  expect(compile).toHaveBeenCalled();
});
