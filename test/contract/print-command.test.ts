import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { command } from '../../src/cli/commands/spec.ts';
import { run } from '../../src/cli/run.ts';
import { loadContract } from '../../src/contract/load.ts';
import { packageRoot } from '../../src/package-root.ts';
import { folderWith } from './support.ts';

/** Runs `banking-api spec` with flags. */
async function spec(
  argv: readonly string[],
  cwd: string = packageRoot,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const out = { stdout: '', stderr: '' };
  const stream = (name: 'stdout' | 'stderr') => ({ write: (text: string) => (out[name] += text) });
  const io = { stdout: stream('stdout'), stderr: stream('stderr'), env: {}, cwd, signal: new AbortController().signal };
  const table = [{ name: 'spec', summary: '', load: async () => ({ command }) }];
  return { code: await run(['spec', ...argv], io, table), ...out };
}

describe('banking-api spec', () => {
  test('spec prints the bundle as YAML without stamps', async () => {
    const { code, stdout } = await spec([]);
    expect(code).toBe(0);
    expect(parse(stdout)).toEqual((await loadContract()).document);
    expect(stdout).not.toContain('x-provenance');
  });

  test('spec prints JSON with overlays applied in order, and with stamps on request', async () => {
    const overlay = (title: string): string =>
      `overlay: 1.0.0\nx-provenance: observed\ninfo: { title: T, version: '1' }\nactions:\n  - target: $.components.schemas\n    update: { Seen: { title: ${title} } }\n`;
    const folder = await folderWith({ 'a.yaml': overlay('A'), 'b.yaml': overlay('B') });
    const { code, stdout } = await spec(
      ['--format', 'json', '--provenance', '--overlay', 'a.yaml', '--overlay', 'b.yaml'],
      folder,
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout).components.schemas.Seen).toEqual({ title: 'B', 'x-provenance': 'observed' });
  });

  test('spec prints notices of the loader to stderr, with their place', async () => {
    const folder = await folderWith({
      'o.yaml': "overlay: 1.0.0\ninfo: { title: T, version: '1' }\nactions:\n  - target: $.nowhere\n    update: {}\n",
    });
    const { code, stderr } = await spec(['--overlay', 'o.yaml'], folder);
    expect(code).toBe(0);
    expect(stderr).toMatch(/o\.yaml:4:13.*\$\.nowhere matches nothing/);
  });

  test('spec prints the contract of another folder', async () => {
    const { code, stdout } = await spec(['--contract', 'examples/second-api', '--format', 'json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).info.title).toBe('Columba Post');
    expect(await spec(['--contract', 'docs'])).toMatchObject({ code: 2, stdout: '' });
  });

  test('M14: a bad overlay exits with 3, a missing one with 2, with one line on stderr and an empty stdout', async () => {
    const folder = await folderWith({ 'bad.yaml': 'overlay: 1.0.0\nactions: [\n' });
    const bad = await spec(['--overlay', 'bad.yaml'], folder);
    expect(bad).toMatchObject({ code: 3, stdout: '' });
    expect(bad.stderr).toMatch(/bad\.yaml:3:1/);
    expect(bad.stderr).not.toMatch(/\.[jt]s:\d/);
    expect(await spec(['--overlay', 'none.yaml'], folder)).toMatchObject({ code: 2, stdout: '' });
    expect(await spec(['--format', 'xml'])).toMatchObject({ code: 2, stdout: '' });
  });
});
