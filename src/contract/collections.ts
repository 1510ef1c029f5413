import type { Contract, Operation } from './contract.ts';

/** The singular of the last segment of a path, if it names a collection: `bird` for `/keepers/{keeperId}/birds`. */
export function collectionOf({ path }: Pick<Operation, 'path'>): string | null {
  const last = path?.split('/').at(-1) ?? '';
  return last === '' || last.includes('{') ? null : singular(last);
}

/** The singular of the segment before a parameter in a path: `bird` for `birdId` in `/birds/{birdId}`. */
export function collectionBefore({ path }: Pick<Operation, 'path'>, parameter: string): string | null {
  const segments = path?.split('/') ?? [];
  const before = segments[segments.indexOf(`{${parameter}}`) - 1] ?? '';
  return before === '' || before.includes('{') ? null : singular(before);
}

/** All collections that any path names before a parameter. */
export function collectionsOf({ operations }: Contract, parameter: string): Set<string> {
  return new Set(operations.flatMap((operation) => collectionBefore(operation, parameter) ?? []));
}

export function singular(word: string): string {
  return word.toLowerCase().replace(/ies$/, 'y').replace(/s$/, '');
}
