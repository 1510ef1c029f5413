import { basename, dirname, join } from 'node:path';
import type { Contract, LoadOptions, Notice, OverlaySource } from '../contract/contract.ts';
import { ownFolder } from '../contract/folder.ts';
import { loadContract } from '../contract/load.ts';
import { readOverlay } from '../contract/overlays/overlay.ts';
import { END_KEY, HEAD_KEY } from '../contract/overlays/recorded-head.ts';
import { readText, shownPath } from '../contract/source.ts';

/**
 * Loads a contract, and applies several recordings as one. As overlays they would contradict each other: a fact of one
 * recording would have to hold for the answers behind the other. The merged recording takes the place of the last one.
 *
 * @throws ToolError as `loadContract` does
 */
export async function loadMerged(options: LoadOptions): Promise<Contract> {
  const { overlays = [], folder = ownFolder, root = folder.spec } = options;
  if (overlays.length < 2) return loadContract(options);
  const sources: Required<OverlaySource>[] = [];
  for (const overlay of overlays) {
    const { file, text } = typeof overlay === 'string' ? { file: overlay } : overlay;
    sources.push({ file, text: text ?? (await readText(file, 'overlay-invalid', folder)) });
  }
  const recordings = sources.filter(({ text }) => isWhole(text));
  const last = recordings.at(-1);
  if (last === undefined || recordings.length < 2) return loadContract(options);
  for (const recording of recordings) await readOverlay(recording, root, folder, options.signal);
  const others = sources.filter((source) => !recordings.includes(source));
  const contract = await loadContract({ ...options, overlays: others });
  const { makeRecording } = await import('./recording.ts');
  const [over, ...beside] = recordings.map(({ text }) => text);
  const { text } = makeRecording(contract, new Map(), { over, beside });
  const name = recordings.map(({ file }) => basename(file)).join(' + ');
  const merged = { file: join(dirname(last.file), name), text };
  const placed = sources.map((source) => (source === last ? merged : source));
  return loadContract({ ...options, overlays: placed.filter((source) => !recordings.includes(source)) });
}

function isWhole(text: string): boolean {
  return [HEAD_KEY, END_KEY].every((key) => text.includes(`\n${key}:`));
}

/** The contract with the old recording: a notice contradicts its facts, even if answers are not judged by it. */
export async function knowing(
  over: string | undefined,
  { folder, overlays = [] }: Pick<LoadOptions, 'folder' | 'overlays'>,
  contract: Contract,
): Promise<Contract> {
  if (over === undefined) return contract;
  const known = { file: 'recorded before', text: over };
  return loadMerged({ ...(folder && { folder }), overlays: [...overlays, known] });
}

export async function assertLoads(file: string, text: string, below: LoadOptions): Promise<readonly Notice[]> {
  const { notices, folder } = await loadMerged({ ...below, overlays: [...(below.overlays ?? []), { file, text }] });
  return notices.filter(({ place }) => place.file === shownPath(file, folder));
}
