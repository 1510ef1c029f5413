import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { isObject } from '../../src/contract/schema-facts.ts';
import type { FileSchema } from '../../src/files/schema.ts';
import { packageRoot } from '../../src/package-root.ts';
import { typesOf } from './types.ts';

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: FileSchema }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: FileSchema;
}

interface Described {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

interface Source {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described | readonly Parameter[]>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

/** The control API as a module: its document, its operations, and the types of what they take and answer. */
export async function control(): Promise<string> {
  const document = parse(await readFile(join(packageRoot, 'mocks', 'control.openapi.yaml'), 'utf8')) as object;
  const text = JSON.stringify(document).replaceAll('#/components/schemas/', '#/$defs/');
  const { components } = JSON.parse(text) as Source;
  const { paths } = JSON.parse(text, (_, node: unknown) => {
    const [, of, kind = '', name = ''] = isObject(node) ? String(node.$ref).split('/') : [];
    return of === 'components' ? components[kind]?.[name] : node;
  }) as Source;
  const operations: object[] = [];
  const shapes: Record<string, FileSchema> = {};
  for (const [path, { parameters: shared = [], ...item }] of Object.entries(paths)) {
    for (const [method, described] of Object.entries(item as Readonly<Record<string, Described>>)) {
      const { operationId, requestBody, responses } = described;
      const taken = [...(shared as readonly Parameter[]), ...(described.parameters ?? [])];
      const [[status, { content }] = ['', {}]] = Object.entries(responses);
      const body = requestBody?.content?.['application/json']?.schema;
      const parameters = {
        required: taken.flatMap((one) => (one.in === 'path' ? [one.name] : [])),
        properties: Object.fromEntries(taken.flatMap((one) => (one.in === 'header' ? [] : [[one.name, one.schema]]))),
      };
      operations.push({
        ...{ operationId, method: method.toUpperCase(), path, status: Number(status) },
        ...{ parameters: { type: 'object', properties: parameters.properties }, ...(body && { body }) },
      });
      const answer = content ? (content['application/json']?.schema ?? { tsType: 'never' }) : { tsType: 'void' };
      shapes[operationId] = objectOf({ parameters: { type: 'object', ...parameters }, body: body ?? {}, answer });
    }
  }
  const schemas = Object.entries(components.schemas ?? {}).map(([name, schema]) => [name, { ...schema, title: name }]);
  const $defs = Object.fromEntries(schemas) as FileSchema;
  return `import type { Method } from '../../src/contract/contract.ts';
import type { FileSchema } from '../../src/files/schema.ts';

${await typesOf({ ...objectOf(shapes), $defs }, 'ControlOperations')}
/** An operation of \`mocks/control.openapi.yaml\`. */
export interface ControlOperation {
  readonly operationId: keyof ControlOperations;
  readonly method: Method;
  readonly path: string;
  /** Of its answer if all is well. */
  readonly status: number;
  /** Schema of what path and query hold. */
  readonly parameters: FileSchema;
  /** Schema of the JSON body; absent if none is taken. */
  readonly body?: FileSchema;
}

export const schemas: FileSchema = ${JSON.stringify($defs, null, 2)};

export const operations: readonly ControlOperation[] = ${JSON.stringify(operations, null, 2)};

export const document: { readonly paths: object; readonly [member: string]: unknown } = ${JSON.stringify(document, null, 2)};
`;
}

function objectOf(properties: Readonly<Record<string, FileSchema>>): FileSchema {
  return { type: 'object', required: Object.keys(properties), properties };
}
