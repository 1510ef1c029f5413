import { isObject, type Json, listOf } from '../schema/json.ts';
import type { Contract } from './contract.ts';

/**
 * The paths of the document's servers, with variables by their defaults, for instance `/v1`. The first is the path of
 * the first server. Servers without a path are left out.
 */
export function basePaths({ document }: Pick<Contract, 'document'>): readonly string[] {
  return [...new Set(listOf(document.servers).map(pathOf))].filter((path) => path !== '');
}

function pathOf(server: Json | undefined): string {
  if (!isObject(server)) return '';
  const variables = isObject(server.variables) ? server.variables : {};
  const url = String(server.url ?? '').replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const variable = variables[name];
    return isObject(variable) ? String(variable.default ?? '') : '';
  });
  const path = URL.parse(url, 'http://localhost/')?.pathname ?? '';
  return path.replace(/\/+$/, '');
}
