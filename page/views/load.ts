import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { read } from '../control.ts';
import { sayError } from '../parts/controls.tsx';

/** Milliseconds. */
const EVERY = 1_000;

/** What a path of the control API answers, read again every second while the page is seen, and on demand. */
export function useControl<T>(path: string): { readonly value: Signal<T | null>; readonly again: () => Promise<void> } {
  const value = useSignal<T | null>(null);
  const again = async (): Promise<void> => {
    value.value = await read<T>(path);
  };
  useEffect(() => {
    value.value = null;
    let isOver = false;
    let isReading = false;
    const beat = async (onError: (error: unknown) => void): Promise<void> => {
      if (isReading || document.hidden) return;
      isReading = true;
      await again().catch((error: unknown) => isOver || onError(error));
      isReading = false;
    };
    void beat(sayError);
    // the frame of the page says that the mock is away
    const timer = setInterval(() => void beat(() => {}), EVERY);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [path, value]);
  return { value, again };
}
