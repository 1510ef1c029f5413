import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { createReading, revision, type Shown } from './exchanges.ts';
import { served, tenantOf } from './served.ts';

export const tenant: Signal<string> = signal('');

let whoseIs = new WeakMap<Shown, string>();
let found = new Set<string>();
let sorted: readonly string[] = [];
let document: unknown = null;
const unread = createReading();

/** All whose records an exchange was about, sorted; the same list as long as nothing of it has changed. */
export const tenants: ReadonlySignal<readonly string[]> = computed(() => {
  revision.value;
  const isAnew = document !== served.value;
  document = served.value;
  for (const shown of unread(isAnew, () => {
    whoseIs = new WeakMap();
    found = new Set();
    sorted = [];
  })) {
    const one = tenantOf(shown.entry);
    if (one === null) continue;
    whoseIs.set(shown, one);
    found.add(one);
  }
  if (sorted.length !== found.size) sorted = [...found].sort();
  return sorted;
});

export function isOf(whose: string, shown: Shown): boolean {
  return whoseIs.get(shown) === whose;
}
