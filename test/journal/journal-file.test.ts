import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createJournalWriter, type JournalOptions, numberedAfter } from '../../src/journal/write.ts';
import { POSIX } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { exchange } from './exchanges.ts';

let files = 0;
const folder = await temporaryFolder();
function fresh(): string {
  files += 1;
  return join(folder, `${files}.ndjson`);
}

async function write(file: string, count: number, options: JournalOptions = { append: true }): Promise<void> {
  const writer = createJournalWriter(file, options);
  for (let seq = 1; seq <= count; seq += 1) {
    writer.append(numberedAfter(exchange({ seq, connection: 1 }), writer.last));
  }
  await writer.close();
}

const entries = (file: string): { seq: number; connection: number | null }[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { seq: number; connection: number | null });

describe('an existing journal', () => {
  test('a journal is continued with further numbers and new connection numbers', async () => {
    const file = fresh();
    await write(file, 3);
    await write(file, 2);
    await write(file, 1);
    expect(entries(file).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(entries(file).map(({ connection }) => connection)).toEqual([1, 1, 1, 4, 4, 6]);
  });

  test('a continued journal loses only the incomplete line of a killed writer', async () => {
    const file = fresh();
    await write(file, 2);
    writeFileSync(file, '{"v":1,"seq":3,"sta', { flag: 'a' });
    await write(file, 1);
    expect(entries(file).map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });

  test('a file that is not a journal is left unchanged', POSIX, () => {
    for (const text of ['a letter\n', '{"no":"seq"}\n', '[]\n', 'one\ntwo\n', 'a letter', '{"reportVersion":1}']) {
      const file = fresh();
      writeFileSync(file, text, { mode: 0o644 });
      expect(() => createJournalWriter(file, { append: true })).toThrow(/no journal/);
      expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual([text, 0o644]);
    }
  });

  test('a journal may be empty, or one truncated line', async () => {
    for (const text of ['', '{"v":1,"se']) {
      const file = fresh();
      writeFileSync(file, text);
      await write(file, 1);
      expect(entries(file).map(({ seq }) => seq)).toEqual([1]);
    }
  });
});

test('a journal becomes readable only by its owner, even if it was not before', POSIX, async () => {
  const [old, young] = [fresh(), fresh()];
  writeFileSync(old, '');
  chmodSync(old, 0o644);
  for (const file of [old, young]) {
    await write(file, 1);
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
  }
});

test(
  'a large journal is rotated: every part is a journal, readable only by its owner, and complete',
  POSIX,
  async () => {
    const file = fresh();
    const writer = createJournalWriter(file, { append: true, fileLimit: 20_000 });
    for (let seq = 1; seq <= 200; seq += 1) {
      writer.append(exchange({ seq }));
      if (seq % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await writer.close();
    const name = file.slice(folder.length + 1);
    const parts = readdirSync(folder).filter((each) => each.startsWith(`${name}.`));
    expect(parts.length).toBeGreaterThan(2);
    const all = [...parts, name].flatMap((part) => entries(join(folder, part)).map(({ seq }) => seq));
    expect(all.sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
    for (const part of [...parts, name]) {
      expect(statSync(join(folder, part)).size).toBeLessThanOrEqual(20_000);
      expect((statSync(join(folder, part)).mode & 0o777).toString(8)).toBe('600');
    }
  },
);

test('the next writer may continue a rotated journal', async () => {
  const file = fresh();
  await write(file, 40, { append: true, fileLimit: 5000 });
  await write(file, 40, { append: true, fileLimit: 5000 });
  const name = file.slice(folder.length + 1);
  const seqs = readdirSync(folder)
    .filter((each) => each === name || each.startsWith(`${name}.`))
    .flatMap((part) => entries(join(folder, part)).map(({ seq }) => seq));
  expect(seqs.sort((a, b) => a - b)).toEqual(Array.from({ length: 80 }, (_, index) => index + 1));
});
