import { join, resolve } from 'node:path';
import { readPlaced } from '../contract/checked-file.ts';
import { documentFolder } from '../contract/document-folder.ts';
import { type ContractFolder, ownFolder } from '../contract/folder.ts';
import { readContractFolder } from '../contract/read-folder.ts';
import { ToolError } from '../errors.ts';
import { CONFIG, unlessMissing } from '../files/read.ts';
import { fetchedFolder } from './fetched-document.ts';
import type { NetworkSources } from './network.ts';

export const CONFIG_FILE = 'banking-api.config.yaml';

/** The contract that a user names: a folder, or one document. Files are absolute. */
export interface ChosenContract {
  readonly contract?: string | undefined;
  /** A file, or the URL of a document. */
  readonly spec?: string | undefined;
}

export function isUrl(spec: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(spec);
}

/**
 * @param root a folder around the contract that must contain everything the contract refers to
 * @param sources for a URL: how to reach it
 * @throws ToolError `usage` for a folder and a document together
 */
export async function openContract(
  { contract, spec }: ChosenContract,
  root: string | undefined,
  sources: Omit<NetworkSources, 'target'>,
  signal?: () => AbortSignal,
): Promise<ContractFolder> {
  if (spec === undefined) return contract === undefined ? ownFolder : readContractFolder(contract, root);
  if (contract !== undefined) {
    throw new ToolError('usage', 'A contract is a folder or one document: give --contract or --spec, not both.');
  }
  return isUrl(spec) ? fetchedFolder(spec, sources, signal?.()) : documentFolder(spec);
}

/** The same, with the settings of the default config file, for commands that read no other setting. */
export async function openChosen(
  chosen: ChosenContract,
  cwd: string,
  env: NetworkSources['env'],
  signal: () => AbortSignal,
): Promise<ContractFolder> {
  const read = await unlessMissing(readPlaced(join(cwd, CONFIG_FILE), CONFIG), null);
  const { network: setting = {}, contractRoot } = (read?.value ?? {}) as {
    readonly network?: NetworkSources['setting'];
    readonly contractRoot?: unknown;
  };
  const root = typeof contractRoot === 'string' ? resolve(cwd, contractRoot) : undefined;
  return openContract(chosen, root, { setting, placeOf: read?.placeOf ?? null, folder: cwd, env }, signal);
}
