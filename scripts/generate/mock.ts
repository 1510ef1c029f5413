/** The types of the mock's files, and of what it takes and shows. */
import { loadContract } from '../../src/contract/load.ts';
import { publishedSchema } from '../../src/files/schema.ts';
import type { Made } from '../../src/generate/files.ts';
import { componentSchemas } from '../../src/generate/schemas.ts';
import { emitTypes } from '../../src/generate/types.ts';
import { publishedDocument } from '../../src/mock/document/published-document.ts';
import { partsOfContract } from '../../src/mock/tenant/read-parts.ts';
import { control } from './control.ts';
import { typesOf } from './types.ts';

const ABOUT_TYPES =
  'What the mock takes and shows: fields that the API reference documents, and those that it assumes; each says which.';

export async function mock(): Promise<Made> {
  const contract = await loadContract({ assumed: true });
  for (const notice of contract.notices) console.error(`${notice.place.file}:${notice.place.line}: ${notice.message}`);
  const document = publishedDocument(contract, await partsOfContract(contract));
  const files = {
    'types.ts': emitTypes(contract, componentSchemas(document), ABOUT_TYPES, document),
    'scenario.ts': await typesOf(await publishedSchema('scenario'), 'ScenarioDefinition'),
    'entities.ts': await typesOf(await publishedSchema('entities'), 'EntitiesFile'),
    'control.ts': await control(),
  };
  return { folder: 'generated/mock', files, whole: true };
}
