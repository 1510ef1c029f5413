import { randomUUID } from 'node:crypto';
import type { TokenStore } from '../token-store.ts';

/** A connected client of Redis or Valkey: of `redis` (`sendCommand`) or of `ioredis` (`call`). */
export type RedisClient =
  | { sendCommand(command: string[]): Promise<unknown> }
  | { call(command: string, ...parameters: string[]): Promise<unknown> };

/** Gives a lock back where it still is one's own. */
const RELEASE = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";

/** A store in Redis, by a client that is handed in and stays the caller's. Keys begin with `prefix`. */
export function redisStore(client: RedisClient, prefix = 'banking-api-contract:'): TokenStore {
  // of ioredis, `sendCommand` takes something else
  const send = (command: string, ...parameters: string[]): Promise<unknown> =>
    'call' in client ? client.call(command, ...parameters) : client.sendCommand([command, ...parameters]);
  const milliseconds = (seconds: number): string => String(Math.max(1, Math.round(seconds * 1000)));
  return {
    async get(key) {
      const entry = await send('GET', `${prefix}${key}`);
      return entry === null || entry === undefined ? null : String(entry);
    },
    async set(key, entry, seconds) {
      await send('SET', `${prefix}${key}`, entry, 'PX', milliseconds(seconds));
    },
    async lock(key, seconds) {
      const name = `${prefix}${key}:lock`;
      const own = randomUUID();
      const got = await send('SET', name, own, 'PX', milliseconds(seconds), 'NX');
      if (String(got) !== 'OK') return null;
      return async () => {
        await send('EVAL', RELEASE, '1', name, own);
      };
    },
  };
}
