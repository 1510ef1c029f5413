import { resolve } from 'node:path';
import type { Contract, LoadOptions, Notice } from '../contract/contract.ts';
import { type ContractFolder, ownFolder } from '../contract/folder.ts';
import { formatPlace } from '../errors.ts';
import { plain } from '../text/plain.ts';
import type { Args, Flag } from './args.ts';
import { given, type Io } from './command.ts';

export const CONTRACT_FLAGS: Readonly<Record<'contract' | 'spec' | 'overlay', Flag>> = {
  contract: { value: 'DIR', help: 'contract folder (the one in the package)' },
  spec: { value: 'FILE|URL', help: 'OpenAPI document to use as the contract: OpenAPI 3.0 to 3.2, or Swagger 2.0' },
  overlay: { value: 'FILE', repeatable: true, help: 'overlay to apply to the contract' },
};

/** @param spec the document, if it is not the value of `--spec` */
export async function folderOf(
  args: Args,
  io: Io,
  spec: string | undefined = args.text('spec'),
): Promise<ContractFolder> {
  const contract = args.text('contract');
  if (contract === undefined && spec === undefined) return ownFolder;
  // imported here, because `--help` does not need it
  const { isUrl, openChosen } = await import('../config/chosen-contract.ts');
  const fromCwd = (path: string | undefined) => (path === undefined || isUrl(path) ? path : resolve(io.cwd, path));
  const chosen = { contract: fromCwd(contract), spec: fromCwd(spec) };
  return openChosen(chosen, io.cwd, io.env, () => io.signal);
}

export function filePaths(args: Args, flag: string, io: Io): string[] {
  return args.list(flag).map((file) => resolve(io.cwd, file));
}

export async function contractOf(args: Args, io: Io): Promise<Contract> {
  return loadAnnounced({ folder: await folderOf(args, io), overlays: filePaths(args, 'overlay', io) }, io);
}

export async function loadAnnounced(options: LoadOptions, io: Io): Promise<Contract> {
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
export function folderText({ confined, isDocument, name, dir }: ContractFolder, runsSuite = false): string {
  if (!confined || isDocument) return '';
  const canConnect = runsSuite || !process.allowedNodeEnvironmentFlags.has('--allow-net');
  return `Contract: ${name}. Code of that folder runs${canConnect ? ', and can open connections' : ''}: ${dir}\n`;
}

/** Warnings of the loader for stderr, one per line: `file:line:column: warning: problem and fix`. */
export function noticeText(notices: readonly Notice[]): string {
  return notices
    .map(
      ({ code, place, message, hint = '' }) =>
        `${plain(`${formatPlace(place)}: ${code === 'document-fetched' ? 'note' : 'warning'}: ${message} ${hint}`.trimEnd())}\n`,
    )
    .join('');
}
