import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { run } from '../../src/cli/run.ts';
import { diff } from '../../src/diff/diff.ts';
import { verify } from '../../src/run/verify.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeIo } from './io.ts';

const NOTHING = {
  exitCode: 130,
  verdict: 'inconclusive',
  findings: [],
  checks: [],
  notices: [{ code: 'interrupted', message: 'Interrupted while the contract was loaded.', location: null }],
};
const RECORDING = 'overlay: 1.0.0\ninfo: { title: Seen, version: "1" }\nx-provenance: observed\nactions: []\n';

test('a command interrupted while it loads its contract writes a report that states the interruption', async () => {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'journal.ndjson'), '');
  await writeFile(join(cwd, 'recording.yaml'), RECORDING);
  const signal = AbortSignal.abort();
  const recording = join(cwd, 'recording.yaml');
  const running = [
    verify({ signal, target: 'mock' }),
    verify({ signal, target: 'http://127.0.0.1:9' }),
    diff({ signal, before: recording, after: recording }),
  ];
  for (const report of await Promise.all(running)) expect(report).toMatchObject(NOTHING);

  const audit = ['audit', 'journal.ndjson', '--report', 'json=audit.json', '--report', 'text'];
  const io = fakeIo({ cwd, signal });
  expect(await run(audit, io, commands)).toBe(130);
  expect(io.out()).toContain('INTERRUPTED');
  expect(io.err()).toContain('exit 130 (interrupted)');
  expect(JSON.parse(readFileSync(join(cwd, 'audit.json'), 'utf8'))).toMatchObject(NOTHING);

  // an interruption is the normal end of a proxy
  const proxy = ['proxy', '--target', 'http://127.0.0.1:9', '--port', '0', '--report', 'json=proxy.json'];
  expect(await run(proxy, fakeIo({ cwd, signal }), commands)).toBe(0);
  expect(JSON.parse(readFileSync(join(cwd, 'proxy.json'), 'utf8'))).toMatchObject({ ...NOTHING, exitCode: 0 });
});

test('an unwritable history does not lose the report, and an interruption takes precedence', async () => {
  const cwd = await temporaryFolder();
  // its file names are longer than those tried before the run, and the system rejects paths of 4096 bytes
  const rest = 4030 - cwd.length;
  const history = join(
    cwd,
    ...Array.from({ length: Math.floor(rest / 201) }, () => 'h'.repeat(200)),
    'h'.repeat(rest % 201),
  );
  const argv = ['verify', '--target', 'mock', '--history', history, '--report', 'json=report.json', '--report', 'text'];
  const io = fakeIo({ cwd, signal: AbortSignal.abort() });
  expect(await run(argv, io, commands)).toBe(130);
  expect(io.err()).toContain('It cannot be written (ENAMETOOLONG).');
  expect(io.out()).toContain('INTERRUPTED');
  expect(JSON.parse(readFileSync(join(cwd, 'report.json'), 'utf8'))).toMatchObject(NOTHING);
});
