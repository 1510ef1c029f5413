/**
 * Compiles what the library must know of the package's own contract without reading YAML: `contract.yaml` as a module, and how tokens
 * are had. With `--check` nothing is written and a stale file ends it with 1.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { ContractFile } from '../src/contract/contract-file.ts';
import { assumedIn } from '../src/contract/contract-file.ts';
import { loadContract } from '../src/contract/load.ts';
import { packageRoot } from '../src/package-root.ts';
import { literal, settle } from './settle.ts';

const { token, operation } = await loadContract();
const path = operation(token?.operationId ?? '')?.path;
if (token === null || path == null) throw new Error('the contract has no token endpoint');

const text = async (...path: readonly string[]): Promise<string> => readFile(join(packageRoot, ...path), 'utf8');
const contract = parse(await text('contract.yaml')) as ContractFile;
const entities = parse(await text(contract.entities ?? 'mocks/entities.yaml')) as unknown;

await settle('generate-contract.ts', 'generated', {
  'contract.ts': `import type { Assumed, ContractFile } from '../src/contract/contract-file.ts';

export const own: ContractFile = ${literal(contract)};

export const assumed: Assumed = ${literal(assumedIn(entities))};
`,
  'token.ts': `/** How tokens are had by the own contract of the package. */
export const own = ${literal({ path, clientAuthentication: token.clientAuthentication })} as const;
`,
});
