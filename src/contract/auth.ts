import { joinPointer, parsePointer } from '../text/pointer.ts';
import type { KeyScheme, Operation, TokenFacts } from './contract.ts';
import { childOf, isMapping, type MutableJson, type MutableObject, type Tree, textOf } from './document-tree.ts';
import { follow } from './references.ts';

/** @param own the operation's `security`; undefined if the document's applies */
export function authOf(
  tree: Tree,
  operationId: string,
  own: MutableJson | undefined,
): Pick<Operation, 'auth' | 'keys'> {
  const issuing = tokenScheme(tree);
  if (isTokenIssuer(tree, operationId)) return { auth: 'issues', keys: [] };
  const requirements = own ?? childOf(tree.root, 'security');
  const schemes = childOf(childOf(tree.root, 'components'), 'securitySchemes');
  const asked = (Array.isArray(requirements) ? requirements : []).map((one) =>
    (isMapping(one) ? Object.keys(one) : [])
      .map((name) => childOf(schemes, name))
      .filter((scheme) => childOf(scheme, 'type') !== 'mutualTLS')
      .map((scheme) => keyOf(scheme, issuing !== undefined)),
  );
  if (asked.some((keys) => keys.length === 0)) return { auth: 'none', keys: [] };
  const keys = asked.filter((all) => all.every((key) => key !== null));
  return { auth: keys.length < asked.length ? 'bearer' : 'none', keys };
}

export function isTokenIssuer(tree: Tree, operationId: string): boolean {
  return childOf(tokenScheme(tree)?.words.grant, 'operationId') === operationId;
}

/** Null for a scheme whose tokens an operation issues. */
function keyOf(scheme: MutableJson | undefined, issued: boolean): KeyScheme | null {
  const type = childOf(scheme, 'type');
  if (type === 'http' && textOf(childOf(scheme, 'scheme')).toLowerCase() === 'basic')
    return { kind: 'basic', in: 'header', name: 'authorization' };
  if (type !== 'apiKey') return issued ? null : { kind: 'bearer', in: 'header', name: 'authorization' };
  const place = childOf(scheme, 'in');
  const name = textOf(childOf(scheme, 'name'));
  if (place === 'query' || place === 'cookie') return { kind: 'apiKey', in: place, name };
  return { kind: 'apiKey', in: 'header', name: name.toLowerCase() };
}

function tokenScheme(tree: Tree): { name: string; scheme: MutableObject; words: MutableObject } | undefined {
  const schemes = childOf(childOf(tree.root, 'components'), 'securitySchemes');
  for (const [name, scheme] of Object.entries(isMapping(schemes) ? schemes : {})) {
    const words = childOf(scheme, 'x-token');
    if (isMapping(scheme) && isMapping(words)) return { name, scheme, words };
  }
  return undefined;
}

/**
 * Adds the token endpoint of an OAuth 2.0 client credentials flow to `paths`, if no operation issues tokens.
 * It is a POST at the path of the flow's `tokenUrl` (RFC 6749, 4.4). An existing operation at that path is used.
 */
export function addTokenEndpoint(tree: Tree): void {
  const schemes = childOf(childOf(tree.root, 'components'), 'securitySchemes');
  const all = Object.values(isMapping(schemes) ? schemes : {});
  const scheme = all.find((one) => textOf(childOf(clientCredentialsOf(one), 'tokenUrl')) !== '');
  const paths = childOf(tree.root, 'paths');
  const path = addressOf(scheme, tree)?.path;
  if (tokenScheme(tree) || !isMapping(scheme) || !isMapping(paths) || path === undefined) return;
  const mark = tree.mark(scheme, 'flows') ?? tree.rootMark;
  if (!isMapping(paths[path])) tree.set(paths, path, {}, mark);
  const item = paths[path] as MutableObject;
  if (!isMapping(item.post)) tree.set(item, 'post', structuredClone(TOKEN_REQUEST), mark);
  const { operationId } = item.post as MutableObject;
  tree.set(
    scheme,
    'x-token',
    { byTokenUrl: true, grant: { value: 'client_credentials', operationId: operationId ?? '' } },
    mark,
  );
}

const TOKEN_REQUEST: MutableObject = {
  operationId: 'issueToken',
  summary: 'Issue an access token',
  security: [],
  requestBody: {
    required: true,
    content: {
      'application/x-www-form-urlencoded': {
        schema: {
          type: 'object',
          required: ['grant_type'],
          properties: { grant_type: { const: 'client_credentials' } },
        },
      },
    },
  },
  responses: { '200': { description: 'The access token.', content: { 'application/json': {} } } },
};

function clientCredentialsOf(scheme: MutableJson | undefined): MutableJson | undefined {
  return childOf(childOf(scheme, 'flows'), 'clientCredentials');
}

/** The `tokenUrl` of a scheme: its path, below the server's if possible. Otherwise `url` holds its path or address. */
function addressOf(
  scheme: MutableJson | undefined,
  tree: Tree,
): { readonly path: string; readonly url: string | null } | undefined {
  const address = textOf(childOf(clientCredentialsOf(scheme), 'tokenUrl'));
  const servers = childOf(tree.root, 'servers');
  const server = textOf(childOf(Array.isArray(servers) ? servers[0] : undefined, 'url'));
  const base = URL.parse(server, 'http://localhost/') ?? new URL('http://localhost/');
  const url = address === '' ? null : URL.parse(address, base.href);
  if (url === null) return undefined;
  const prefix = base.pathname.replace(/\/+$/, '');
  const isOfServer = url.origin === base.origin;
  if (isOfServer && url.pathname.startsWith(`${prefix}/`))
    return { path: url.pathname.slice(prefix.length), url: null };
  return { path: url.pathname, url: isOfServer ? url.pathname : url.href };
}

export function tokenOf(tree: Tree, operations: readonly Operation[]): TokenFacts | null {
  const { name = '', scheme, words } = tokenScheme(tree) ?? {};
  const operationId = textOf(childOf(words?.grant, 'operationId'));
  const operation = operations.find((one) => one.operationId === operationId);
  if (operation === undefined) return null;
  const lifetime = childOf(words?.lifetime, 'defaultSeconds');
  const margin = childOf(words?.reuse, 'suggestedMarginSeconds');
  const [shortest, longest] = Array.isArray(margin) ? margin : [];
  return {
    pointer: joinPointer('/components/securitySchemes', name),
    operationId,
    grant: textOf(childOf(words?.grant, 'value')) || 'client_credentials',
    clientAuthentication: namesClientInForm(tree, operation) ? 'form' : 'basic',
    url: (words?.byTokenUrl === true ? addressOf(scheme, tree)?.url : null) ?? null,
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
