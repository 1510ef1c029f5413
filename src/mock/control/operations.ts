import type { Method } from '../../contract/contract.ts';
import type { FileSchema } from '../../files/schema.ts';
import { isObject } from '../../schema/json.ts';

/** An operation of `mocks/control.openapi.yaml`. */
export interface ControlOperation<Id extends string = string> {
  readonly operationId: Id;
  readonly method: Method;
  readonly path: string;
  readonly status: number;
  readonly parameters: FileSchema;
  /** Schema of the JSON body; absent if the operation has no body. */
  readonly body?: FileSchema;
  readonly answer: Content;
}

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
  readonly paths: Readonly<Record<string, { readonly parameters?: readonly Parameter[] }>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, FileSchema>>>>;
}

/** The operations and schemas of a document. Schema references become `#/$defs/NAME`; the rest is resolved. */
export function operationsOf(document: object): {
  readonly operations: readonly ControlOperation[];
  readonly schemas: FileSchema;
} {
  const text = JSON.stringify(document).replaceAll('#/components/schemas/', '#/$defs/');
  const { components } = JSON.parse(text) as Source;
  const { paths } = JSON.parse(text, (_, node: unknown) => {
    const [, of, kind = '', name = ''] = isObject(node) ? String(node.$ref).split('/') : [];
    return of === 'components' ? components[kind]?.[name] : node;
  }) as Source;
  const operations = Object.entries(paths).flatMap(([path, { parameters: shared = [], ...item }]) =>
    Object.entries(item as Readonly<Record<string, Described>>).map(([method, described]): ControlOperation => {
      const { operationId, parameters = [], requestBody, responses } = described;
      const taken = [...shared, ...parameters].filter((one) => one.in !== 'header');
      const [[status, answer] = ['', {}]] = Object.entries(responses);
      const body = requestBody?.content?.['application/json']?.schema;
      return {
        ...{ operationId, method: method.toUpperCase() as Method, path, status: Number(status), answer },
        parameters: {
          type: 'object',
          required: taken.flatMap((one) => (one.in === 'path' ? [one.name] : [])),
          properties: Object.fromEntries(taken.map(({ name, schema }) => [name, schema])),
        },
        ...(body && { body }),
      };
    }),
  );
  return { operations, schemas: components.schemas ?? {} };
}
