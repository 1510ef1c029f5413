import { setTimeout as wait } from 'node:timers/promises';
import type { Io } from '../../src/cli/command.ts';
import { run } from '../../src/cli/run.ts';
import type { Report } from '../../src/model/report.ts';
import { fakeIo } from './io.ts';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs one command to its end, in its own folder and environment. */
export async function command(argv: readonly string[], over: Partial<Io> = {}): Promise<Ran> {
  const io = fakeIo(over);
  const code = await run(argv, io);
  return { code, out: io.out(), err: io.err() };
}

/** The JSON report of a command; throws its errors if there is no report. */
export async function report(argv: readonly string[], over: Partial<Io> = {}): Promise<Report> {
  const { code, out, err } = await command([...argv, '--report', 'json'], over);
  if (!out.startsWith('{')) throw new Error(`exit ${code}: ${err}`);
  return JSON.parse(out) as Report;
}

export interface Running extends AsyncDisposable {
  readonly url: string;
  /** Interrupts it; returns its output at the end. */
  end(): Promise<Ran>;
}

/** A command that listens until it is interrupted: `mock` or `proxy`. */
export async function listening(argv: readonly string[], over: Partial<Io> = {}): Promise<Running> {
  const interruption = new AbortController();
  const io = fakeIo({ ...over, signal: interruption.signal });
  let code: number | undefined;
  const ended = run([...argv, '--port', '0'], io).then((given) => {
    code = given;
  });
  const said = (): string | undefined => /https?:\/\/127\.0\.0\.1:\d+/.exec(`${io.out()}\n${io.err()}`)?.[0];
  for (const deadline = Date.now() + 30_000; said() === undefined; await wait(10)) {
    if (code !== undefined || Date.now() > deadline) throw new Error(`it does not listen: ${io.out()}${io.err()}`);
  }
  const end = async (): Promise<Ran> => {
    interruption.abort('SIGINT');
    await ended;
    return { code: code ?? -1, out: io.out(), err: io.err() };
  };
  return {
    url: said() ?? '',
    end,
    async [Symbol.asyncDispose]() {
      await end();
    },
  };
}
