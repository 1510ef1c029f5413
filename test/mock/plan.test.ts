import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it, onTestFinished, vi } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { planContract } from '../../src/mock/compile/compile.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import { api, contractFolder } from '../support/api.ts';

it('a plan compiles a response schema when its examples are first read', async () => {
  const compile = vi.fn(() => () => true);
  const { operations } = planContract(await loadContract({ assumed: true }), compile, () => {});
  expect(compile).not.toHaveBeenCalled();
  expect(operations.flatMap(({ response }) => response.media.flatMap(({ examples }) => examples))).not.toEqual([]);
  expect(compile).toHaveBeenCalled();
});

it('a start compiles no schema of an answer, however many operations have examples', async () => {
  const compile = vi.spyOn(Ajv2020.prototype, 'compile');
  onTestFinished(() => compile.mockRestore());
  async function compiledFor(count: number): Promise<{ atStart: number; later: number }> {
    const schema = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
    const content = { 'application/json': { schema, example: { id: 'a' } } };
    const operation = (id: number): object => ({
      get: { operationId: `get${id}`, security: [], responses: { 200: { description: 'D', content } } },
    });
    const paths = Object.fromEntries(Array.from({ length: count }, (_, id) => [`/things/${id}`, operation(id)]));
    const folder = await contractFolder(api(paths));
    compile.mockClear();
    await using mock = await startMock({ listen: false, folder });
    const atStart = compile.mock.calls.length;
    await mock.fetch('/things/0');
    return { atStart, later: compile.mock.calls.length - atStart };
  }
  // the first start also compiles the schema of contract.yaml
  await compiledFor(1);
  expect(await compiledFor(30)).toEqual({ atStart: 0, later: 1 });
});
