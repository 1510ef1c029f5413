import { type Contract, type Operation, remembered } from './contract.ts';
import { isObject } from './schema-facts.ts';

/** The service of all operations if they have nothing in common but their host. */
const WHOLE = '';

/** Its own server, else its first path segment unless all share it, else its tag. Empty if there is one service. */
export const serviceOf: (contract: Contract, operationId: string) => string = remembered((contract, operationId) => {
  const operation = contract.operation(operationId);
  if (operation === undefined) return WHOLE;
  const server = ownServer(contract, operation);
  if (server !== null) return server;
  const located = contract.operations.filter(({ path, auth }) => path !== null && auth !== 'issues');
  const firsts = new Set(located.map(({ path }) => firstSegment(path)));
  if (firsts.size > 1) return operation.path === null ? WHOLE : firstSegment(operation.path);
  const tags = new Set(located.map(({ tag }) => tag));
  return tags.size > 1 ? operation.tag : WHOLE;
});

function firstSegment(path: string | null): string {
  return `/${path?.split('/')[1] ?? ''}`;
}

function ownServer(contract: Contract, { pointer }: Operation): string | null {
  const item = pointer.slice(0, pointer.lastIndexOf('/'));
  for (const place of [pointer, item]) {
    const node = contract.at(place);
    const servers = isObject(node) && Array.isArray(node.servers) ? node.servers : [];
    const [first] = servers;
    if (isObject(first) && typeof first.url === 'string') return first.url;
  }
  return null;
}
