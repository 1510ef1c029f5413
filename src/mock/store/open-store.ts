import { ToolError } from '../../errors.ts';
import { createMemoryStore } from './memory.ts';
import { type BaseOf, Health, type Store } from './store.ts';

/**
 * Opens a store: in memory where nothing is asked for, a Redis by its URL, else a file. What it needs is loaded only then.
 * @param tell Called when the store begins to fail, once until it works again.
 * @throws ToolError `file-unwritable` or `usage` for a store that cannot be had, `engine-missing` where its client is not installed.
 */
export async function openStore(
  where: string | undefined,
  base: BaseOf,
  tell?: (problem: string) => void,
): Promise<Store> {
  if (where === undefined) return createMemoryStore(base);
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(where)?.[1]?.toLowerCase();
  if (scheme === 'redis' || scheme === 'rediss') {
    const { createRedisStore } = await import('./redis.ts');
    return createRedisStore(where, base, new Health(tell));
  }
  if (scheme !== undefined) {
    throw new ToolError('usage', `There is no store of the kind ${scheme}.`, {
      hint: 'A store is a file, or redis://HOST:PORT.',
    });
  }
  const { createFileStore } = await import('./file.ts');
  return createFileStore(where, base, new Health(tell));
}
