import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { decodePercent } from '../src/text/decode.ts';
import { ownsWindow } from './surface.ts';

/** Addresses of the page: `#/journal`, `#/exchange/17`, `#/state/card/card-4001`. */
const hash = signal('');

/** Follows the address of the window until the returned function is called. */
export function followAddress(): () => void {
  const take = (): void => {
    hash.value = location.hash;
  };
  take();
  addEventListener('hashchange', take);
  return () => removeEventListener('hashchange', take);
}

export const route: ReadonlySignal<readonly string[]> = computed(() => {
  const parts = hash.value
    .replace(/^#\/?/, '')
    .split('/')
    .map((part) => decodePercent(part) ?? part);
  return parts[0] ? parts : ['journal'];
});

export function linkTo(...parts: readonly (string | number)[]): string {
  return `#/${parts.map((part) => encodeURIComponent(part)).join('/')}`;
}

export function go(parts: readonly (string | number)[], { replace = false } = {}): void {
  const link = linkTo(...parts);
  if (link === hash.value) return;
  if (ownsWindow()) history[replace ? 'replaceState' : 'pushState'](null, '', link);
  hash.value = link;
}

/** Follows a link between views without changing the address of the window, which belongs to the host. */
export function followLink(event: MouseEvent): void {
  const link = (event.target as Element).closest('a')?.getAttribute('href');
  if (ownsWindow() || !link?.startsWith('#/')) return;
  event.preventDefault();
  hash.value = link;
}
