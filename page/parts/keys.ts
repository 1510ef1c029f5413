import { useKeys } from '../surface.ts';

interface Walk {
  step(by: 1 | -1): void;
  readonly close: (() => void) | undefined;
}

/** `j` and `k`, and the arrows within the list, walk through the rows of a view; `Esc` closes the detail. */
export function useWalk({ step, close }: Walk): void {
  useKeys((event, target) => {
    const inRows = target.getAttribute('role') === 'listbox';
    if (event.key === 'j' || (inRows && event.key === 'ArrowDown')) step(1);
    else if (event.key === 'k' || (inRows && event.key === 'ArrowUp')) step(-1);
    else if (event.key === 'Escape' && close) close();
    else return;
    event.preventDefault();
  });
}

/** The neighbour of the chosen item. If no item is chosen, the first or the last one. */
export function beside<T>(all: readonly T[], chosen: T | undefined, by: 1 | -1): T | undefined {
  const at = chosen === undefined ? -1 : all.indexOf(chosen);
  return all[at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by];
}
