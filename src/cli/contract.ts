import { resolve } from 'node:path';
import type { Contract, LoadOptions, Notice } from '../contract/contract.ts';
import { type ContractFolder, ownFolder, readContractFolder } from '../contract/folder.ts';
import { formatPlace } from '../errors.ts';
import { plain } from '../plain.ts';
import type { Args, Flag, Io } from './command.ts';

/** The flags of the commands that go by a contract. */
export const CONTRACT_FLAGS: Readonly<Record<'contract' | 'overlay', Flag>> = {
  contract: { value: 'DIR', help: 'folder of the contract (that of the package)' },
  overlay: { value: 'FILE', repeatable: true, help: 'apply this overlay to the contract first' },
};

/** The contract folder that the flag names; the package's own without it. */
export function folderOf(args: Args, io: Io): Promise<ContractFolder> {
  const dir = args.text('contract');
  return dir === undefined ? Promise.resolve(ownFolder) : readContractFolder(resolve(io.cwd, dir));
}

/** The files of a repeatable flag, absolute. */
export function filesOf(args: Args, flag: string, io: Io): string[] {
  return args.list(flag).map((file) => resolve(io.cwd, file));
}

/** Loads the contract that the flags name, and says what the loader noticed. */
export async function contractOf(args: Args, io: Io): Promise<Contract> {
  return loadAnnounced({ folder: await folderOf(args, io), overlays: filesOf(args, 'overlay', io) }, io);
}

/** Loads a contract, and says what the loader noticed. */
export async function loadAnnounced(options: LoadOptions, io: Io): Promise<Contract> {
  // Here and not above: the mock starts without it.
  const { loadContract } = await import('../contract/load.ts');
  const contract = await loadContract({ ...options, signal: io.signal });
  io.stderr.write(noticeText(contract.notices));
  return contract;
}

/** Says once that code of a contract folder runs, where that is not the package's own. */
export function folderText({ isOwn, name, dir }: ContractFolder): string {
  return isOwn ? '' : `Contract: ${name}. Code of that folder runs: ${dir}\n`;
}

/** What the loader noticed, as warnings for stderr: a line each, `file:line:column: warning: what, and what to do`. */
export function noticeText(notices: readonly Notice[]): string {
  return notices
    .map(
      ({ place, message, hint = '' }) => `${plain(`${formatPlace(place)}: warning: ${message} ${hint}`.trimEnd())}\n`,
    )
    .join('');
}
