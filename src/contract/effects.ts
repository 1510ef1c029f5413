import { ToolError } from '../errors.ts';
import { didYouMean } from '../text/suggest.ts';
import { isTokenIssuer } from './auth.ts';
import { type Contract, EFFECTS, type Effect, type Method, type Notice, type Operation } from './contract.ts';
import { type Tree, textOf } from './document-tree.ts';
import { type ContractFolder, ownFolder } from './folder.ts';
import {
  type LocatedOperation,
  locatedIn,
  methodChangeOf,
  nameOnlyIn,
  placeOnTheWire,
  type StatedByPlace,
} from './operations.ts';

export interface StatedEffects extends StatedByPlace {
  add(tree: Tree): void;
}

/** Methods that only read (RFC 9110, 9.2.1). Without TRACE: its answer repeats the token. */
export const SAFE: ReadonlySet<string> = new Set(['GET', 'QUERY', 'HEAD', 'OPTIONS']);

/**
 * Whether the policy of a folder may declare a POST a read. Only the policy that the package ships may do so, and only
 * if no one named a folder: not the same folder by name, and no copy.
 */
export function mayDeclareReads(folder: ContractFolder): boolean {
  return folder === ownFolder;
}

/**
 * Collects `x-effect` by operationId and by method and path. So no overlay lowers an effect by renaming, moving or
 * editing. A POST is a read only by its method and path in the base document: an overlay can take any name.
 *
 * @param reads operations that a policy with {@link mayDeclareReads} declares a read
 */
export function statedEffects(base: Tree, reads: ReadonlySet<string>): StatedEffects {
  const stated = new Map<string, Set<Effect>>();
  const note = (key: string, word: unknown): void => {
    const effect = EFFECTS.find((known) => known === word);
    if (effect !== undefined) stated.set(key, (stated.get(key) ?? new Set()).add(effect));
  };
  const add = (tree: Tree): void => {
    for (const [operationId, item] of nameOnlyIn(tree)) note(operationId, item['x-effect']);
    for (const spot of locatedIn(tree)) {
      for (const key of [textOf(spot.value.operationId), placeOnTheWire(spot)]) note(key, spot.value['x-effect']);
    }
  };
  add(base);
  const isRead = ({ value: { operationId } }: LocatedOperation): boolean =>
    reads.has(textOf(operationId)) || isTokenIssuer(base, textOf(operationId));
  // The token request is always sent.
  const located = locatedIn(base);
  const readingPosts = new Set(located.filter(isRead).map(placeOnTheWire));
  const probed = new Set(
    located.flatMap(({ value, path }) => {
      const change = methodChangeOf(value);
      return change === null ? [] : [placeOnTheWire({ method: change.to, path })];
    }),
  );

  return {
    add,
    isProbed: ({ path }) => path !== null && probed.has(placeOnTheWire({ method: 'POST', path })),
    of({ operationId, method, path }): Effect {
      const place = method === null || path === null ? operationId : placeOnTheWire({ method, path });
      const declared = [operationId, place].flatMap((key) => [...(stated.get(key) ?? [])]);
      const mayRead = method === 'POST' && readingPosts.has(place);
      const implied = method === null ? (declared[0] ?? 'write') : mayRead ? 'read' : effectOfMethod(method);
      return EFFECTS.findLast((effect) => effect === implied || declared.includes(effect)) ?? implied;
    },
  };
}

function effectOfMethod(method: Method): Effect {
  if (SAFE.has(method)) return 'read';
  return method === 'DELETE' ? 'destructive' : 'write';
}

/**
 * The contract with the reads that the user's configuration declares. Notices list them, and each `x-effect: read` that
 * has no effect.
 *
 * @throws ToolError `config` if the operation is unknown or not a POST
 */
export function withDeclaredReads(contract: Contract, reads: Readonly<Record<string, 'read'>> = {}): Contract {
  const { operation: find } = contract;
  for (const operationId of Object.keys(reads)) {
    const operation = find(operationId);
    if (operation === undefined) {
      const ids = contract.operations.map((one) => one.operationId);
      const hint = didYouMean(operationId, ids);
      throw new ToolError('config', `effects: The contract has no operation ${operationId}.${hint}`);
    }
    const { method } = operation;
    if (method === null || method === 'POST' || effectOfMethod(method) === 'read') continue;
    throw new ToolError('config', `effects: ${operationId} is a ${method}; only a POST can be declared a read.`, {
      hint: 'No setting lowers PUT, PATCH or DELETE. Use --allow and writesAllowedOn.',
    });
  }
  const isLowered = ({ operationId, method, effect }: Operation): boolean =>
    Object.hasOwn(reads, operationId) && method === 'POST' && effect !== 'read';
  const operations = contract.operations.map(
    (operation): Operation =>
      isLowered(operation) ? { ...operation, effect: 'read', creates: null, lowered: true } : operation,
  );
  const byId = new Map(operations.map((operation) => [operation.operationId, operation]));
  const notices = operations.flatMap((operation) => noticesOf(operation, contract));
  if (notices.length === 0) return contract;
  return Object.freeze({
    ...contract,
    operations: Object.freeze(operations),
    notices: Object.freeze([...contract.notices, ...notices]),
    operation: (operationId: string) => byId.get(operationId),
  });
}

function noticesOf({ operationId, method, effect, lowered, pointer }: Operation, { at, placeOf }: Contract): Notice[] {
  const word = `${pointer}/x-effect`;
  if (lowered) {
    const message = `The configuration declares ${operationId} (${method}) a read.`;
    return [{ code: 'effect-lowered', message, place: placeOf(word) }];
  }
  if (method === null || effect === 'read' || at(word) !== 'read') return [];
  const message = `x-effect: read does not count: ${operationId} (${method}) is ${effect}.`;
  const hint = method === 'POST' ? `If it only reads, add effects: { ${operationId}: read } to the configuration.` : '';
  return [{ code: 'effect-ignored', message, ...(hint && { hint }), place: placeOf(word) }];
}
