import { describe, expect, test } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { fakeIo } from '../cli/io.ts';
import { evolveAll, READERS, readerFile } from './readers.ts';

const REAL = { timeout: 300_000 };

async function evolved(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const io = fakeIo({ env: process.env });
  const code = await run(['survive', ...args], io);
  return { code, out: io.out(), err: io.err() };
}
const reader = (way: string): string[] => ['--', process.execPath, readerFile, way];

describe('the corpus of readers: each change that breaks a program is found, and no other', () => {
  test.each(READERS.map((reader) => [reader.name, reader] as const))('%s', REAL, async (_, reader) => {
    const { breaks, evolved } = await evolveAll(reader);
    expect(breaks).toEqual(reader.breaks);
    expect(evolved).toMatchObject({ obstacle: null, untried: [], interrupted: false });
    expect(new Set(evolved.mutations.map(({ kind }) => kind))).toEqual(
      new Set(['members', 'order', 'header', 'status', 'word', 'long-id', 'large', 'many', 'empty']),
    );
  });
});

test('survive --evolve reports the change, the fact, the last lines and a command that repeats it', REAL, async () => {
  const { code, out } = await evolved('--evolve', '--report', 'json', ...reader('members'));
  expect(code).toBe(1);
  const [finding] = JSON.parse(out).findings;
  expect(finding).toMatchObject({
    rule: 'evolution-not-tolerated',
    severity: 'warning',
    operationId: 'getCard',
    pointer: '',
    actual: 'exited with 1',
  });
  expect(finding.message).toContain('The contract allows members that it does not name.');
  expect(finding.message).toContain('Error: unknown member');
  const again = /`banking-api survive (.*?)`/.exec(finding.message)?.[1]?.split(' ') ?? [];
  expect(again).toEqual(['--evolve=getCard:members', ...reader('members')]);
  const repeated = await evolved('--report', 'json', ...again);
  expect(repeated.code).toBe(1);
  expect(JSON.parse(repeated.out).findings).toMatchObject([{ fingerprint: finding.fingerprint }]);
  expect((await evolved('--evolve=getCard:order', ...reader('members'))).code).toBe(0);
});

test('survive --evolve=hostile reports optional members as infos, and passes', REAL, async () => {
  const { code, out } = await evolved('--evolve=hostile', '--report', 'json', ...reader('tolerant'));
  const { findings } = JSON.parse(out);
  expect(code).toBe(0);
  expect(new Set(findings.map(({ severity }: { severity: string }) => severity))).toEqual(new Set(['info']));
  expect(findings.map(({ operationId, pointer }: Record<string, string>) => `${operationId} ${pointer}`)).toContain(
    'getCard /cardId',
  );
});

test('survive --evolve exits with 4 for an unknown change, and for a program that fails by itself', REAL, async () => {
  const unknown = await evolved('--evolve=getCard:colour', ...reader('tolerant'));
  expect(unknown.code).toBe(4);
  expect(unknown.out).toContain('No answer allows the change getCard:colour.');
  const failing = await evolved('--evolve', '--', process.execPath, '-e', 'process.exit(3)');
  expect(failing.code).toBe(4);
  expect(failing.out.replace(/\s+/g, ' ')).toContain('The program exited with 3 although nothing was disturbed.');
});

test('changes that only break a program together are one finding', REAL, async () => {
  const { breaks, evolved } = await evolveAll({ name: 'both', what: '', breaks: [] });
  expect(breaks).toEqual(['getCard:members + getCard:order']);
  expect(evolved.causes).toHaveLength(1);
});
