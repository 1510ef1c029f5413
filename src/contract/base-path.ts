import { isObject, type Json, listOf, objectOf } from '../schema/json.ts';
import type { Contract, Operation } from './contract.ts';

/**
 * The paths of the document's servers, with variables by their defaults, for instance `/v1`. The first is the path of
 * the first server. Servers without a path are left out.
 */
export function basePaths({ document }: Pick<Contract, 'document'>): readonly string[] {
  return pathsIn(listOf(document.servers));
}

/** The paths of the servers that an operation, or else its path, has of its own. */
export function ownBasePaths({ at }: Pick<Contract, 'at'>, { pointer }: Pick<Operation, 'pointer'>): readonly string[] {
  const places = [at(pointer), at(pointer.slice(0, pointer.lastIndexOf('/')))];
  const servers = places.map((node) => (isObject(node) ? listOf(node.servers) : []));
  return pathsIn(servers.find((stated) => stated.length > 0) ?? []);
}

function pathsIn(servers: readonly Json[]): readonly string[] {
  return [...new Set(servers.map(pathOf))].filter((path) => path !== '');
}

function pathOf(server: Json | undefined): string {
  const { url: template, variables } = objectOf(server);
  const url = String(template ?? '').replace(/\{([^{}]+)\}/g, (_, name: string) => {
    return String(objectOf(objectOf(variables)[name]).default ?? '');
  });
  const path = URL.parse(url, 'http://localhost/')?.pathname ?? '';
  return path.replace(/\/+$/, '');
}
