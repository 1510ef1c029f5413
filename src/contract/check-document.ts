import type { JsonObject } from '../schema/json.ts';
import { isMethod, type Kind, visitObjects } from '../schema/structure.ts';
import { parsePointer } from '../text/pointer.ts';
import type { Notice } from './contract.ts';
import {
  childOf,
  faultAt,
  formatMark,
  isMapping,
  type Key,
  type Mark,
  type MutableJson,
  placeOfMark,
  type Tree,
  textOf,
} from './document-tree.ts';
import { locatedIn } from './operations.ts';

/** Checks that the root is an OpenAPI 3 document. The linter checks the details. @throws ToolError `spec-invalid` */
export function checkRoot(tree: Tree): void {
  const at = (...segments: Key[]): Mark => tree.nearest(segments);
  const version = childOf(tree.root, 'openapi');
  if (typeof version !== 'string' || !/^3\.[012]\.\d+$/.test(version)) {
    const hint = 'This tool reads Swagger 2.0 and OpenAPI 3.0 to 3.2. Quote the version, so that it is no number.';
    const message =
      version === undefined
        ? 'The document does not say openapi: 3.1.x.'
        : `openapi: ${JSON.stringify(version)} is not a known version.`;
    throw faultAt(at('openapi'), message, { part: 'value', hint });
  }
  checkInfo(tree, 'The document has no info object.');
  for (const field of ['paths', 'components', 'webhooks']) {
    const value = childOf(tree.root, field);
    if (value !== undefined && !isMapping(value))
      throw faultAt(at(field), `${field} must be an object.`, { part: 'value' });
  }
}

export function checkInfo(tree: Tree, missing: string): void {
  const info = childOf(tree.root, 'info');
  if (!isMapping(info)) throw faultAt(tree.nearest(['info']), missing);
  for (const field of ['title', 'version']) {
    if (typeof info[field] === 'string') continue;
    const quote = 'Quote the version, so that it is no number.';
    const hint = field === 'version' && info[field] !== undefined ? quote : undefined;
    throw faultAt(tree.nearest(['info', field]), `info.${field} must be a string.`, { part: 'value', hint });
  }
}

/** Reads the unquoted versions of many documents, such as `version: 1.0`, as text. Nothing depends on the difference. */
export function readNumbersAsText(tree: Tree): Notice[] {
  const info = childOf(tree.root, 'info');
  const read = (object: MutableJson | undefined, ...path: string[]): Notice[] => {
    const field = path.at(-1) ?? '';
    const value = isMapping(object) ? object[field] : undefined;
    if (!isMapping(object) || typeof value !== 'number') return [];
    const mark = tree.nearest(path);
    tree.set(object, field, field === 'swagger' ? value.toFixed(1) : String(value), mark);
    const message = `${path.join('.')} must be a string.`;
    return [
      {
        code: 'keyword-invalid',
        message,
        hint: 'Quote it, so that it is no number.',
        place: placeOfMark(mark, 'value'),
      },
    ];
  };
  return [...read(tree.root, 'swagger'), ...read(info, 'info', 'title'), ...read(info, 'info', 'version')];
}

/** Parts of OpenAPI 3.2 that are neither served nor checked, by the kind of their object. */
const UNREAD: readonly (readonly [
  kind: Kind,
  isUnread: (object: JsonObject) => boolean,
  field: string,
  message: string,
])[] = [
  [
    'pathItem',
    (item) => isMapping(item.additionalOperations as MutableJson),
    'additionalOperations',
    'Operations below additionalOperations are not served and not checked.',
  ],
  [
    'media',
    (media) => media.itemSchema !== undefined,
    'itemSchema',
    'The items of a stream (itemSchema) are not served and not checked.',
  ],
  [
    'parameter',
    (parameter) => parameter.in === 'querystring',
    'in',
    'A parameter for the whole query (in: querystring) is not checked.',
  ],
];

export function unreadParts(tree: Tree): Notice[] {
  const notices: Notice[] = [];
  visitObjects(tree.root, (object, at, pointer) => {
    for (const [kind, isUnread, field, message] of UNREAD) {
      if (at !== kind || !isUnread(object)) continue;
      const place = placeOfMark(tree.nearest([...(parsePointer(pointer) ?? []), field]));
      notices.push({ code: 'keyword-not-judged', message, place });
    }
  });
  return notices;
}

/**
 * Gives each operation without an operationId of its own a name from method and path: `getTxsHash` for GET /txs/{hash}.
 * Reports names that another operation has.
 */
export function nameOperations(tree: Tree): Notice[] {
  const located = locatedIn(tree);
  const taken = new Set(located.map(({ value }) => textOf(value.operationId)));
  const seen = new Map<unknown, Mark>();
  const notices: Notice[] = [];
  for (const { value, segments, mark, method, path } of located) {
    const at = tree.nearest([...segments, 'operationId']);
    const own = value.operationId;
    const first = seen.get(own);
    if (own !== undefined && first === undefined) {
      seen.set(own, at);
      continue;
    }
    const words = path.split(/[^A-Za-z0-9]+/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
    const plain = `${method.toLowerCase()}${words.join('')}`;
    let name = plain;
    for (let number = 2; taken.has(name); number += 1) name = `${plain}${number}`;
    taken.add(name);
    tree.set(value, 'operationId', name, first === undefined ? mark : at);
    if (first === undefined) continue;
    const message = `The operationId ${own} stands twice, also at ${formatMark(first)}. This one is read as ${name}.`;
    notices.push({ code: 'keyword-invalid', message, place: placeOfMark(at, 'value') });
  }
  return notices;
}

/** Checks path templates, and that operationIds are unique. @throws ToolError `spec-invalid` or `overlay-invalid` */
export function checkPaths(tree: Tree): void {
  checkTemplates(tree);
  checkOperations(tree);
}

function checkTemplates(tree: Tree): void {
  const paths = childOf(tree.root, 'paths');
  const seen = new Map<string, Mark>();
  for (const [path, item] of isMapping(paths) ? Object.entries(paths) : []) {
    if (path.startsWith('x-')) continue;
    const mark = tree.nearest(['paths', path]);
    if (!path.startsWith('/')) throw faultAt(mark, `A path begins with a slash: ${path}.`);
    if (!isMapping(item)) throw faultAt(mark, `The path ${path} must be an object.`, { part: 'value' });
    const names = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name ?? '');
    if (/[{}]/.test(path.replace(/\{[^{}]+\}/g, '')) || new Set(names).size < names.length) {
      throw faultAt(mark, `The template ${path} is not well formed.`);
    }
    for (const method of Object.keys(item).filter(isMethod)) {
      const normal = `${method} ${path.replace(/\{[^{}]*\}/g, '{}')}`;
      const other = seen.get(normal);
      // An overlay may use other parameter names in a template: locate.ts checks its methods.
      const bothOfSpec = other?.origin.code === 'spec-invalid' && mark.origin.code === 'spec-invalid';
      if (other && bothOfSpec) {
        throw faultAt(
          mark,
          `The path ${path} is, but for the names of its parameters, the one at ${formatMark(other)}.`,
        );
      }
      seen.set(normal, mark);
    }
  }
}

function checkOperations(tree: Tree): void {
  const seen = new Map<string, Mark>();
  for (const { value, segments, path, method } of locatedIn(tree)) {
    const mark = tree.nearest([...segments, 'operationId']);
    const operationId = value.operationId;
    if (typeof operationId !== 'string' || operationId === '')
      throw faultAt(mark, `${method} ${path} has no operationId.`);
    const other = seen.get(operationId);
    if (other)
      throw faultAt(mark, `The operationId ${operationId} stands twice, also at ${formatMark(other)}.`, {
        part: 'value',
      });
    seen.set(operationId, mark);
  }
}
