import { parsePointer } from '../text/pointer.ts';
import type { Operation, OperationAuth, TokenFacts } from './contract.ts';
import { childOf, isObject, type MutableJson, type MutableObject, type Tree, textOf } from './document-tree.ts';
import { follow } from './references.ts';

/** @param own The `security` of the operation; undefined where that of the document holds. */
export function authOf(tree: Tree, operationId: string, own: MutableJson | undefined): OperationAuth {
  if (childOf(tokenScheme(tree)?.words.grant, 'operationId') === operationId) return 'issues';
  const requirements = own ?? childOf(tree.root, 'security');
  const schemes = childOf(childOf(tree.root, 'components'), 'securitySchemes');
  const asked = (Array.isArray(requirements) ? requirements : []).map((one) => (isObject(one) ? Object.keys(one) : []));
  if (asked.some((names) => names.length === 0)) return 'none';
  return asked.some((names) => names.some((name) => !isBasic(childOf(schemes, name)))) ? 'bearer' : 'none';
}

function isBasic(scheme: MutableJson | undefined): boolean {
  return childOf(scheme, 'type') === 'http' && textOf(childOf(scheme, 'scheme')).toLowerCase() === 'basic';
}

function tokenScheme(tree: Tree): { scheme: MutableObject; words: MutableObject } | undefined {
  const schemes = childOf(childOf(tree.root, 'components'), 'securitySchemes');
  for (const scheme of Object.values(isObject(schemes) ? schemes : {})) {
    const words = childOf(scheme, 'x-token');
    if (isObject(scheme) && isObject(words)) return { scheme, words };
  }
  return undefined;
}

export function tokenOf(tree: Tree, operations: readonly Operation[]): TokenFacts | null {
  const { scheme, words } = tokenScheme(tree) ?? {};
  const operationId = textOf(childOf(words?.grant, 'operationId'));
  const operation = operations.find((one) => one.operationId === operationId);
  if (operation === undefined) return null;
  const lifetime = childOf(words?.lifetime, 'defaultSeconds');
  const margin = childOf(words?.reuse, 'suggestedMarginSeconds');
  const [shortest, longest] = Array.isArray(margin) ? margin : [];
  return {
    operationId,
    grant: textOf(childOf(words?.grant, 'value')) || 'client_credentials',
    clientAuthentication: namesClientInForm(tree, operation) ? 'form' : 'basic',
    isJwt: textOf(scheme?.bearerFormat).toUpperCase() === 'JWT',
    lifetime: typeof lifetime === 'number' ? lifetime : null,
    margin: typeof shortest === 'number' && typeof longest === 'number' ? [shortest, longest] : null,
  };
}

function namesClientInForm(tree: Tree, { pointer, requestBody }: Operation): boolean {
  const own = childOf(tree.find(parsePointer(pointer) ?? [])?.value, 'security');
  if (Array.isArray(own) && own.length > 0) return false;
  return (requestBody?.content ?? []).some((media) => {
    const schema = follow(tree, [...(parsePointer(media.pointer) ?? []), 'schema'])?.value;
    const properties = childOf(schema, 'properties');
    return ['client_id', 'client_secret'].every((field) => childOf(properties, field) !== undefined);
  });
}
