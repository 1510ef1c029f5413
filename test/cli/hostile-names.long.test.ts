import { mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { run } from '../../src/cli/run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeIo } from './io.ts';

/**
 * Moves the cursor, sets a title, starts a line with a workflow command, reverses the text direction, and ends a
 * script.
 */
const HOSTILE = '\u001b[2J\u001b]0;x\u0007\r\n::error::x\u202e\u2028\u0085</script>';
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const MOVES = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

const overlay = (update: unknown, target = '$.components.schemas', more: object = {}): string =>
  JSON.stringify({ overlay: '1.0.0', info: { title: HOSTILE, version: '1' }, actions: [{ target, update }], ...more });
const REPORT = {
  reportVersion: 1,
  tool: { name: HOSTILE, version: HOSTILE },
  command: 'verify',
  target: { kind: 'url', baseUrl: HOSTILE },
  startedAt: HOSTILE,
  durationMs: 1,
  exitCode: 1,
  verdict: 'drift',
};

/** Files by name, each with a different mistake. */
const FILES: Readonly<Record<string, string>> = {
  'overlay-key.json': overlay({ [HOSTILE]: { $ref: `#/nothing/${encodeURIComponent(HOSTILE)}` } }),
  'overlay-target.json': overlay({}, `$.components['${HOSTILE.replaceAll(/[^\x20-\x7e]/g, ' ')}']`),
  'overlay-bad-target.json': overlay({}, `$[${HOSTILE}`),
  'overlay-provenance.json': overlay({}, '$.info', { 'x-provenance': HOSTILE }),
  'overlay-pattern.json': overlay({ [HOSTILE]: { type: 'string', pattern: `(a+)\\1${HOSTILE}` } }),
  'overlay-path.json': overlay({ [HOSTILE]: { get: {} } }, '$.paths'),
  'overlay-operation.json': overlay({ '/x': { get: { operationId: HOSTILE, responses: 1 } } }, '$.paths'),
  'overlay-schema.json': overlay({
    [HOSTILE]: { type: HOSTILE, properties: { [HOSTILE]: { type: 'string', format: HOSTILE, example: 1 } } },
  }),
  'broken.json': `{"${HOSTILE}": nonsense ${HOSTILE}`,
  'broken.yaml': `a: [${HOSTILE}\nb: *${HOSTILE}`,
  'key.json': JSON.stringify({ [HOSTILE]: HOSTILE }),
  'report.json': JSON.stringify({ ...REPORT, [HOSTILE]: 1 }),
  'report-more.json': JSON.stringify({
    ...REPORT,
    findings: [{ fingerprint: HOSTILE, rule: HOSTILE, severity: HOSTILE, message: HOSTILE, pointer: HOSTILE }],
    checks: [{ id: HOSTILE, outcome: HOSTILE, reason: HOSTILE }],
  }),
  'journal.ndjson': `${JSON.stringify({ v: HOSTILE, [HOSTILE]: 1 })}\n${HOSTILE}\n`,
  'journal-entry.ndjson': `${JSON.stringify({ v: 1, seq: 1, method: HOSTILE, path: HOSTILE, [HOSTILE]: HOSTILE })}\n`,
  'capture.har': JSON.stringify({
    log: { entries: [{ [HOSTILE]: HOSTILE, request: { method: HOSTILE, url: HOSTILE } }] },
  }),
};
const names = Object.keys(FILES);
const overlays = names.filter((name) => /^overlay|^broken|^key/.test(name));

const WAYS: readonly (readonly string[])[] = [
  ...overlays.flatMap((file) => [
    ['lint', '--overlay', file],
    ['spec', '--overlay', file],
    ['audit', 'journal.ndjson', '--overlay', file],
    ['generate', '--out', 'out', '--overlay', file],
    ['verify', '--target', 'mock', '--plan', '--overlay', file],
  ]),
  ...names.flatMap((file) => [
    ['audit', file],
    ['audit', '--from', file],
    ['accept', file, '--reason', 'r', '--expires', '2026-12-31'],
    ['diff', file, file],
    ['record', '--from', file, '--out', 'recorded.yaml'],
    ['report', 'text', file],
    ['report', 'markdown', file],
    ['report', 'github', file],
    ['report', 'gitlab', file],
    ['validate', 'token', file],
    ['validate', 'token', file, '--lines'],
    ['verify', '--target', 'mock', '--plan', '--config', file],
    ['verify', '--target', 'mock', '--plan', '--baseline', file],
    ['mock', '--port', '0', '--seed-data', file],
    ['mock', '--port', '0', '--profile', `./${file}`],
    ['mock', '--port', '0', '--scenario', `./${file}`],
    ['mock', '--port', '0', '--store', file],
  ]),
  // names that are hostile themselves
  ...commands.flatMap(({ name }) => [
    [name, HOSTILE],
    [name, `--${HOSTILE}`],
    [name, '--overlay', HOSTILE],
    [name, '--contract', HOSTILE],
    [name, '--config', HOSTILE],
    [name, '--target', `http://${HOSTILE}/`],
    [name, '--report', HOSTILE],
    [name, '--report', `json=${HOSTILE}/x`],
    [name, '--from', HOSTILE],
    [name, '--out', `${HOSTILE}/x`],
  ]),
  [HOSTILE],
  ['validate', HOSTILE, 'key.json'],
  ['report', HOSTILE, 'report.json'],
  ['mock', '--port', HOSTILE],
  ['mock', '--host', HOSTILE],
  ['mock', '--scenario', HOSTILE],
  ['mock', '--profile', HOSTILE],
  ['mock', '--store', `redis://${HOSTILE}`],
  ['mock', '--sunset', HOSTILE],
  ['mock', '--allow-host', HOSTILE],
  ['mock', '--allow-webhook', HOSTILE],
  ['audit', '--mock', HOSTILE],
  ['audit', '--drive', '--', HOSTILE],
];

test('no error prints control characters or workflow commands from a file or a flag', async () => {
  const cwd = await temporaryFolder();
  mkdirSync(join(cwd, 'out'));
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(cwd, name), text);
  const wrong: string[] = [];
  let failed = 0;
  for (const argv of WAYS) {
    const io = fakeIo({ cwd, env: { BANKING_API_BASE_URL: `http://${HOSTILE}` }, signal: AbortSignal.abort() });
    const code = await run(argv, io, commands);
    failed += code === 0 ? 0 : 1;
    // `spec` prints the document itself, and `report` has its own tests
    const said = io.err() + (['spec', 'report'].includes(argv[0] ?? '') ? '' : io.out());
    if (MOVES.test(said) || /^::error/m.test(said)) wrong.push(`${JSON.stringify(argv)} ${JSON.stringify(said)}`);
    if (code === 70) wrong.push(`${JSON.stringify(argv)} ends with 70: ${io.err()}`);
  }
  expect(wrong.map((line) => line.slice(0, 600))).toEqual([]);
  expect(failed).toBeGreaterThan(WAYS.length / 2);
}, 120_000);
