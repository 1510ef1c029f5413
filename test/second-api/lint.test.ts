import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { command } from '../cli/command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { FOLDER } from './pigeons.ts';

const folder = await temporaryFolder();
await cp(FOLDER, folder, { recursive: true });

async function lint(): Promise<{ code: number; out: string }> {
  return command(['lint', '--contract', folder], { cwd: folder });
}

/** Changes the document of the copy for one test. */
async function withSpec(change: (text: string) => string, work: () => Promise<void>): Promise<void> {
  const file = join(folder, 'spec/openapi.yaml');
  const before = await readFile(file, 'utf8');
  const after = change(before);
  expect(after).not.toBe(before);
  await writeFile(file, after);
  await work().finally(() => writeFile(file, before));
}

test('the contract is clean', async () => {
  expect(await lint()).toEqual({
    code: 0,
    out: expect.not.stringMatching(/ (?:error|warning) /),
    err: expect.anything(),
  });
});

test.each([
  ['an operation without an effect', '      x-effect: destructive\n', '', /openapi\.yaml:\d+:\d+ error effect-known /],
  [
    'a part that does not say where it is from',
    ', x-reference: Lofts }',
    ' }',
    /openapi\.yaml:\d+:\d+ error reference-present /,
  ],
  [
    'a status that is said not to be shown',
    'x-not-shown: [requestBody]',
    'x-not-shown: [requestBody, responseStatus]',
    /error documented-statuses /,
  ],
] as const)('%s is named with its place', async (_, from, to, problem) => {
  await withSpec(
    (text) => text.replace(from, to),
    async () => {
      const { code, out } = await lint();
      expect(code).toBe(1);
      expect(out).toMatch(problem);
    },
  );
});
