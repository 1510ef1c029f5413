import { parse } from 'yaml';
import type { Contract } from '../contract/contract.ts';
import type { ContractFolder } from '../contract/folder.ts';
import { readOverlay } from '../contract/overlays/overlay.ts';
import { type Place, ToolError } from '../errors.ts';
import { type Json, type JsonObject, objectOf } from '../schema/json.ts';
import { type ActionOptions, learnActions, targetOf } from './actions.ts';
import { changesBetween } from './changes.ts';
import { readOwn } from './edits.ts';
import type { Sightings } from './sightings.ts';
import { headOf, recordingText } from './text.ts';

export type Recording = ReturnType<typeof makeRecording>;

export interface RecordingOptions extends ActionOptions {
  readonly over?: string | undefined;
  readonly fresh?: boolean;
  /** Operations that keep their facts even with `fresh`, because only foreign answers came. */
  readonly kept?: ReadonlySet<string>;
  readonly beside?: readonly string[];
}

export function makeRecording(contract: Contract, sightings: Sightings, options: RecordingOptions = {}) {
  const { over, fresh = false, kept = new Set<string>(), beside = [] } = options;
  const own = over === undefined ? undefined : readOwn(over);
  const before = own?.actions ?? [];
  const others = beside.flatMap((text) => readOwn(text).actions);
  const learned = learnActions(contract, sightings, { ...options, recorded: [...(fresh ? [] : before), ...others] });
  const spared = new Set(contract.operations.filter(({ operationId }) => kept.has(operationId)).map(targetOf));
  const older = [...others, ...before].filter(({ target }) => !fresh || spared.has(target));
  const now = learned.map(({ target, description, update }) => {
    const was = fresh ? undefined : older.findLast((action) => action.target === target);
    return { target, description, update: was === undefined ? update : withOlder(was.update, update) };
  });
  const all = new Map([...older, ...now].map((action) => [action.target, action]));
  const order = contract.operations.map(targetOf);
  const rank = (target: string): number => (order.includes(target) ? order.indexOf(target) : order.length);
  const actions = [...all.values()].sort((a, b) => rank(a.target) - rank(b.target));
  const text = recordingText(headOf(contract, actions), actions);
  const changes = over === undefined ? [] : changesBetween(parse(over) as Json, parse(text) as Json);
  return { text, actions: learned, changes, edited: own?.edited ?? false, edits: own?.edits ?? null };
}

function withOlder(old: JsonObject, update: JsonObject): JsonObject {
  const [before, now] = [old.responses, update.responses].map((all) => objectOf(all));
  const all = Object.entries({ ...before, ...now }).sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...update, responses: Object.fromEntries(all) };
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
