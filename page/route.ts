import { computed, type ReadonlySignal, signal } from '@preact/signals';

/** Addresses of the page: `#/journal`, `#/exchange/17`, `#/state/card/card-4001`. */
const hash = signal(location.hash);
addEventListener('hashchange', () => {
  hash.value = location.hash;
});

/** The parts of the address, decoded: the view first. */
export const route: ReadonlySignal<readonly string[]> = computed(() => {
  const parts = hash.value.replace(/^#\/?/, '').split('/').map(decoded);
  return parts[0] ? parts : ['journal'];
});

/** What stands behind percent-encoding; the text itself where that is broken. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The address of a view. */
export function linkTo(...parts: readonly (string | number)[]): string {
  return `#/${parts.map((part) => encodeURIComponent(part)).join('/')}`;
}

/** Goes to a view; `replace` leaves no entry in the history of the browser. */
export function go(parts: readonly (string | number)[], { replace = false } = {}): void {
  const link = linkTo(...parts);
  if (link === hash.value) return;
  if (replace) history.replaceState(null, '', link);
  else history.pushState(null, '', link);
  hash.value = link;
}
