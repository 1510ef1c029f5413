import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { read } from '../control.ts';
import { revision } from '../exchanges.ts';
import { sayError } from '../parts/controls.tsx';

/** What a path of the control API answers, read again whenever something was heard, every few seconds, and on demand. */
export function useControl<T>(path: string | null): {
  readonly value: Signal<T | null>;
  readonly again: () => Promise<void>;
} {
  const value = useSignal<T | null>(null);
  const load = async (): Promise<void> => {
    if (path === null) return;
    value.value = await read<T>(path);
  };
  const heard = revision.value;
  useEffect(() => {
    value.value = null;
  }, [path, value]);
  useEffect(() => {
    let isOver = false;
    const quietly = (): void => {
      if (!isOver && !document.hidden) load().catch(() => {});
    };
    // one reading for many exchanges
    const soon = setTimeout(() => load().catch((error) => !isOver && sayError(error)), value.peek() === null ? 0 : 200);
    const beat = setInterval(quietly, 3_000);
    return () => {
      isOver = true;
      clearTimeout(soon);
      clearInterval(beat);
    };
  }, [path, heard]);
  return { value, again: load };
}
