/** What the token client needs beyond `fetch`, for Node only: `banking-api-contract/client/node`. */
export { fileStore } from './file-store.ts';
export { memoryStore } from './memory-store.ts';
export { createNodeFetch, type NodeFetch, type NodeFetchOptions } from './node-fetch.ts';
export { type RedisClient, redisStore } from './redis-store.ts';
