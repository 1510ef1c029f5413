/** Replaces the module of the same name in the bundle for browsers, where only the hooks of the package exist. */
import type { Hooks } from '../../src/mock/state/hooks.ts';

export async function hooksOf(): Promise<Hooks> {
  // @ts-expect-error made by the bundler
  return ((await import('embedded:compiled')) as { readonly hooks: Hooks }).hooks;
}
