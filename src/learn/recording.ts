import { parse } from 'yaml';
import type { Contract, Json, JsonObject, LoadOptions, Notice } from '../contract/contract.ts';
import type { ContractFolder } from '../contract/folder.ts';
import { loadContract } from '../contract/load.ts';
import { readOverlay } from '../contract/overlays/overlay.ts';
import { isObject } from '../contract/schema-facts.ts';
import { shownPath } from '../contract/source.ts';
import { type Place, ToolError } from '../errors.ts';
import { type ActionOptions, learnActions, type RecordedAction, targetOf } from './actions.ts';
import { type Change, changesBetween } from './changes.ts';
import { readOwn } from './edits.ts';
import type { Sightings } from './sightings.ts';
import { headOf, recordingText } from './text.ts';

export interface Recording {
  readonly text: string;
  readonly actions: readonly RecordedAction[];
  readonly changes: readonly Change[];
  readonly edited: boolean;
  readonly edits: string | null;
}

export interface RecordingOptions extends ActionOptions {
  readonly over?: string | undefined;
  readonly fresh?: boolean;
  /** Operations that keep their facts even with `fresh`, because only foreign answers came. */
  readonly kept?: ReadonlySet<string>;
  readonly beside?: readonly string[];
}

export function makeRecording(contract: Contract, sightings: Sightings, options: RecordingOptions = {}): Recording {
  const { over, fresh = false, kept = new Set<string>(), beside = [] } = options;
  const known = [...(over === undefined || fresh ? [] : [over]), ...beside].map((text) => parse(text) as Json);
  const learned = learnActions(contract, sightings, { ...options, recorded: known.filter(isObject) });
  const before = over === undefined ? { actions: [], edited: false, edits: null } : readOwn(over);
  const spared = new Set(contract.operations.filter(({ operationId }) => kept.has(operationId)).map(targetOf));
  const older = before.actions.filter(({ target }) => !fresh || spared.has(target));
  const now = learned.map(({ target, description, update }) => {
    const was = fresh ? undefined : older.find((action) => action.target === target);
    return { target, description, update: was === undefined ? update : withOlder(was.update, update) };
  });
  const seen = new Set(now.map(({ target }) => target));
  const all = [...now, ...older.filter(({ target }) => !seen.has(target))];
  const order = contract.operations.map(targetOf);
  const rank = (target: string): number => (order.includes(target) ? order.indexOf(target) : order.length);
  const actions = all.toSorted((a, b) => rank(a.target) - rank(b.target));
  const text = recordingText(headOf(contract, actions), actions);
  const changes = over === undefined ? [] : changesBetween(parse(over) as Json, parse(text) as Json);
  return { text, actions: learned, changes, edited: before.edited, edits: before.edits };
}

function withOlder(old: JsonObject, update: JsonObject): JsonObject {
  const [before, now] = [old.responses, update.responses].map((all) => (isObject(all) ? all : {}));
  const all = Object.entries({ ...before, ...now }).sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...update, responses: Object.fromEntries(all) };
}

/** The contract with the old recording: a notice contradicts its facts, even if answers are not judged by it. */
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
 * Checks before a run that the file may be overwritten: it must be an observed overlay.
 * @throws ToolError `usage` with the place if it is anything else
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
    hint: 'Choose another file with --out.',
  });
}

export async function assertLoads(file: string, text: string, below: LoadOptions): Promise<readonly Notice[]> {
  const { notices, folder } = await loadContract({ ...below, overlays: [...(below.overlays ?? []), { file, text }] });
  return notices.filter(({ place }) => place.file === shownPath(file, folder));
}
