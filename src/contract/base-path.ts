import { type Json, listOf, objectOf } from '../schema/json.ts';
import type { Contract } from './contract.ts';

/**
 * The paths of the document's servers, with variables by their defaults, for instance `/v1`. The first is the path of
 * the first server. Servers without a path are left out.
 */
export function basePaths({ document }: Pick<Contract, 'document'>): readonly string[] {
  return [...new Set(listOf(document.servers).map(pathOf))].filter((path) => path !== '');
}

function pathOf(server: Json | undefined): string {
  const { url: template, variables } = objectOf(server);
  const url = String(template ?? '').replace(/\{([^{}]+)\}/g, (_, name: string) => {
    return String(objectOf(objectOf(variables)[name]).default ?? '');
  });
  const path = URL.parse(url, 'http://localhost/')?.pathname ?? '';
  return path.replace(/\/+$/, '');
}
