import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { exchanges, revision, type ShownExchange } from '../exchanges.ts';

export const words: Signal<string> = signal('');
export const status: Signal<string> = signal('');
export const STATUSES = [
  ['', 'any status'],
  ['2xx', '2xx'],
  ['3xx', '3xx'],
  ['4xx', '4xx'],
  ['401', '401'],
  ['5xx', '5xx'],
  ['cut', 'no answer'],
] as const;

export const matching: ReadonlySignal<{ readonly shown: readonly ShownExchange[] }> = computed(() => {
  revision.value;
  const needles = words.value.toLowerCase().split(/\s+/).filter(Boolean);
  const [least, most] = rangeOf(status.value);
  const shown = exchanges().filter(({ entry, haystack }) => {
    const code = entry.response?.status ?? 0;
    return code >= least && code <= most && needles.every((needle) => haystack.includes(needle));
  });
  return { shown };
});

/** Least and greatest status of a choice; no answer counts as 0. */
function rangeOf(wanted: string): readonly [least: number, most: number] {
  if (wanted === '') return [0, Number.POSITIVE_INFINITY];
  if (wanted === 'cut') return [0, 0];
  const first = Number(wanted.replace('xx', '00'));
  return [first, wanted.endsWith('xx') ? first + 99 : first];
}
