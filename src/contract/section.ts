import type { Contract } from './contract.ts';

/** The section of the API's reference that a part of the contract, or a part around it, names by `x-reference`. */
export function sectionOf(pointer: string, contract: Pick<Contract, 'at'>): string | undefined {
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const node = contract.at(at);
    if (typeof node !== 'object' || node === null || !('x-reference' in node)) continue;
    const reference = node['x-reference'];
    if (typeof reference === 'string') return `API reference, ${reference}`;
  }
  return undefined;
}
