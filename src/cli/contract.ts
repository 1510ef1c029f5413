import { resolve } from 'node:path';
import type { Contract, LoadOptions, Notice } from '../contract/contract.ts';
import { type ContractFolder, ownFolder } from '../contract/folder.ts';
import { readContractFolder } from '../contract/read-folder.ts';
import { formatPlace } from '../errors.ts';
import { plain } from '../text/plain.ts';
import type { Args, Flag } from './args.ts';
import { given, type Io } from './command.ts';

export const CONTRACT_FLAGS: Readonly<Record<'contract' | 'overlay', Flag>> = {
  contract: { value: 'DIR', help: 'contract folder (the one in the package)' },
  overlay: { value: 'FILE', repeatable: true, help: 'overlay to apply to the contract' },
};

export async function folderOf(args: Args, io: Io): Promise<ContractFolder> {
  const dir = args.text('contract');
  if (dir === undefined) return ownFolder;
  // imported here, because the mock of the package's own contract does not need it
  const { contractRootOf } = await import('../config/contract-root.ts');
  return readContractFolder(resolve(io.cwd, dir), await contractRootOf(io.cwd));
}

export function filePaths(args: Args, flag: string, io: Io): string[] {
  return args.list(flag).map((file) => resolve(io.cwd, file));
}

export async function contractOf(args: Args, io: Io): Promise<Contract> {
  return loadAnnounced({ folder: await folderOf(args, io), overlays: filePaths(args, 'overlay', io) }, io);
}

export async function loadAnnounced(options: LoadOptions, io: Io): Promise<Contract> {
  // Imported here, because the mock does not need it.
  const { loadMerged } = await import('../learn/load-merged.ts');
  const contract = await loadMerged({ ...options, signal: io.signal });
  io.stderr.write(noticeText(contract.notices));
  return contract;
}

export async function contractFor({ folder, overlays }: LoadOptions, io: Io): Promise<Contract> {
  const { loadMerged } = await import('../learn/load-merged.ts');
  return loadMerged({ ...given({ folder, overlays }), signal: io.signal });
}

/** A message that code of another contract folder runs, and whether Node can block its network access. */
export function folderText({ isOwn, name, dir }: ContractFolder, runsSuite = false): string {
  if (isOwn) return '';
  const canConnect = runsSuite || !process.allowedNodeEnvironmentFlags.has('--allow-net');
  return `Contract: ${name}. Code of that folder runs${canConnect ? ', and can open connections' : ''}: ${dir}\n`;
}

/** Warnings of the loader for stderr, one per line: `file:line:column: warning: problem and fix`. */
export function noticeText(notices: readonly Notice[]): string {
  return notices
    .map(
      ({ place, message, hint = '' }) => `${plain(`${formatPlace(place)}: warning: ${message} ${hint}`.trimEnd())}\n`,
    )
    .join('');
}
