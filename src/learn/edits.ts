import { parse, stringify } from 'yaml';
import { HEAD_KEY } from '../contract/overlays/recorded-head.ts';
import { isObject, type Json, type JsonObject, listOf, objectOf } from '../schema/json.ts';
import { isFormKeyword } from '../schema/string-forms.ts';
import { OBSERVED } from './schema.ts';
import { recordingText } from './text.ts';

type OwnAction = JsonObject & { readonly target: string; readonly update: JsonObject };

export function readOwn(text: string) {
  const document = parse(text) as Json;
  const edits: JsonObject[] = [];
  const actions = listOf(objectOf(document).actions).flatMap((action): OwnAction[] => {
    if (!isObject(action)) return [];
    const { target, description, update } = action;
    if (typeof target === 'string' && isObject(update) && isObject(update.responses)) {
      const own = ownPart(update, target, false, edits) as JsonObject;
      return [{ target, ...(description !== undefined && { description }), update: own }];
    }
    edits.push(action);
    return [];
  });
  const head = objectOf(document)[HEAD_KEY] ?? null;
  const overlay = {
    overlay: '1.0.0',
    'x-provenance': 'observed',
    info: { title: 'Edits of a recording', version: '1' },
    actions: edits,
  };
  return {
    actions,
    edited: text.replaceAll('\r\n', '\n') !== recordingText(head, actions),
    /** Overlay with manual additions, applied after the recording; null if an overlay can hold no addition. */
    edits: edits.length === 0 ? null : stringify(overlay, { lineWidth: 0, aliasDuplicateObjects: false }),
  };
}

const OURS: ReadonlySet<string> = new Set([
  ...['responses', 'x-samples', 'x-asked-with-body', 'x-sometimes-empty', 'content', 'schema', 'allOf', '$ref'],
  ...['type', 'format', 'pattern', 'enum', 'x-seen', 'x-only-null', 'x-contradicts-reference', 'x-always-there'],
  ...['required', 'properties', 'additionalProperties', 'items'],
]);
const NAMES: ReadonlySet<string> = new Set(['properties', 'content', 'responses', 'x-seen', 'x-contradicts-reference']);

/** The part of a node that `record` wrote. Adds an action to `edits` for each map with other content. */
function ownPart(node: Json, path: string, isNames: boolean, edits: JsonObject[]): Json {
  if (Array.isArray(node)) {
    return (node as readonly Json[]).map((item, index) => ownPart(item, `${path}[${index}]`, false, edits));
  }
  if (!isObject(node)) return node;
  const entries = Object.entries(node);
  const isOwn = ([key, value]: readonly [string, Json]): boolean =>
    isNames || (key === 'description' ? value === OBSERVED : OURS.has(key) && !isOtherForm(key, value));
  const added = entries.filter((entry) => !isOwn(entry));
  if (added.length > 0) edits.push({ target: path, update: Object.fromEntries(added) });
  return Object.fromEntries(
    entries.filter(isOwn).map(([key, value]) => {
      const inside = `${path}['${key.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}']`;
      return [key, ownPart(value, inside, !isNames && NAMES.has(key), edits)];
    }),
  );
}

function isOtherForm(key: string, value: Json): boolean {
  return (key === 'format' || key === 'pattern') && !isFormKeyword(value);
}
