/** What the token client needs beyond `fetch`, for Node only: `banking-api-contract/client/node`. */
export { createNodeFetch, type NodeFetch, type NodeFetchOptions } from './node-fetch.ts';
export { fileStore, memoryStore, type RedisClient, redisStore } from './stores.ts';
