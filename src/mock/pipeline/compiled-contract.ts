import type { Contract } from '../../contract/contract.ts';
import { remembered } from '../../schema/schema-document.ts';
import { compileContract } from '../compile/compile.ts';
import type { Validators } from '../compile/plan.ts';
import type { MockOptions } from '../mock.ts';
import { mockContract } from '../tenant/mock-contract.ts';
import type { ContractParts } from '../tenant/parts.ts';
import { partsOfContract } from '../tenant/read-parts.ts';

export interface CompiledContract extends ContractParts {
  readonly validators: Validators;
}

const compiled = remembered<Map<number, Promise<CompiledContract>>, Contract>(() => new Map());

/**
 * Compiles a contract and reads the parts of its folder, once in a process. The bundle for browsers has the default
 * contract compiled by the build, and replaces this module.
 *
 * @param again The files may have changed.
 */
export async function compiledContract(options: MockOptions, again: boolean): Promise<CompiledContract> {
  const { seed = 1 } = options;
  const contract = await mockContract(options, again);
  const known = compiled(contract);
  const compiling = known.get(seed) ?? compile(contract, seed);
  known.set(seed, compiling);
  compiling.catch(() => known.delete(seed));
  return compiling;
}

async function compile(contract: Contract, seed: number): Promise<CompiledContract> {
  const parts = await partsOfContract(contract);
  const load = async (): Promise<Contract> => contract;
  return { ...(await compileContract(contract, seed)), parts, contract: load, whole: load };
}
