import { parse } from 'yaml';
import type { Contract, Json, LoadOptions, Notice } from '../contract/contract.ts';
import type { ContractFolder } from '../contract/folder.ts';
import { loadContract } from '../contract/load.ts';
import { readOverlay } from '../contract/overlays/overlay.ts';
import { isObject } from '../contract/schema-facts.ts';
import { shownPath } from '../contract/source.ts';
import { type Place, ToolError } from '../errors.ts';
import { type LearnOptions, learnActions, type RecordedAction, targetOf } from './actions.ts';
import { byPlace, type Change, changesBetween } from './changes.ts';
import { withHead } from './head.ts';
import { notesLost, rewriteRecording } from './rewrite.ts';
import type { Sightings } from './sightings.ts';
import { newRecording } from './text.ts';

export interface Recording {
  /** The overlay, as it is to be written. */
  readonly text: string;
  readonly actions: readonly RecordedAction[];
  /** Against the text that was there before, with the notes that went with what they were written on; empty for a new one. */
  readonly changes: readonly Change[];
}

export interface RecordingOptions extends LearnOptions {
  /** Text of the recording that is recorded over; absent for a new one. */
  readonly over?: string | undefined;
  /** Forget what that recording knows: it gives its notes and nothing else. */
  readonly fresh?: boolean;
  /** Operations that it keeps what it knows of all the same, where nothing was seen of them. */
  readonly kept?: ReadonlySet<string>;
  /** Texts of further recordings that know something of the same. */
  readonly beside?: readonly string[];
}

/** Makes an overlay of what was seen, or unites it with what an existing recording knows. */
export function makeRecording(contract: Contract, sightings: Sightings, options: RecordingOptions = {}): Recording {
  const { over, fresh = false, kept = new Set<string>(), beside = [] } = options;
  const known = [...(over === undefined || fresh ? [] : [over]), ...beside].map((text) => parse(text) as Json);
  const actions = learnActions(contract, sightings, { ...options, recorded: known.filter(isObject) });
  if (over === undefined) return { text: withHead(newRecording(actions), contract), actions, changes: [] };
  const order = contract.operations.map(targetOf).filter((target) => target !== null);
  const spared = contract.operations.filter(({ operationId }) => kept.has(operationId)).map(targetOf);
  const { text: rewritten, lost } = rewriteRecording(over, actions, { order, fresh, spared });
  const text = withHead(rewritten, contract);
  const changes = changesBetween(parse(over) as Json, parse(text) as Json);
  const others = beside.flatMap((one) => notesLost(one, text));
  const notes = [...lost, ...others].map(
    ({ target, place, text: note }): Change => ({ sign: '-', target, place, what: `note gone, ${note}` }),
  );
  return { text, actions, changes: [...changes, ...notes].sort(byPlace) };
}

/** The contract with what is recorded over: a notice contradicts what is known, also where it is not what answers are held to. */
export async function knowing(
  over: string | undefined,
  { folder, overlays = [] }: Pick<LoadOptions, 'folder' | 'overlays'>,
  contract: Contract,
): Promise<Contract> {
  if (over === undefined) return contract;
  const known = { file: 'recorded before', text: over };
  return loadContract({ ...(folder && { folder }), overlays: [...overlays, known] });
}

/**
 * Checks before a run that a file may be recorded over: it is an overlay of what was observed.
 * @throws ToolError `usage` for anything else, with the place where it is something else.
 */
export async function assertRecording(file: string, text: string, folder: ContractFolder): Promise<void> {
  let reason = '';
  let place: Place = { file };
  try {
    const { provenance } = await readOverlay({ file, text }, folder.spec, folder);
    if (provenance === 'observed') return;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    reason = ` ${error.message}`;
    place = error.place ?? place;
  }
  throw new ToolError('usage', `It is no recording (x-provenance: observed) and is not overwritten.${reason}`, {
    place,
    hint: 'Give --out another file.',
  });
}

/**
 * Makes sure that what is about to be written is taken by the loader, above what it is loaded with; a mistake here is ours.
 * Resolves to what the loader notices of the recording, such as operations that nothing locates any more.
 */
export async function assertLoads(file: string, text: string, below: LoadOptions): Promise<readonly Notice[]> {
  const { notices, folder } = await loadContract({ ...below, overlays: [...(below.overlays ?? []), { file, text }] });
  return notices.filter(({ place }) => place.file === shownPath(file, folder));
}
