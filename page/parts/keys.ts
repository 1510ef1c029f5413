import { useEffect, useRef } from 'preact/hooks';

/** Whether a key is typed into a field, or is one of the browser's. */
export function isTyped(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  const isField = /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable;
  return isField || event.ctrlKey || event.metaKey || event.altKey;
}

interface Walk {
  /** Goes to the next or the previous one. */
  step(by: 1 | -1): void;
  /** Closes what is open; undefined where nothing is. */
  readonly close: (() => void) | undefined;
  /** Takes the focus when what had it is closed. */
  readonly list: string;
}

/** `j` and `k`, and the arrows within the list, walk through the rows of a view; `Esc` closes, and gives the focus back to the list. */
export function useWalk(walk: Walk): void {
  // effects run after a frame, and the next key may be quicker
  const now = useRef(walk);
  now.current = walk;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (isTyped(event)) return;
      const { step, close, list } = now.current;
      const inRows = (event.target as HTMLElement).getAttribute('role') === 'listbox';
      if (event.key === 'j' || (inRows && event.key === 'ArrowDown')) step(1);
      else if (event.key === 'k' || (inRows && event.key === 'ArrowUp')) step(-1);
      else if (event.key === 'Escape' && close && !document.querySelector('details.health[open]')) {
        const hadFocus = document.activeElement?.closest('.detail') != null;
        close();
        if (hadFocus) requestAnimationFrame(() => document.querySelector<HTMLElement>(list)?.focus());
      } else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

/** What stands next to one of a list; the first or the last where none is chosen. */
export function beside<T>(all: readonly T[], chosen: T | undefined, by: 1 | -1): T | undefined {
  const at = chosen === undefined ? -1 : all.indexOf(chosen);
  return all[at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by];
}
