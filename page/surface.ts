import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

let root: ShadowRoot;
let isAlone = false;

/**
 * Sets the root that the page draws into. With `alone`, the page owns the window: its keys, title, address and history.
 */
export function drawIn(shadow: ShadowRoot, alone: boolean): void {
  root = shadow;
  isAlone = alone;
}

export function ownsWindow(): boolean {
  return isAlone;
}

export function find(selector: string): HTMLElement | null {
  return root.querySelector<HTMLElement>(selector);
}

/** Scrolls the chosen element into view within its list or detail. The application around the page does not scroll. */
export function useReveal<T extends HTMLElement>(isChosen: boolean): RefObject<T | null> {
  const row = useRef<T>(null);
  useEffect(() => {
    const list = row.current?.closest('.scroll, .detail');
    if (!isChosen || !row.current || !list) return;
    const [at, frame] = [row.current.getBoundingClientRect(), list.getBoundingClientRect()];
    list.scrollTop += Math.min(0, at.top - frame.top) + Math.max(0, at.bottom - frame.bottom);
  }, [isChosen]);
  return row;
}

/** Calls back for each key outside of fields. If the page does not own the window, the page must have the focus. */
export function useKeys(onKey: (event: KeyboardEvent, target: HTMLElement) => void): void {
  // effects run after a frame, and the next key press may come sooner
  const now = useRef(onKey);
  now.current = onKey;
  useEffect(() => {
    const at: EventTarget = isAlone ? window : root;
    const listener = (event: Event): void => {
      const key = event as KeyboardEvent;
      const target = key.composedPath()[0] as HTMLElement;
      const isField = /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
      if (isField && key.key === 'Escape') target.blur();
      if (key.ctrlKey || key.metaKey || key.altKey) return;
      if (!isField) now.current(key, target);
      // outside of the shadow root, a key in a field looks like a shortcut
      if (!isAlone && (isField || key.defaultPrevented)) key.stopPropagation();
    };
    at.addEventListener('keydown', listener);
    return () => at.removeEventListener('keydown', listener);
  }, []);
}
