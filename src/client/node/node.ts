/** What the token client needs beyond `fetch`, for Node only: `banking-api-contract/client/node`. */
import '../../needs-node.ts';

export { createNodeFetch, type NodeFetch, type NodeFetchOptions } from './node-fetch.ts';
export { fileStore, memoryStore, type RedisClient, redisStore } from './stores.ts';
