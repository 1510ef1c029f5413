import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { changes, read } from '../control.ts';
import { sayError } from '../parts/controls.tsx';

/** Milliseconds. */
const EVERY = 1_000;
/** A read is followed by a rest this many times as long, so that a costly one cannot slow the mock. */
const REST = 20;

/** The answer of the control API for a path; null at first. Reread each second while visible, and after each change. */
export function useControl<T>(path: string): T | null {
  const value: Signal<T | null> = useSignal(null);
  useEffect(() => {
    value.value = null;
    let isOver = false;
    let isReading = false;
    let restsUntil = 0;
    const beat = async (onError: (error: unknown) => void): Promise<void> => {
      if (isReading || document.hidden) return;
      isReading = true;
      const started = performance.now();
      try {
        const loaded = await read<T>(path);
        if (!isOver) value.value = loaded;
      } catch (error) {
        if (!isOver) onError(error);
      }
      isReading = false;
      restsUntil = performance.now() + REST * (performance.now() - started);
    };
    void beat(sayError);
    // the frame of the page reports a mock that does not answer
    const again = (): void => void beat(() => {});
    const timer = setInterval(() => performance.now() < restsUntil || again(), EVERY);
    const stop = changes.subscribe(again);
    return () => {
      isOver = true;
      clearInterval(timer);
      stop();
    };
  }, [path, value]);
  return value.value;
}
