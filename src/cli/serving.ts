import { networkInterfaces } from 'node:os';
import { resolve } from 'node:path';
import type { Contract } from '../contract/contract.ts';
import { EXIT, ToolError } from '../errors.ts';
import type { JournalFile } from '../journal/write.ts';
import { isLoopback } from '../net/host.ts';
import { urlOf } from '../net/serving.ts';
import type { Redactor } from '../redact/redact.ts';
import type { Args, Flag } from './args.ts';
import { type Command, given, type Io } from './command.ts';

const MIB = 1024 * 1024;

export const JOURNAL_FLAGS: Readonly<Record<'journal' | 'journal-limit' | 'journal-shapes', Flag>> = {
  journal: { value: 'FILE', help: 'append every exchange, redacted, to this file (NDJSON)' },
  'journal-limit': {
    value: 'MIB',
    help: 'rotate the journal to FILE.1, FILE.2, … at this size',
  },
  'journal-shapes': { help: 'write types instead of values to the journal, so it contains no personal data' },
};

/** Opens the journal that the flags request. Contract, writer and redactor are loaded only if it needs them. */
export async function openJournal(
  args: Args,
  io: Io,
  load: { readonly redactor: () => Redactor | Promise<Redactor>; readonly contract: () => Promise<Contract> },
): Promise<JournalFile | undefined> {
  const file = args.text('journal');
  if (file === undefined) return undefined;
  const { createJournalWriter } = await import('../journal/write.ts');
  const mebibytes = args.integer('journal-limit', { min: 1, max: 1024 * 1024 });
  return createJournalWriter(resolve(io.cwd, file), {
    redactor: await load.redactor(),
    append: true,
    ...given({
      fileLimit: mebibytes && mebibytes * MIB,
      shapes: args.switch('journal-shapes') ? await load.contract() : undefined,
    }),
    onError: (error) => io.stderr.write(`${error.describe()}\n`),
  });
}

/** Runs a server. An interruption is its normal end, even while it starts. */
export function serving(run: Command['run']): Command['run'] {
  return async (args, io) => {
    try {
      return await run(args, io);
    } catch (error) {
      if (error instanceof ToolError && error.code === 'interrupted') return EXIT.agrees;
      throw error;
    }
  };
}

export function listenFlags(port: number): Readonly<Record<'port' | 'host', Flag>> {
  return {
    port: { value: 'PORT', help: `port to listen on; 0 picks a free port (${port})` },
    host: { value: 'ADDRESS', help: 'address to listen on (127.0.0.1)' },
  };
}

export function listenAddress(args: Args, port: number): { readonly port: number; readonly host?: string } {
  return { port: args.integer('port', { min: 0, max: 65_535 }) ?? port, ...given({ host: args.text('host') }) };
}

export function reachableLines(host: string | undefined): string[] {
  if (host === undefined || isLoopback(host)) return [];
  return [`Warning: it listens on ${host}, so other machines can reach it.`];
}

/** IPv4 first. Link-local IPv6 addresses are left out, because browsers do not accept them. */
export function reachableAddresses(host: string, port: number): string[] {
  const isAny = host === '0.0.0.0' || host === '::';
  if (!isAny) return [urlOf(host, port)];
  return Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ internal, family, address }) => {
      return !internal && (family === 'IPv4' || (host === '::' && !address.startsWith('fe80:')));
    })
    .sort((one, other) => one.family.localeCompare(other.family))
    .map(({ address }) => urlOf(address, port));
}
