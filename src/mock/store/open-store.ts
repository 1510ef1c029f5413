import { ToolError } from '../../errors.ts';
import { createMemoryStore } from './memory.ts';
import { type BaseOf, type Store, StoreHealth } from './store.ts';

/**
 * Opens a store in memory, in Redis (a URL) or in a file.
 * @param tell Called once when the store begins to fail, and again only after it has worked.
 * @throws ToolError `file-unwritable`, `usage`, or `engine-missing` if the Redis client is not installed.
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
    return createRedisStore(where, base, new StoreHealth(tell));
  }
  if (scheme !== undefined) {
    throw new ToolError('usage', `There is no store of the kind ${scheme}.`, {
      hint: 'A store is a file, or redis://HOST:PORT.',
    });
  }
  const { createFileStore } = await import('./file.ts');
  return createFileStore(where, base, new StoreHealth(tell));
}
