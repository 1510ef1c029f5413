import { type Json, type JsonObject, listOf, objectOf } from '../../schema/json.ts';
import { joinPointer, parsePointer } from '../../text/pointer.ts';
import type { Contract } from '../contract.ts';
import { ITEMS, KNOWN, MEMBERS, parameterWord } from '../list-words.ts';

interface Fault {
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** `error` by default. */
  readonly severity?: 'info';
}

type Path = Fault['path'];

/** Keywords that the engine reads: with a wrong value, it would misread the contract. Spectral checks the rest. */
export const ENGINE_RULES: Readonly<Record<string, (contract: Contract) => Iterable<Fault>>> = {
  'token-known': token,
  'tenant-once': tenant,
  'created-known': created,
  'condition-named': ({ document }) => words(document, ['x-only-when', 'x-meaningful-when'], isName, NAME),
  'limit-per-currency': ({ document }) => words(document, ['x-maximum-by-currency'], isMaxima, MAXIMA),
  'rule-stated': ({ document }) => words(document, ['x-rules'], isRules, STATED),
  'list-known': lists,
  'paging-without-effect': paging,
  'secret-marked': ({ document }) =>
    words(document, ['x-secret'], (value) => value === true, 'x-secret is true, or left out.'),
};

function* token({ document, token, operation, at }: Contract): Iterable<Fault> {
  const [first, ...others] = wordsIn(document, ['x-token']);
  for (const { path } of others) yield { path, message: 'x-token stands on one scheme only.' };
  if (first === undefined) return;
  const { grant, byTokenUrl } = objectOf(first.value);
  if (byTokenUrl === true) return;
  const { operationId } = objectOf(grant);
  const issuing = operation(String(operationId));
  if (!issuing?.path) {
    const message = `There is no operation "${operationId}" that issues tokens.`;
    yield { path: [...first.path, 'grant', 'operationId'], message };
    return;
  }
  const { security } = objectOf(at(issuing.pointer));
  if (listOf(security).length > 0 || token?.clientAuthentication === 'form') return;
  const message = 'It issues tokens: it needs an HTTP Basic scheme, or client_id and client_secret in its form.';
  yield { path: parsePointer(issuing.pointer) ?? [], message };
}

function* tenant({ document }: Contract): Iterable<Fault> {
  const named = new Set<string>();
  const { components = null, ...rest } = document;
  for (const { value, path, holder } of [
    ...wordsIn(components, ['x-tenant'], ['components']),
    ...wordsIn(rest, ['x-tenant']),
  ]) {
    if (value !== true) yield { path, message: 'x-tenant is true, or left out.' };
    named.add(`${holder.in} ${holder.name}`);
    if (named.size > 1) yield { path, message: 'Another parameter names the tenant already.' };
  }
}

function* created({ document, operations }: Contract): Iterable<Fault> {
  const reads = new Set(operations.filter(({ effect }) => effect === 'read').map(({ pointer }) => pointer));
  for (const { word, value, path } of wordsIn(document, ['x-creates', 'x-removes'])) {
    const template = path[0] === 'paths' ? String(path[1]) : null;
    const isOfRead = word === 'x-creates' && reads.has(joinPointer('', ...path.slice(0, -1)));
    if (isOfRead) yield { path, message: 'A read creates nothing.' };
    else if (typeof value !== 'string' || value === '') yield { path, message: `${word} is the name of an id.` };
    else if (word === 'x-removes' && template?.includes(`{${value}}`) === false)
      yield { path, message: `The path has no parameter "${value}" that would name it.` };
  }
}

function* lists({ document }: Contract): Iterable<Fault> {
  for (const { value, path, holder } of wordsIn(document, ['x-list'])) {
    const place = holder.in === undefined ? 'member' : 'parameter';
    const isKnown =
      place === 'parameter' ? parameterWord(String(value)) : [ITEMS, ...MEMBERS].some((word) => word === value);
    const shown = typeof value === 'string' ? value : JSON.stringify(value);
    if (!isKnown) yield { path, message: `There is no x-list ${shown}. Known here: ${KNOWN[place]}.` };
  }
}

const PAGING = /^(?:limit|offset|cursor|size|skip|per[-_]?page|page(?:[-_]?(?:size|number|no|token|cursor))?)$/i;

function* paging({ operations, at }: Contract): Iterable<Fault> {
  for (const { name, in: place, pointer } of operations.flatMap(({ parameters }) => parameters))
    if (place === 'query' && PAGING.test(name) && objectOf(at(pointer))['x-list'] === undefined) {
      const message = `${name} has no effect in the mock. Add x-list to define one.`;
      yield { path: parsePointer(pointer) ?? [], message, severity: 'info' };
    }
}

const NAME = 'It is the name of a condition, in kebab case.';
const MAXIMA = 'It has a number for each currency, by its code of three capitals.';
const STATED = 'It is a list of rules, each with an id of its own in kebab case and a statement.';

function isName(value: Json): boolean {
  return typeof value === 'string' && /^[a-z][a-z0-9-]*$/.test(value);
}

function isMaxima(value: Json): boolean {
  const entries = Object.entries(objectOf(value));
  return entries.length > 0 && entries.every(([code, limit]) => /^[A-Z]{3}$/.test(code) && typeof limit === 'number');
}

function isRules(value: Json): boolean {
  const rules = listOf(value).map(objectOf);
  const ids = new Set(rules.map(({ id }) => id));
  const stated = rules.every(({ id, statement }) => isName(id ?? null) && typeof statement === 'string');
  return rules.length > 0 && stated && ids.size === rules.length;
}

function* words(
  document: JsonObject,
  names: readonly string[],
  holds: (value: Json) => boolean,
  message: string,
): Iterable<Fault> {
  for (const { value, path } of wordsIn(document, names)) if (!holds(value)) yield { path, message };
}

interface Word {
  readonly word: string;
  readonly value: Json;
  readonly path: Path;
  readonly holder: JsonObject;
}

function* wordsIn(node: Json, names: readonly string[], path: Path = []): Iterable<Word> {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, child] of Object.entries(node) as [string, Json][]) {
    if (key === 'example' || key === 'examples' || key === 'default') continue;
    const here = [...path, Array.isArray(node) ? Number(key) : key];
    if (names.includes(key)) yield { word: key, value: child, path: here, holder: objectOf(node) };
    else yield* wordsIn(child, names, here);
  }
}
