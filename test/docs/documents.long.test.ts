import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { command, listening, type Running } from '../cli/command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PAGE = await readFile(join(packageRoot, 'docs/documents.md'), 'utf8');
/** Commands of the page, each with the lines that it prints. */
const SESSION = [...PAGE.matchAll(/^```console\n([\s\S]*?)^```$/gm)].flatMap(([, text = '']) =>
  text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => part.trimEnd().split('\n')),
);
const ADDRESS = 'http://127.0.0.1:4010';

test('every example of real documents prints what the page shows', { timeout: 120_000 }, async () => {
  const cwd = await temporaryFolder();
  let mock: Running | undefined;
  onTestFinished(async () => void (await mock?.end()));
  const flat = (text: string): string => text.replaceAll(mock?.url ?? ADDRESS, ADDRESS).replaceAll(/\s+/g, ' ');
  /** The lines of a running mock, which it prints until its end. */
  let promised: readonly string[] = [];
  const endMock = async (): Promise<void> => {
    const { out, err } = (await mock?.end()) ?? { out: '', err: '' };
    for (const line of promised) expect(flat(out + err)).toContain(flat(line));
    [mock, promised] = [undefined, []];
  };
  for (const [line = '', ...shown] of SESSION) {
    const [program = '', ...words] = line.split(' ');
    if (program === 'gunzip') {
      const [, from = '', , to = ''] = words;
      await writeFile(join(cwd, to), gunzipSync(await readFile(join(packageRoot, from))));
    } else if (program === 'curl') {
      const [, body = null] = /--json '(.*?)'/.exec(line) ?? [];
      const headers = { 'content-type': 'application/json', authorization: 'Bearer any' };
      const url = (words.at(-1) ?? '').replace(ADDRESS, mock?.url ?? '');
      const answer = await fetch(url, { method: body === null ? 'GET' : 'POST', body, headers });
      expect((await answer.text()).split('\n')).toEqual(shown);
    } else {
      expect([program, words.shift()]).toEqual(['npx', 'banking-api-contract']);
      if (words[0] === 'mock') {
        await endMock();
        mock = await listening(words, { cwd });
        promised = shown;
      } else {
        const { out } = await command(words, { cwd });
        for (const text of shown) expect(flat(out)).toContain(flat(text));
      }
    }
  }
  await endMock();
  expect(SESSION).toHaveLength(9);
});
