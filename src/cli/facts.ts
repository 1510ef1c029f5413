import { resolve } from 'node:path';
import type { Known } from '../facts/facts.ts';
import { readHistory } from '../report/history.ts';
import type { Args, Flag } from './args.ts';
import type { Io } from './command.ts';
import { configOf } from './config.ts';
import { CONTRACT_FLAGS } from './contract.ts';

export const FACT_FLAGS: Readonly<Record<string, Flag>> = {
  config: { value: 'FILE', help: 'configuration, for its overlays (banking-api.config.yaml if it exists)' },
  ...CONTRACT_FLAGS,
  history: { value: 'DIR', help: 'folder with JSON reports of earlier runs' },
};

/** The contract with and without its assumptions, and the earlier runs against real targets, the oldest first. */
export async function openFacts(args: Args, io: Io) {
  const { folder, overlays } = await configOf(args, io, { sends: false });
  const { loadMerged } = await import('../learn/load-merged.ts');
  const options = { folder, overlays, signal: io.signal };
  const contracts: Known = {
    known: await loadMerged(options),
    assumed: await loadMerged({ ...options, assumed: true }),
  };
  const history = args.text('history');
  const { reports, notes } =
    history === undefined ? { reports: [], notes: [] } : await readHistory(resolve(io.cwd, history), io.signal);
  for (const note of notes) io.stderr.write(`${note}\n`);
  const runs = reports.filter(({ command, target }) => command === 'verify' && target.kind === 'url');
  return { contracts, runs };
}
