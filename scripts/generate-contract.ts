/**
 * Compiles what the library must know of the package's own contract without reading YAML: `contract.yaml` as a module, and how tokens
 * are had. With `--check` nothing is written and a stale file ends it with 1.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { packageRoot } from '../src/package-root.ts';
import { loadContract } from '../src/spec/load.ts';
import { settle } from './settle.ts';

const { token, operation } = await loadContract();
const path = operation(token?.operationId ?? '')?.path;
if (token === null || path == null) throw new Error('the contract has no token endpoint');

await settle('generate-contract.ts', 'generated', {
  'contract.ts': `import type { ContractFile } from '../src/spec/folder.ts';

export const own: ContractFile = ${literal(parse(await readFile(join(packageRoot, 'contract.yaml'), 'utf8')))};
`,
  'token.ts': `/** How tokens are had by the own contract of the package. */
export const own = ${literal({ path, clientAuthentication: token.clientAuthentication })} as const;
`,
});

function literal(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
