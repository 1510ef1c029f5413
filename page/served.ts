import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { parseFragment } from '../src/text/pointer.ts';
import { changes, read } from './control.ts';
import { revision } from './exchanges.ts';
import { about, health } from './live.ts';

/** The document that the mock serves (`/__mock/contract.json`); null until it is read. */
export const served: Signal<ServedDocument | null> = signal(null);

export interface ServedDocument {
  readonly info: { readonly title: string };
  readonly security?: readonly object[];
  readonly components?: { readonly securitySchemes?: Readonly<Record<string, SecurityScheme>> };
  readonly paths: Readonly<Record<string, PathItem>>;
}

interface SecurityScheme {
  readonly type: string;
  readonly scheme?: string;
  readonly in?: ServedParameter['in'];
  readonly name?: string;
}

export interface Ref {
  readonly $ref: string;
}

type PathItem = Readonly<Record<string, unknown>>;

export interface ServedParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}

export interface ServedSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, ServedSchema>>;
  readonly required?: readonly string[];
  readonly items?: ServedSchema;
  readonly enum?: readonly unknown[];
  readonly allOf?: readonly ServedSchema[];
  readonly oneOf?: readonly ServedSchema[];
  readonly [keyword: string]: unknown;
}

export type ServedOperation = ReturnType<typeof operationOf>;

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'];

export const operations: ReadonlySignal<readonly ServedOperation[]> = computed(() => {
  const document = served.value;
  if (document === null) return [];
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method] !== undefined).map((method) => operationOf(path, item, method)),
  );
});

const byId = computed(() => new Map(operations.value.map((operation) => [operation.operationId, operation])));

export function operationById(operationId: string | null): ServedOperation | undefined {
  return operationId === null ? undefined : byId.value.get(operationId);
}

function operationOf(path: string, item: PathItem, method: string) {
  const raw = item[method] as Readonly<Record<string, unknown>>;
  return {
    operationId: String(raw.operationId ?? `${method} ${path}`),
    method: method.toUpperCase(),
    path,
    summary: String(raw.summary ?? raw.operationId ?? path),
    deprecated: raw.deprecated === true,
    tag: String((raw.tags as readonly string[] | undefined)?.[0] ?? 'other'),
    // the mock writes them out in each operation
    parameters: (raw.parameters ?? []) as readonly ServedParameter[],
    provenance: raw['x-provenance'] as string | undefined,
    raw,
  };
}

/** Resolves a reference within the document. Any other value is returned unchanged. */
export function deref<T extends object>(document: ServedDocument, node: T | Ref): T {
  let found: unknown = node;
  for (let hops = 0; hops < 20 && typeof found === 'object' && found !== null && '$ref' in found; hops++) {
    const { $ref, ...beside } = found as Ref;
    const target = parseFragment($ref.slice(1))?.reduce<unknown>((at, key) => Object(at)[key], document);
    found = { ...(target as object), ...beside };
  }
  return found as T;
}

/** Changes when the mock restarts or reloads its files; null while it does not answer. */
const version = computed(() => health.value && about.value && `${about.value.startedAt} ${health.value.reloads}`);
let last = '';
let reading = Promise.resolve();

/** Reads the document, unless nothing has happened since. Its examples name records that exist. */
export function refreshServed(): Promise<void> {
  const key = `${version.peek()} ${changes.peek()} ${revision.peek()}`;
  if (key === last) return reading;
  last = key;
  reading = read<ServedDocument>('/contract.json').then(
    (document) => {
      served.value = document;
    },
    () => {
      last = '';
    },
  );
  return reading;
}

export function followServed(): () => void {
  return effect(() => {
    if (version.value !== null) void refreshServed();
  });
}
