import { collectionBefore, collectionOf, collectionsOf, singular } from '../../contract/collections.ts';
import type { Contract, Operation, Parameter } from '../../contract/contract.ts';
import { namedFields } from '../../judge/fields.ts';
import { itemSchema } from '../../judge/responses.ts';
import { goodContent } from '../../report/coverage.ts';
import { isObject, objectOf } from '../../schema/json.ts';
import { resolve } from '../../schema/resolve.ts';
import { remembered } from '../../schema/schema-document.ts';
import { joinPointer, parsePointer } from '../../text/pointer.ts';

/**
 * A read whose answer may show a value: in its items, at a pointer, or in any member of that name. `unknown`: the
 * contract shows no field of the answer.
 */
export interface Source {
  readonly operation: Operation;
  readonly place:
    | { readonly kind: 'items' | 'anywhere' | 'unknown' }
    | { readonly kind: 'at'; readonly pointer: string };
}

/** Whether a name is of an id: `id`, `birdId`, `bird_id`. */
export function isId(name: string): boolean {
  return /(?:^id|Id|ID|[_-]id)$/.test(name);
}

/** A name of several words has one meaning in a whole API. `id` or `name` has one for each kind of record. */
function isDistinct(name: string): boolean {
  return /[a-z\d](?:[A-Z]|[_-]\w)/.test(name);
}

type Find = (contract: Contract, operation: Operation, parameter: Parameter) => readonly Source[];

const ofItems = (operation: Operation): Source => ({ operation, place: { kind: 'items' } });

/** From the strongest to the weakest. Each is used only if the stronger ones show nothing. */
export const SOURCES: readonly Find[] = [
  // the path before the parameter: /birds for /birds/{birdId}
  (contract, { path }, { name }) => {
    const before = path?.split(`/{${name}}`)[0];
    return before === path
      ? []
      : reads(contract)
          .filter((read) => read.path === before)
          .map(ofItems);
  },
  linksTo,
  // another list of the same collection: /keepers/{keeperId}/birds
  (contract, operation, { name }) => {
    const words = collectionsFor(contract, operation, name);
    return reads(contract)
      .filter((read) => words.has(collectionOf(read) ?? ''))
      .map(ofItems);
  },
  (contract, _, { name }) => {
    if (!isDistinct(name)) return [];
    const all = reads(contract).map((operation) => ({
      operation,
      names: namesShownBy(contract, operation.operationId),
    }));
    const having = (wanted: (names: ReadonlySet<string>) => boolean, kind: 'anywhere' | 'unknown'): Source[] =>
      all.flatMap(({ operation, names }) => (wanted(names) ? [{ operation, place: { kind } }] : []));
    return [...having((names) => names.has(name), 'anywhere'), ...having((names) => names.size === 0, 'unknown')];
  },
];

function reads({ operations }: Contract): Operation[] {
  const found = operations.filter(
    ({ method, effect, auth, path }) => method === 'GET' && effect === 'read' && auth !== 'issues' && path !== null,
  );
  return found.sort((a, b) => Number(a.successor !== null) - Number(b.successor !== null));
}

function collectionsFor(contract: Contract, operation: Operation, name: string): Set<string> {
  if (!isDistinct(name)) return new Set([collectionBefore(operation, name)].flatMap((word) => word ?? []));
  return collectionsOf(contract, name).add(singular(name.replace(/[_-]?id$/i, '')));
}

const namesShownBy = remembered((contract: Contract, operationId): ReadonlySet<string> => {
  const operation = contract.operation(operationId);
  if (operation === undefined) return new Set();
  const schemas = [...goodContent(operation).map(({ pointer }) => joinPointer(pointer, 'schema'))];
  const all = [...schemas, itemSchema(contract, operation) ?? []].flat();
  return new Set(
    all.flatMap((schema) => namedFields(contract, schema, '').map(({ at }) => parsePointer(at)?.at(-1) ?? '')),
  );
});

const OF_THE_BODY = '$response.body#';

/** Links of answers (OpenAPI 3.1, Link Object) that fill a parameter from the body. */
function linksTo(contract: Contract, operation: Operation, { name, in: place }: Parameter): Source[] {
  return reads(contract).flatMap((read) =>
    read.responses
      .filter(({ status }) => status.startsWith('2'))
      .flatMap(({ pointer }) => {
        const links = contract.at(joinPointer(pointer, 'links'));
        return Object.keys(objectOf(links)).flatMap((link): Source[] => {
          const node = resolve(contract, joinPointer(pointer, 'links', link)).node;
          if (!isObject(node) || !isObject(node.parameters)) return [];
          const isMeant = node.operationId === operation.operationId || node.operationRef === `#${operation.pointer}`;
          const value = node.parameters[`${place}.${name}`] ?? node.parameters[name];
          if (!isMeant || typeof value !== 'string' || !value.startsWith(OF_THE_BODY)) return [];
          return [{ operation: read, place: { kind: 'at', pointer: value.slice(OF_THE_BODY.length) } }];
        });
      }),
  );
}
