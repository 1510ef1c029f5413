/**
 * Generates `generated/validators/` from the contract: `node scripts/generate-validators.ts`.
 * With `--check` it writes nothing and ends with 1 where a file is stale, missing or left over.
 */

import { loadContract } from '../src/contract/load.ts';
import { generateValidators } from '../src/generate/validators.ts';
import { settle } from './settle.ts';

await settle('generate-validators.ts', 'generated/validators', await generateValidators(await loadContract()));
