import { createSchemas, type Schemas } from '../../src/drift/schemas.ts';
import { suite } from './suite.ts';

let schemas: Schemas | undefined;

/**
 * Pactum's JSON schema check by our own Ajv: the places of the problems, or the empty text.
 *
 * @param schema a reference into the documented bundle: `{ $ref: <pointer> }`
 */
export function validate(schema: unknown, target: unknown): string {
  schemas ??= createSchemas(suite.document);
  return schemas
    .problems((schema as { readonly $ref: string }).$ref, target)
    .map((problem) => `${problem.at === '' ? 'the whole' : problem.at} (${problem.keyword})`)
    .join(', ');
}
