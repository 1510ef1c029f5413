import { listOf, objectOf } from '../schema/json.ts';
import { remembered } from '../schema/schema-document.ts';
import type { Contract, Operation } from './contract.ts';

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

function ownServer(contract: Contract, operation: Operation): string | null {
  return (
    placesOf(operation)
      .map((place) => serversAt(contract, place)[0])
      .find((url) => typeof url === 'string') ?? null
  );
}

function placesOf({ pointer }: Operation): readonly string[] {
  return [pointer, pointer.slice(0, pointer.lastIndexOf('/'))];
}

function serversAt(contract: Contract, pointer: string): readonly unknown[] {
  return listOf(objectOf(contract.at(pointer)).servers).map((server) => objectOf(server).url);
}

/** The hosts of all servers. Empty if a server may be on any host: its address is relative or has variables. */
export function serverHosts(contract: Contract): ReadonlySet<string | null> {
  const general = serversAt(contract, '');
  const own = [...new Set(contract.operations.flatMap(placesOf))].flatMap((place) => serversAt(contract, place));
  const hosts = new Set([...general, ...own].map(hostOf));
  return general.length === 0 || hosts.has(null) ? new Set() : hosts.add(hostOf(contract.token?.url));
}

function hostOf(url: unknown): string | null {
  const host = URL.parse(String(url))?.host ?? '';
  return host === '' || host.includes('{') ? null : host;
}
