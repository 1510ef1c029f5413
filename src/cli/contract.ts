import { resolve } from 'node:path';
import { type ContractFolder, ownFolder, readContractFolder } from '../spec/folder.ts';
import type { Args, Flag, Io } from './command.ts';

/** `--contract`, for the commands that go by a contract. */
export const CONTRACT_FLAG: Flag = { value: 'DIR', help: 'folder of the contract (that of the package)' };

/** The contract folder that the flag names; the package's own without it. */
export function folderOf(args: Args, io: Io): Promise<ContractFolder> {
  const dir = args.text('contract');
  return dir === undefined ? Promise.resolve(ownFolder) : readContractFolder(resolve(io.cwd, dir));
}

/** What is said once of a contract that does not come with the package, where its code runs. */
export function folderText({ isOwn, name, dir }: ContractFolder): string {
  return isOwn ? '' : `Contract: ${name}. Code of that folder runs: ${dir}\n`;
}
