import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { FileSchema } from '../../src/files/schema.ts';
import { operationsOf } from '../../src/mock/control/operations.ts';
import { packageRoot } from '../../src/package-root.ts';
import { typesOf } from './types.ts';

/** The control API as a module: its document, and the types of its requests and answers. */
export async function control(): Promise<string> {
  const document = parse(await readFile(join(packageRoot, 'mocks', 'control.openapi.yaml'), 'utf8')) as object;
  const { operations, schemas } = operationsOf(document);
  const shapes = operations.map(({ operationId, parameters, body = {}, answer: { content } }) => {
    const answer = content ? (content['application/json']?.schema ?? { tsType: 'never' }) : { tsType: 'void' };
    return [operationId, objectOf({ parameters, body, answer })] as const;
  });
  const named = Object.entries(schemas).map(([name, schema]) => [name, { ...(schema as FileSchema), title: name }]);
  const $defs = Object.fromEntries(named) as FileSchema;
  return `${await typesOf({ ...objectOf(Object.fromEntries(shapes)), $defs }, 'ControlOperations')}
export const document: { readonly paths: object; readonly [member: string]: unknown } = ${JSON.stringify(document, null, 2)};
`;
}

function objectOf(properties: Readonly<Record<string, FileSchema>>): FileSchema {
  return { type: 'object', required: Object.keys(properties), properties };
}
