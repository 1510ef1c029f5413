/** Node-only parts of the token client: `banking-api-contract/client/node`. */
import '../../needs-node.ts';

export { createNodeFetch, type NodeFetch, type NodeFetchOptions } from './node-fetch.ts';
export { fileStore, memoryStore, type RedisClient, redisStore } from './stores.ts';
