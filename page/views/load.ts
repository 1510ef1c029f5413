import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { changes, read } from '../control.ts';
import { sayError } from '../parts/controls.tsx';

/** Milliseconds. */
const EVERY = 1_000;

/** What a path of the control API answers; null until it is read. Read again every second while the page is seen, and after each change. */
export function useControl<T>(path: string): T | null {
  const value: Signal<T | null> = useSignal(null);
  useEffect(() => {
    value.value = null;
    let isOver = false;
    let isReading = false;
    const beat = async (onError: (error: unknown) => void): Promise<void> => {
      if (isReading || document.hidden) return;
      isReading = true;
      try {
        const told = await read<T>(path);
        if (!isOver) value.value = told;
      } catch (error) {
        if (!isOver) onError(error);
      }
      isReading = false;
    };
    void beat(sayError);
    // the frame of the page says that the mock is away
    const again = (): void => void beat(() => {});
    const timer = setInterval(again, EVERY);
    const stop = changes.subscribe(again);
    return () => {
      isOver = true;
      clearInterval(timer);
      stop();
    };
  }, [path, value]);
  return value.value;
}
