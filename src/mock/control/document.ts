import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compileSchema, type FileSchema, type SchemaCheck } from '../../files/schema.ts';
import { packageRoot } from '../../package-root.ts';
import type { Controls, Route } from './controls.ts';
import { InputError } from './input.ts';

/** Where the control API lives; no path of the API begins so. */
export const PREFIX = '/__mock';

interface RequestBody {
  readonly content: { readonly 'application/json': { readonly schema: FileSchema } };
}

interface ControlDocument {
  readonly paths: Record<string, Readonly<Record<string, { readonly requestBody?: RequestBody | { $ref: string } }>>>;
  readonly components: {
    readonly requestBodies: Readonly<Record<string, RequestBody>>;
    readonly schemas: Readonly<Record<string, FileSchema>>;
  };
  servers?: unknown;
}

async function readDocument(): Promise<ControlDocument> {
  const { parse } = await import('yaml');
  return parse(await readFile(join(packageRoot, 'mocks', 'control.openapi.yaml'), 'utf8')) as ControlDocument;
}

/** What a mock that remembers nothing has not. */
const OF_STATE = /^\/__mock\/(?:state|tenants|seed)(?:\/|$)/;

/** The OpenAPI document of the control API, without what this mock has nothing behind. */
export async function controlDocument(controls: Pick<Controls, 'state' | 'url'>): Promise<object> {
  const document = await readDocument();
  if (!controls.state)
    for (const path of Object.keys(document.paths)) if (OF_STATE.test(path)) delete document.paths[path];
  document.servers = [{ url: controls.url() }];
  return document;
}

/** Holds bodies to the document. An absent one counts as an empty object. */
export function createBodyCheck(): (route: Route, body: unknown) => Promise<unknown> {
  let document: Promise<ControlDocument> | undefined;
  const checks = new Map<Route, Promise<SchemaCheck>>();
  const checkOf = async (route: Route): Promise<SchemaCheck> => {
    document ??= readDocument();
    const schema = bodySchema(await document, route);
    return schema ? compileSchema(schema) : () => [];
  };
  return async (route, body = {}) => {
    if (route.method === 'GET' || route.method === 'DELETE') return body;
    const check = checks.get(route) ?? checkOf(route);
    checks.set(route, check);
    const faults = (await check)(body);
    if (faults.length > 0) throw new InputError(...faults);
    return body;
  };
}

function bodySchema({ paths, components }: ControlDocument, { method, path }: Route): FileSchema | undefined {
  const stated = paths[PREFIX + path]?.[method.toLowerCase()]?.requestBody;
  const body = stated && '$ref' in stated ? components.requestBodies[stated.$ref.split('/').at(-1) ?? ''] : stated;
  const schema = body?.content['application/json'].schema;
  const alone = JSON.stringify({ ...schema, $defs: components.schemas }).replaceAll(
    '#/components/schemas/',
    '#/$defs/',
  );
  return schema && (JSON.parse(alone) as FileSchema);
}
