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

export function focused(): Element | null {
  return root.activeElement;
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
      if (!isField && !key.ctrlKey && !key.metaKey && !key.altKey) now.current(key, target);
    };
    at.addEventListener('keydown', listener);
    return () => at.removeEventListener('keydown', listener);
  }, []);
}
