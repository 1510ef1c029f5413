import type { Audited } from '../audit/judge-caller.ts';
import { variablesIn } from '../config/named-variables.ts';
import type { ContractFolder } from '../contract/folder.ts';
import type { DriveOptions } from '../drive/drive.ts';
import type { Finding, Severity } from '../model/finding.ts';
import { counts } from '../model/verdict.ts';
import { plain } from '../text/plain.ts';
import type { Args, Flag } from './args.ts';
import type { Io } from './command.ts';
import { folderText } from './contract.ts';
import { verboseLine } from './verbose.ts';

export interface Load {
  readonly folder: ContractFolder;
  readonly overlays: readonly string[];
}

/** Flags of the commands that run a program. @param when start of each help text, for instance `with --drive: ` */
export function driveFlags(when = ''): Readonly<Record<'timeout' | 'env' | 'inherit-env' | 'verbose', Flag>> {
  return {
    timeout: { value: 'SECONDS', help: `${when}time for each situation (30)` },
    env: {
      value: 'NAME',
      repeatable: true,
      help: `${when}pass on this variable even if its name looks like a credential`,
    },
    'inherit-env': { help: `${when}pass the whole environment on` },
    verbose: { help: `${when}print each request of the program on stderr` },
  };
}

export async function driveOptions(args: Args, io: Io, load: Load): Promise<DriveOptions> {
  const { programEnvironment } = await import('../drive/environment.ts');
  io.stderr.write(folderText(load.folder));
  const timeout = args.integer('timeout', { min: 1, max: 3_600 });
  const passed = args.switch('inherit-env') ? Object.keys(io.env) : args.list('env');
  const withheld = await variablesIn(io.cwd);
  const { env, removed } = programEnvironment(io.env, passed, withheld);
  if (removed.length > 0) {
    const names = plain(removed.join(', '));
    io.stderr.write(`Not passed to the program: ${names}. --env NAME passes one, --inherit-env all.\n`);
  }
  return {
    command: args.rest,
    env,
    prefix: withheld.prefix,
    cwd: io.cwd,
    ...load,
    signal: io.signal,
    ...(timeout === undefined ? {} : { timeout }),
    onSituation: ({ title, requests }, number, of) => {
      io.stderr.write(`[${number}/${of}] ${title}${requests > 1 ? ` (${requests} requests wanted)` : ''}\n`);
    },
    ...(args.switch('verbose') && { onEntry: (entry, { id }) => io.stderr.write(`  ${id} ${verboseLine(entry)}\n`) }),
    onLine: (line) => io.stderr.write(`  | ${line.replace(/\p{Cc}+/gu, ' ')}\n`),
  };
}

export function failing({ findings }: Audited, failOn: Severity): Finding[] {
  return findings.filter((finding) => counts(finding, failOn));
}
