import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { parseYaml } from '../../src/contract/yaml.ts';
import { readTextFile } from '../../src/files/read.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A file with one map of this many keys, optionally with one key repeated at the end. */
function wide(keys: number, again = false): string {
  const lines = Array.from({ length: keys }, (_, index) => `  key${index}: { type: string }`);
  return ['properties:', ...lines, ...(again ? ['  key7: {}'] : []), ''].join('\n');
}

const read = (text: string) => parseYaml(text, 'wide.yaml', 'config');

describe('files with very many keys', () => {
  test('a wide file is read in time linear in its size', async () => {
    const fastest = async (keys: number): Promise<number> => {
      const text = wide(keys);
      let best = Infinity;
      for (let round = 0; round < 2; round += 1) {
        const started = process.cpuUsage();
        await read(text);
        const { user, system } = process.cpuUsage(started);
        best = Math.min(best, user + system);
      }
      return best;
    };
    await fastest(300);
    const few = await fastest(1000);
    expect((await fastest(4000)) / few).toBeLessThan(9);
  }, 60_000);

  test('a wide file is rejected at the second of two equal keys', async () => {
    await expect(read(wide(2000, true))).rejects.toMatchObject({
      place: { file: 'wide.yaml', line: 2002, column: 3 },
      message: expect.stringMatching('twice'),
    });
  });
});

test('a file is read even if the process was busy for a long time after opening it', async () => {
  const file = join(await temporaryFolder(), 'config.yaml');
  await writeFile(file, 'it: stands\n');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const reading = readTextFile(file);
  vi.advanceTimersByTime(60_000);
  expect(await reading).toBe('it: stands\n');
});
