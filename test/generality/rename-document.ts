import { type Kind, kindOfChild } from '../../src/contract/structure.ts';
import { mapEntries, type Naming } from './naming.ts';

type Path = readonly (string | number)[];

/** Maps whose keys are names of the contract; those of media types, statuses and header fields are not. */
const NAMED: ReadonlySet<Kind> = new Set([
  'map:schema',
  'map:response',
  'map:parameter',
  'map:example',
  'map:requestBody',
  'map:securityScheme',
  'map:pathItem',
]);

/** Extensions and fields whose value is one name, a list of names, or a map with names as keys. */
const NAMES: ReadonlySet<string> = new Set([
  'operationId',
  'x-tag',
  'x-mock-shows',
  'x-creates',
  'x-removes',
  'x-only-when',
  'x-meaningful-when',
  'tags',
  'required',
  'x-maximum-by-currency',
]);
/** Fields that hold data. */
const DATA: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'example', 'value', 'x-mock-when']);

/** An OpenAPI document, or the part of one that stands at a kind of place, with every name replaced. */
export function renameDocument(naming: Naming, node: unknown, kind: Kind = 'document'): unknown {
  if (Array.isArray(node)) return node.map((item, index) => renameDocument(naming, item, kindOfChild(kind, index)));
  if (typeof node !== 'object' || node === null) return node;
  return mapEntries(
    node,
    (key) => keyIn(naming, kind, key),
    (value, key) =>
      kind !== 'data' && isOwn(kind) ? renameField(naming, value, key, kind) : renameChild(naming, value, key, kind),
  );
}

/** The tokens of a place in a document, renamed. */
export function renameTokens(naming: Naming, tokens: Path): { readonly tokens: Path; readonly kind: Kind } {
  let kind: Kind = 'document';
  const renamed = tokens.map((token) => {
    const key = typeof token === 'number' ? token : keyIn(naming, kind, token);
    kind = kindOfChild(kind, token);
    return key;
  });
  return { tokens: renamed, kind };
}

/** True of a node whose keys are fields of OpenAPI, not names or statuses. */
function isOwn(kind: Kind): boolean {
  return !kind.startsWith('map:') && kind !== 'paths' && kind !== 'responses';
}

function keyIn(naming: Naming, kind: Kind, key: string): string {
  if (kind === 'paths') return naming.path(key);
  return NAMED.has(kind) ? naming.of(key) : key;
}

function renameChild(naming: Naming, value: unknown, key: string, kind: Kind): unknown {
  return renameDocument(naming, value, kindOfChild(kind, key));
}

function renameField(naming: Naming, value: unknown, key: string, kind: Kind): unknown {
  if (key === '$ref' && typeof value === 'string') return renameReference(naming, value);
  if (NAMES.has(key) && kindOfChild(kind, key) === 'data') return namesIn(naming, value);
  if (DATA.has(key) || (key === 'examples' && kind === 'schema')) return naming.data(value);
  if (key === 'name' && (kind === 'parameter' || kind === 'tag')) return naming.of(String(value));
  if (key === 'title' && kind === 'schema') return naming.of(String(value));
  if (key === 'security')
    return (value as object[]).map((one) =>
      mapEntries(
        one,
        (name) => naming.of(name),
        (scopes) => scopes,
      ),
    );
  if (key === 'x-successor') return withMember(value, 'operationId', (id) => naming.of(id));
  if (key === 'x-rules') return (value as object[]).map((rule) => withMember(rule, 'id', (id) => naming.of(id)));
  if (key === 'x-token')
    return mapEntries(
      value as object,
      (name) => name,
      (part) => withMember(part, 'operationId', (id) => naming.of(id)),
    );
  if (key === 'x-ambiguous-paths') {
    return (value as { paths: string[] }[]).map(({ paths }) => ({ paths: paths.map((path) => naming.path(path)) }));
  }
  return renameChild(naming, value, key, kind);
}

function namesIn(naming: Naming, value: unknown): unknown {
  if (typeof value === 'string') return naming.of(value);
  if (Array.isArray(value)) return value.map((name) => (typeof name === 'object' ? name : naming.of(String(name))));
  if (typeof value !== 'object' || value === null) return value;
  return mapEntries(
    value,
    (name) => naming.of(name),
    (item) => item,
  );
}

function withMember(value: unknown, member: string, rename: (name: string) => string): unknown {
  if (typeof value !== 'object' || value === null || !(member in value)) return value;
  return { ...value, [member]: rename(String((value as Record<string, unknown>)[member])) };
}

function renameReference(naming: Naming, reference: string): string {
  const [file, pointer = ''] = reference.split('#');
  if (file !== '') throw new Error(`a bundle refers to no file: ${reference}`);
  const tokens = pointer
    .split('/')
    .slice(1)
    .map((token) => decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~'));
  const escaped = renameTokens(naming, tokens).tokens.map((token) =>
    String(token).replaceAll('~', '~0').replaceAll('/', '~1'),
  );
  return `#/${escaped.join('/')}`;
}

interface Overlay {
  readonly actions: readonly { readonly target: string; readonly update?: unknown; readonly remove?: boolean }[];
}

/** An overlay whose targets are plain: `$`, then names, texts in brackets and numbers. */
export function renameOverlay(naming: Naming, overlay: Overlay): unknown {
  const actions = overlay.actions.map((action) => {
    const { tokens, kind } = renameTokens(naming, tokensOf(action.target));
    const last = tokens.at(-1);
    // an extension of the root: what is appended is an entry of its list
    const update =
      last === 'x-ambiguous-paths'
        ? (renameDocument(naming, { [last]: [action.update] }) as Record<string, unknown[]>)[last]?.[0]
        : renameDocument(naming, action.update, kind);
    return { ...action, target: targetOf(tokens), ...(action.update === undefined ? {} : { update }) };
  });
  return { ...overlay, actions };
}

function tokensOf(target: string): Path {
  const tokens: (string | number)[] = [];
  let rest = target.replace(/^\$/, '');
  while (rest !== '') {
    const found = /^(?:\.([\w-]+)|\['([^']*)'\]|\[(\d+)\])/.exec(rest);
    if (found === null) throw new Error(`a target that is not plain: ${target}`);
    tokens.push(found[3] === undefined ? (found[1] ?? found[2] ?? '') : Number(found[3]));
    rest = rest.slice(found[0].length);
  }
  return tokens;
}

function targetOf(tokens: Path): string {
  return `$${tokens.map((token) => (typeof token === 'number' ? `[${token}]` : `['${token}']`)).join('')}`;
}
