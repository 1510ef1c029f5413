import type { Contract, Operation } from '../contract/contract.ts';
import { remembered } from '../schema/schema-document.ts';
import { describe } from '../schema/schema-facts.ts';
import { itemSchema, listIn } from './responses.ts';

const MOST_SEGMENTS = 16;
const WORD = /^[a-z][a-z-]{0,15}(?:[A-Z][a-z]{1,15}){0,4}$/;
const VERSION = /^v\d{1,2}(?:\.\d{1,2})?$/;
const PLURAL = /[^suai]s$|[aeiou]es$/;
const COMMON =
  'active all available batch bulk count current details export health history info list live me metrics new ready search self status summary version'.split(
    ' ',
  );

/** Keeps literal words and replaces possible ids and personal names with `{…}`, so a report can show the path. */
export function pathShape(contract: Contract, path: string): string {
  const { literals, after, words } = vocabularyOf(contract);
  const segments = path.split(/[?#]/, 1)[0]?.split('/').slice(1) ?? [];
  const end = segments.findLastIndex((segment) => segment !== '');
  const elsewhere = !literals.has(segments[0] ?? '');
  let previous = '';
  const shape = segments.slice(0, MOST_SEGMENTS).map((raw, index) => {
    const parameter = after.get(previous);
    const isName = PLURAL.test(previous) || (elsewhere && index === end && index > 0);
    const word =
      literals.has(raw) ||
      VERSION.test(raw) ||
      (parameter === undefined && WORD.test(raw) && (!isName || wordsIn(raw).every((each) => words.has(each))));
    previous = word ? raw : `{${parameter ?? ''}}`;
    return word || raw === '' ? raw : `{${parameter ?? 'id'}}`;
  });
  return `/${shape.join('/')}${segments.length > MOST_SEGMENTS ? '/…' : ''}`;
}

const vocabularyOf = remembered((contract: Contract) => {
  const literals = new Set<string>();
  const after = new Map<string, string>();
  const words = new Set(COMMON.flatMap(wordsIn));
  for (const { path, summary, tag } of contract.operations) {
    for (const word of wordsIn(`${path ?? ''} ${summary} ${tag}`)) words.add(word);
    let previous = '';
    for (const segment of path?.split('/').slice(1) ?? []) {
      const name = /^\{([^}]+)\}$/.exec(segment)?.[1];
      if (name === undefined) literals.add(segment);
      else if (previous !== '' && !after.has(previous)) after.set(previous, name);
      previous = name === undefined ? segment : '';
    }
  }
  return { literals, after, words };
});

function wordsIn(text: string): string[] {
  const parts = text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return parts.filter((word) => word !== '').map((word) => word.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, ''));
}

export interface UnmatchedPath {
  readonly method: string;
  readonly shape: string;
  readonly body?: unknown;
}

/** The minimum score of a candidate: one shared word of the area means little. */
const LEAST = 3;
const MARGIN = 1.5;
const MOST = 4;

const VERBS: Readonly<Record<string, readonly string[]>> = {
  get: ['GET'],
  list: ['GET'],
  issue: ['POST'],
  create: ['POST', 'PUT'],
  update: ['PUT', 'PATCH', 'POST'],
  cancel: ['DELETE', 'PUT', 'POST'],
};
const FILLERS = new Set(['a', 'an', 'of', 'the', 'new', 'available', 'api', 'only', 'detail']);

export function candidatesFor(contract: Contract, stray: UnmatchedPath): string[] {
  const scored = contract.operations
    .filter(({ located }) => located === null)
    .map((operation, index) => ({ id: operation.operationId, score: scoreOf(contract, operation, stray), index }))
    .filter(({ score }) => score >= LEAST)
    .sort((a, b) => b.score - a.score || a.index - b.index);
  const best = scored[0]?.score ?? 0;
  return scored
    .filter(({ score }) => score > best - MARGIN)
    .slice(0, MOST)
    .map(({ id }) => id);
}

function scoreOf(contract: Contract, operation: Operation, { method, shape, body }: UnmatchedPath): number {
  const reads = method === 'GET' || method === 'HEAD';
  if (reads && operation.effect !== 'read') return 0;
  const literals = shape.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'));
  const last = wordsIn(literals.at(-1) ?? '');
  const all = literals.flatMap(wordsIn);
  const name = wordsIn(operation.summary);
  const nouns = [...new Set(name.filter((word) => !(word in VERBS) && !FILLERS.has(word)))];
  let score = !reads && operation.effect === 'read' ? -2 : 0;
  for (const noun of nouns) score += last.includes(noun) ? 3 : all.includes(noun) ? 1.5 : -1;
  for (const verb of name.filter((word) => word in VERBS)) {
    if (all.includes(verb)) score += 3;
    if (VERBS[verb]?.includes(method)) score += 0.5;
  }
  if (wordsIn(operation.tag).some((word) => all.includes(word))) score += 1;
  const aboutOne = shape.endsWith('}');
  const namesMany = /s$|list of/i.test(operation.summary) && !/details$/i.test(operation.summary);
  // Shared fields are a hint even on a path with different words.
  score += 2 * sharedFields(contract, operation, body);
  if (reads && score > 0) score += aboutOne === namesMany ? -1 : 1;
  return score;
}

function sharedFields(contract: Contract, operation: Operation, body: unknown): number {
  if (typeof body !== 'object' || body === null) return 0;
  const list = listIn(body)?.items ?? [];
  const samples: readonly unknown[] = list.length > 0 ? list.slice(0, 5) : [body];
  const keys = new Set(samples.flatMap((sample) => (typeof sample === 'object' && sample ? Object.keys(sample) : [])));
  const response = `${operation.pointer}/x-response-schema`;
  const schema = contract.at(response) === undefined ? itemSchema(contract, operation) : response;
  if (schema === null) return 0;
  return keys.intersection(describe(contract, [schema]).properties).size;
}
