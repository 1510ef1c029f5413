import type { Notice, Operation } from '../contract.ts';
import { placeOfMark, plainText } from '../document-tree.ts';
import type { Overlay, OverlayAction } from './overlay.ts';
import { END_KEY } from './recorded-head.ts';

export interface Applied {
  readonly overlay: Overlay;
  readonly unmatched: readonly OverlayAction[];
}

function placeOf({ query }: OverlayAction): string | null {
  const [root, path, method] = query.location ?? [];
  return root === 'paths' && method !== undefined ? `${String(method).toUpperCase()} ${path}` : null;
}

export function unwatchedBy(
  action: OverlayAction,
  { overlay, unmatched }: Applied,
  operations: readonly Operation[],
): readonly string[] {
  const place = placeOf(action);
  if (overlay.provenance !== 'observed' || place === null) return [];
  const isWatched = overlay.actions.some((other) => !unmatched.includes(other) && placeOf(other) === place);
  if (isWatched) return [];
  const operation = operations.find(({ method, path }) => `${method} ${path}` === place);
  return [operation?.operationId ?? place];
}

export function recordingNotices(
  applied: readonly Applied[],
  beside: { readonly name: string; readonly version: string; readonly operations: readonly Operation[] },
): Notice[] {
  const { name, version, operations } = beside;
  return applied.flatMap(({ overlay, unmatched }): Notice[] => {
    const { head } = overlay;
    if (head === undefined) return [];
    const place = placeOfMark(head.mark);
    const notices: Notice[] = [];
    if (head.contract !== name || head.version !== version) {
      notices.push({
        code: 'recording-of-another-version',
        message: plainText(`It was recorded beside ${head.contract} ${head.version}, and this is ${name} ${version}.`),
        hint: 'Record again to separate newly documented facts from observed facts.',
        place,
      });
    }
    if (!head.complete) {
      const whole = new Set(overlay.actions.filter((action) => !unmatched.includes(action)).map(placeOf));
      const isWhole = (id: string): boolean =>
        operations.some(({ operationId, method, path }) => operationId === id && whole.has(`${method} ${path}`));
      const lost = head.operations.filter((id) => !isWhole(id));
      notices.push({
        code: 'recording-cut-off',
        message: `It is cut off: its last line, ${END_KEY}: true, is missing.`,
        hint: 'Take it from where it was kept, or record again.',
        place,
        unwatched: lost.length > 0 ? lost : ['what stood at its end'],
      });
    }
    return notices;
  });
}
