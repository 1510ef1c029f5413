import { describe, expect, it } from 'vitest';
import type { Args } from '../../src/cli/args.ts';
import type { Command, CommandRow } from '../../src/cli/command.ts';
import { run } from '../../src/cli/run.ts';
import { ToolError } from '../../src/errors.ts';
import { fakeIo } from './io.ts';

function command(over: Partial<Command> = {}): Command {
  return {
    synopsis: 'NAME…',
    flags: {
      port: { value: 'N', help: 'a port' },
      loud: { help: 'in capitals' },
      overlay: { value: 'FILE', repeatable: true, help: 'an overlay' },
      'fail-on': { value: 'SEVERITY', help: 'error, warning or info' },
    },
    exits: { 0: 'greeted', 1: 'nobody there' },
    run: async () => 0,
    ...over,
  };
}

function tableOf(...list: Command[]): CommandRow[] {
  return list.map((command) => ({ name: 'greet', summary: 'greet somebody', load: async () => ({ command }) }));
}

async function argsOf(...argv: string[]): Promise<Args> {
  let seen: Args | undefined;
  const io = fakeIo();
  const spy = command({
    async run(args) {
      seen = args;
      return 0;
    },
  });
  const code = await run(['greet', ...argv], io, tableOf(spy));
  if (code !== 0 || seen === undefined) throw new Error(io.err());
  return seen;
}

describe('run', () => {
  it('a command gets its flags and positionals, including those after --', async () => {
    const args = await argsOf('Ann', '--port', '80', '--loud', '--overlay=a.yaml', '--overlay', 'b.yaml', '--', '-Bob');
    expect(args.integer('port', { min: 0, max: 65535 })).toBe(80);
    expect(args.switch('loud')).toBe(true);
    expect(args.list('overlay')).toEqual(['a.yaml', 'b.yaml']);
    expect(args.positionals).toEqual(['Ann', '-Bob']);
    expect(args.text('fail-on')).toBeUndefined();
  });

  it('arguments after -- stay separate if the synopsis contains --', async () => {
    let rest: readonly string[] = [];
    const drive = command({
      synopsis: '-- COMMAND…',
      async run(args) {
        rest = args.rest;
        return 0;
      },
    });
    expect(await run(['greet', '--', 'npm', '--loud'], fakeIo(), tableOf(drive))).toBe(0);
    expect(rest).toEqual(['npm', '--loud']);
  });

  it.each([
    [['greet', '--prot', '1'], /Unknown flag: --prot\. Did you mean --port\?/],
    [['greet', '-p'], /Unknown flag: -p/],
    [['greet', '--port'], /value N of --port is missing/],
    [['greet', '--port', '--loud'], /value N of --port is missing/],
    [['greet', '--port='], /value N of --port is missing/],
    [['greet', '--port', '1', '--port', '2'], /--port appears twice/],
    [['greet', '--loud=yes'], /--loud takes no value/],
    [['gret'], /Unknown command: "gret"\. Did you mean greet\?/],
    [['--loud', 'greet'], /comes before its flags/],
    [['constructor'], /Unknown command: "constructor"/],
    [['greet', '--constructor'], /Unknown flag: --constructor/],
    [['greet', '--__proto__'], /Unknown flag: --__proto__/],
    [[], /No command given/],
  ])('%j exits with 2 and explains the fix', async (argv, message) => {
    const io = fakeIo();
    expect(await run(argv, io, tableOf(command()))).toBe(2);
    expect(io.err()).toMatch(message);
    expect(io.out()).toBe('');
  });

  it('a number out of range and an unknown word exit with 2', async () => {
    const picky = command({
      async run(args) {
        args.integer('port', { min: 0, max: 65535 });
        args.choice('fail-on', ['error', 'warning', 'info']);
        return 0;
      },
    });
    const io = fakeIo();
    for (const argv of [
      ['--port', '65536'],
      ['--port', '0x10'],
      ['--port', '1.5'],
      ['--fail-on', 'warnings'],
    ]) {
      expect(await run(['greet', ...argv], io, tableOf(picky))).toBe(2);
    }
    expect(io.err()).toMatch(/--port must be a whole number from 0 to 65535, not "65536"/);
    expect(io.err()).toMatch(/--fail-on wants error, warning or info, not "warnings"\. Did you mean warning\?/);
  });

  it('an unexpected argument is rejected', async () => {
    const { synopsis: _, ...bare } = command();
    const io = fakeIo();
    expect(await run(['greet', 'x'], io, tableOf(bare))).toBe(2);
    expect(await run(['greet', '--', 'x'], io, tableOf(bare))).toBe(2);
  });

  it.each([0, 1, 2, 3, 4, 5, 70, 130] as const)('the last line on stderr explains exit code %i', async (code) => {
    const io = fakeIo();
    expect(await run(['greet'], io, tableOf(command({ run: async () => code })))).toBe(code);
    const last = io.err().trimEnd().split('\n').at(-1);
    expect(last).toMatch(new RegExp(`^banking-api greet: exit ${code} \\(.{2,}\\)$`));
  });

  it('a ToolError exits with its code, and prints place, message and hint without a stack trace', async () => {
    const broken = command({
      async run() {
        throw new ToolError('spec-invalid', 'It is broken.', {
          place: { file: 'a.yaml', line: 3, column: 7 },
          hint: 'Mend it.',
        });
      },
    });
    const io = fakeIo();
    expect(await run(['greet'], io, tableOf(broken))).toBe(3);
    expect(io.err()).toContain('a.yaml:3:7: It is broken. Mend it.');
    expect(io.err()).not.toMatch(/^\s+at /m);
  });

  it.each([new Error('boom'), 'a string', null, undefined, { odd: 1 }])(
    'a thrown %s exits with 70 and explains how to report it',
    async (thrown) => {
      const broken = command({
        async run() {
          throw thrown;
        },
      });
      const io = fakeIo();
      expect(await run(['greet'], io, tableOf(broken))).toBe(70);
      expect(io.err()).toMatch(/bug in banking-api, not in your input\. Please report it/);
      expect(io.err()).toContain(process.version);
    },
  );

  it('the help of a command lists its flags and exit codes', async () => {
    for (const argv of [
      ['greet', '--help'],
      ['greet', '--port', '1', '-h'],
      ['help', 'greet'],
    ]) {
      const io = fakeIo();
      expect(await run(argv, io, tableOf(command()))).toBe(0);
      expect(io.out()).toContain('Usage: banking-api greet [flags] NAME…');
      expect(io.out()).toMatch(/--overlay FILE\s+an overlay \(may be repeated\)/);
      expect(io.out()).toMatch(/\n {2}0 {3}greeted\n {2}1 {3}nobody there\n {2}2 {3}/);
      expect(io.err()).toBe('');
    }
  });
});

it.each([
  ['audit', /Name one source/],
  ['audit a.ndjson --from b.har', /Name one source/],
  ['audit a.ndjson b.ndjson', /Name one source/],
  ['audit --drive', /--drive needs a program after --/],
  ['audit --drive --callers by-connection -- node', /Remove --callers by-connection/],
  ['audit a.ndjson -- node', /A program after -- needs --drive/],
  ['audit a.ndjson --timeout 5', /--timeout needs --drive/],
  ['audit a.ndjson --env NAME', /--env and --inherit-env need --drive/],
  ['audit a.ndjson --inherit-env', /--env and --inherit-env need --drive/],
  ['record', /--out is missing/],
  ['record --out a.yaml --from b.har --samples 2', /--from sends no requests\. Remove --samples/],
  ['survive -- ', /survive needs a program/],
  ['survive --outcome a.json -- node', /--outcome needs --intent-key/],
  ['survive --intent-key path:/a -- node', /--intent-key must be header:NAME or json:\/POINTER/],
])('banking-api %s exits with 2 and explains the fix', async (line, message) => {
  const io = fakeIo();
  expect(await run(line.trim().split(' '), io)).toBe(2);
  expect(io.err()).toMatch(message);
  expect(io.out()).toBe('');
});
