import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { read } from '../control.ts';
import { revision } from '../exchanges.ts';
import { sayError } from '../parts/controls.tsx';

/** Milliseconds between two readings while exchanges keep coming, and how many times longer than the last one took. */
const PAUSE = 300;
const REST = 4;

/** What a path of the control API answers, read again soon after something was heard, every few seconds, and on demand. */
export function useControl<T>(path: string | null): {
  readonly value: Signal<T | null>;
  readonly again: () => Promise<void>;
} {
  const value = useSignal<T | null>(null);
  const soon = useRef<(() => void) | null>(null);
  const load = async (): Promise<void> => {
    if (path === null) return;
    value.value = await read<T>(path);
  };
  useEffect(() => {
    value.value = null;
    let waiting: ReturnType<typeof setTimeout> | undefined;
    let isReading = false;
    let took = 0;
    let isOver = false;
    const reading = async (): Promise<void> => {
      isReading = true;
      const began = performance.now();
      try {
        await load();
      } finally {
        isReading = false;
        took = performance.now() - began;
      }
    };
    const told = (error: unknown): void => {
      if (!isOver) sayError(error);
    };
    // one reading for many exchanges, and none that those which come meanwhile put off
    soon.current = () => {
      if (isOver || document.hidden) return;
      waiting ??= setTimeout(
        () => {
          waiting = undefined;
          if (isReading) soon.current?.();
          else reading().catch(told);
        },
        Math.max(PAUSE, REST * took),
      );
    };
    reading().catch(told);
    const beat = setInterval(() => {
      if (!isReading && !document.hidden) reading().catch(() => {});
    }, 3_000);
    return () => {
      isOver = true;
      clearTimeout(waiting);
      clearInterval(beat);
    };
  }, [path, value]);
  const heard = revision.value;
  useEffect(() => soon.current?.(), [heard]);
  return { value, again: load };
}
