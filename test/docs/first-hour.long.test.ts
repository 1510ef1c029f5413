import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { command, listening, type Ran, type Running } from '../cli/command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const page = await readFile(join(packageRoot, 'docs/first-hour.md'), 'utf8');

test('every command of the first hour does what the page says', { timeout: 120_000 }, async () => {
  const cwd = await temporaryFolder();
  const document = join(cwd, 'library.yaml');
  await using closing = new Closing();
  let url = '';
  const ran: [line: string, Ran][] = [];
  const book = async (address = `${url}/books/b-1`): Promise<unknown> => (await fetch(address)).json();
  for (const [, language, text = ''] of page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)) {
    const [, file] = /^# (\S+)\n/.exec(text) ?? [];
    if (file !== undefined) {
      await mkdir(dirname(join(cwd, file)), { recursive: true });
      await writeFile(join(cwd, file), text);
    } else if (language === 'yaml') {
      const before = await readFile(document, 'utf8');
      const [, name = ''] = /^ +(\w+:)/.exec(text) ?? [];
      const after = before.replace(new RegExp(`^ +${name}.*\\n`, 'm'), text);
      expect(after).not.toBe(before);
      await writeFile(document, after);
    } else {
      for (const line of text.trim().split('\n')) {
        const [program, ...words] = line.replaceAll('http://127.0.0.1:4010', url).split(' ');
        if (program === 'curl') {
          expect(await book(words[0])).toEqual({ title: expect.any(String), dueDate: expect.any(String) });
          continue;
        }
        expect([program, words.shift()]).toEqual(['npx', 'banking-api-contract']);
        if (words[0] === 'mock') {
          await closing[Symbol.asyncDispose]();
          closing.mock = await listening(words, { cwd });
          url = closing.mock.url;
        } else ran.push([line, await command(words, { cwd })]);
      }
    }
  }
  const verify = 'npx banking-api-contract verify --spec library.yaml --target http://127.0.0.1:4010';
  expect(ran.map(([line, { code }]) => [line, code])).toEqual([
    [`${verify} --plan`, 0],
    [verify, 0],
    [verify, 1],
    ['npx banking-api-contract generate --spec library.yaml --out generated', 0],
    ['npx banking-api-contract lint --contract .', 1],
  ]);
  const outputs = ran.map(([, { out }]) => out);
  expect(outputs[0]).toMatch(/^read +GET \/books\/\{bookId\} /);
  expect(outputs[1]).toMatch(/^AGREES: 1 of 1 operation called, 2 of 2 documented fields seen/);
  expect(outputs[2]).toMatch(/^DRIFT: .*type-contradicted in\s+getBook/);
  expect(outputs[2]).toMatch(/\/dueDate[\s\S]*library\.yaml:\d+/);
  expect(await book()).toMatchObject({ shelf: 'A-17' });
});

class Closing implements AsyncDisposable {
  mock: Running | undefined;
  async [Symbol.asyncDispose](): Promise<void> {
    await this.mock?.[Symbol.asyncDispose]();
  }
}
