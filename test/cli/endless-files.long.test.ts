import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { run } from '../../src/cli/run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeIo } from './io.ts';

/** Every way to pass a file to a command; `FILE` is the tested one. */
const WAYS: readonly string[] = [
  'accept FILE --reason r --expires 2026-12-31',
  'accept GOOD --reason r --expires 2026-12-31 --out FILE',
  'audit FILE',
  'audit --from FILE',
  'audit GOOD --overlay FILE',
  'audit GOOD --contract FILE',
  'diff FILE FILE',
  'diff GOOD FILE',
  'generate --out OUT --overlay FILE',
  'lint --overlay FILE',
  'mock --port 0 --overlay FILE',
  'mock --port 0 --profile FILE',
  'mock --port 0 --seed-data FILE',
  'mock --port 0 --scenario FILE',
  'mock --port 0 --store FILE',
  'proxy --port 0 --target http://127.0.0.1:1 --config FILE',
  'proxy --port 0 --target http://127.0.0.1:1 --overlay FILE',
  'record --target mock --config FILE --out OUT',
  'record --from FILE --out OUT',
  'record --from GOOD --out FILE',
  'report text FILE',
  'report html GOOD --history FILE',
  'spec --overlay FILE',
  'validate token FILE',
  'validate token FILE --lines',
  'verify --target mock --plan --baseline FILE',
  'verify --target mock --plan --config FILE',
  'verify --target mock --plan --overlay FILE',
  'verify --target mock --plan --previous FILE',
];

/** Files that are written or created are not read. */
const NOT_READ = new Set(['--out', '--store', '--history']);

describe.runIf(process.platform === 'linux')('files of unknown size', () => {
  const folder = temporaryFolder();

  async function said(way: string, file: string): Promise<{ code: number; err: string; ms: number }> {
    const cwd = await folder;
    const good = join(cwd, 'good.json');
    await writeFile(good, '{}');
    const argv = way.split(' ').map((word) => {
      if (word === 'FILE') return file;
      if (word === 'GOOD') return good;
      return word === 'OUT' ? join(cwd, 'out') : word;
    });
    const io = fakeIo({ cwd, signal: AbortSignal.timeout(15_000) });
    const started = performance.now();
    const code = await run(argv, io, commands);
    return { code, err: io.err(), ms: performance.now() - started };
  }

  test.each(WAYS)(
    'an endless file is not read forever, and a folder is reported as a folder: %s',
    async (way) => {
      const cwd = await folder;
      const inside = join(cwd, 'folder.json');
      mkdirSync(inside, { recursive: true });
      // with a name that a scenario may have
      const zero = join(cwd, 'zero.json');
      if (!existsSync(zero)) symlinkSync('/dev/zero', zero);
      for (const file of [zero, inside]) {
        const { code, err, ms } = await said(way, file);
        expect([0, 1, 2, 3, 4], `${file}: ${err}`).toContain(code);
        expect(ms, err).toBeLessThan(14_000);
        if (way.split(' ').some((word, index, words) => word === 'FILE' && NOT_READ.has(words[index - 1] ?? '')))
          continue;
        expect(code, err).not.toBe(0);
        expect(err).toMatch(/larger than \d+ [kM]B|no line end|folder|director/i);
      }
    },
    60_000,
  );

  test('a pipe without a writer does not block forever', async () => {
    const cwd = await folder;
    const ways = ['lint --overlay FILE', 'validate token FILE', 'audit FILE'];
    // the system opens at most four files in parallel
    const ended = await Promise.all(
      ways.map((way, index) => {
        const pipe = join(cwd, `pipe${index}.json`);
        execFileSync('mkfifo', [pipe]);
        return said(way, pipe);
      }),
    );
    for (const { code, err, ms } of ended) {
      expect([2, 3], err).toContain(code);
      expect(ms).toBeLessThan(14_000);
    }
  }, 60_000);
});
