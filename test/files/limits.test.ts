import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { parseYaml } from '../../src/contract/yaml.ts';
import { readTextFile, SEED } from '../../src/files/read.ts';
import { packageRoot } from '../../src/package-root.ts';
import { fakeIo } from '../cli/io.ts';
import { LINUX } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const KIB = 1024;

const folder = await temporaryFolder();

async function refused(argv: string, text: string): Promise<string> {
  await writeFile(join(folder, 'file.yaml'), text);
  const io = fakeIo({ cwd: folder, signal: AbortSignal.timeout(20_000) });
  expect(await run(argv.split(' '), io)).toBe(2);
  return io.err();
}

describe('F2: a file beyond its limit is rejected before it is parsed', () => {
  test.each([
    ['verify --plan --target mock --config file.yaml', 'configuration (--config)', 256 * KIB],
    ['mock --port 0 --scenario file.yaml', 'scenario (--scenario)', 256 * KIB],
    ['mock --port 0 --profile ./file.yaml', 'profile (--profile)', 256 * KIB],
    ['mock --port 0 --seed-data file.yaml', 'seed (--seed-data)', 20 * KIB * KIB],
    ['verify --target mock --baseline file.yaml', 'baseline (--baseline)', 20 * KIB * KIB],
  ])('%s reports the size, the limit and the setting', async (argv, named, most) => {
    const limit = most < KIB * KIB ? '256 kB' : '20 MB';
    const size = most < KIB * KIB ? '257 kB' : '20.1 MB';
    const said = await refused(argv, '#'.repeat(most + 1));
    expect(said).toContain(`The ${named} is larger than ${limit}, the limit. It has ${size}.`);
    // the largest permitted file is read
    await writeFile(join(folder, 'largest.yaml'), '#'.repeat(most));
    expect(await readTextFile(join(folder, 'largest.yaml'), { ...SEED, most })).toHaveLength(most);
  });

  test('a file with very many values is rejected with their number', async () => {
    const said = await refused('verify --plan --target mock --config file.yaml', `a: [${'[],'.repeat(40_000)}]`);
    expect(said).toContain('It holds 80001 values; the limit is 30000 for YAML. Write it as JSON.');
    await expect(parseYaml(`a: ${'x'.repeat(11 * KIB * KIB)}`, 'seed.yaml', 'config')).rejects.toThrow('10 MB');
    const json = `[${'1,'.repeat(150_000)}1]`;
    await expect(parseYaml(json, 'seed.json', 'config')).rejects.toThrow('150001 values; the limit is 150000');
    const { value } = await parseYaml(`[${'1,'.repeat(100_000)}1]`, 'seed.json', 'config');
    expect(value).toHaveLength(100_001);
  });

  test.each([
    '['.repeat(25_000),
    '- '.repeat(70_000),
    '? '.repeat(40_000),
    `${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`,
  ])('a very deeply nested file is rejected', async (text) => {
    await expect(parseYaml(text, 'deep.yaml', 'config')).rejects.toThrow('nested');
  });

  test('a file with very many mistakes is rejected in one pass', async () => {
    const records = Array.from({ length: 6000 }, (_, index) => ({ clientId: `c-${index}`, oops: 1 }));
    const started = process.cpuUsage();
    const said = await refused('mock --port 0 --seed-data file.yaml', JSON.stringify({ clients: records }));
    const { user } = process.cpuUsage(started);
    expect(said.match(/There is no key "oops"|A client has no oops/g)?.length).toBeGreaterThan(100);
    expect(user / 1e6).toBeLessThan(10);
  });
});

test.each([
  ['JSON', '{\n  "a": [1, {"b": 2}],\n  "c": 3\n}'],
  ['YAML', '{\n  "a": [1, {"b": 2}],\n  "c": 3 # the third\n}'],
])('%s has positions of keys, values and duplicates', async (_, text) => {
  const { positionsOf } = await parseYaml(text, 'placed', 'config');
  const place = positionsOf(['/a/1/b', '/c', '/c/d']);
  expect(place('/a/1/b', 'key')).toEqual({ line: 2, column: 13 });
  expect(place('/a/1/b', 'value')).toEqual({ line: 2, column: 18 });
  expect(place('/c/d', 'key')).toEqual({ line: 3, column: 8 });
  await expect(parseYaml(text.replace('"c"', '"a"'), 'twice', 'config')).rejects.toMatchObject({
    message: 'The key stands twice in one object.',
    place: { line: 3, column: 3 },
  });
});

test('F2: a signal ends a command at once while it loads', LINUX, async () => {
  const pipe = join(folder, 'pipe.yaml');
  execFileSync('mkfifo', [pipe]);
  const argv = ['verify', '--plan', '--target', 'mock', '--config', pipe];
  const child = spawn(process.execPath, [join(packageRoot, 'bin/banking-api.js'), ...argv], { stdio: 'ignore' });
  // from here on it waits for a writer
  const writer = spawn('sh', ['-c', `exec 3>'${pipe}'; echo there; sleep 60`]);
  await once(writer.stdout, 'data');
  child.kill('SIGTERM');
  const [code, signal] = await once(child, 'exit');
  writer.kill('SIGKILL');
  expect([code, signal]).toEqual([null, 'SIGTERM']);
});
