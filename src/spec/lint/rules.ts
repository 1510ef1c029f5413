import type { Json, JsonObject } from '../contract.ts';
import { isObject } from '../facts.ts';
import { isMethod } from '../structure.ts';

/** Something that does not hold, and where: tokens in the bundle. */
export interface Fault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

type Path = Fault['path'];

/** An operation, or the method-less path item of one that is known by name only. */
interface Spot {
  readonly operation: JsonObject;
  readonly path: Path;
  /** The path template; null where it is not known. */
  readonly template: string | null;
}

/** Words that the engine itself reads, so that it would misread a contract in which they are wrong. The rest is for Spectral's ruleset. */
export const ENGINE_RULES: Readonly<Record<string, (document: JsonObject) => Iterable<Fault>>> = {
  'token-known': token,
  'tenant-once': tenant,
  'created-known': created,
  'condition-named': (document) => words(document, ['x-only-when', 'x-meaningful-when'], isName, NAME),
  'limit-per-currency': (document) => words(document, ['x-maximum-by-currency'], isMaxima, MAXIMA),
  'rule-stated': (document) => words(document, ['x-rules'], isRules, STATED),
  'secret-marked': (document) =>
    words(document, ['x-secret'], (value) => value === true, 'x-secret is true, or left out.'),
};

/** One bearer scheme says which operation issues tokens, and that says how the client names itself. */
function* token(document: JsonObject): Iterable<Fault> {
  const [first, ...others] = membersOf(document, 'components', 'securitySchemes').filter(
    ({ value }) => value['x-token'],
  );
  for (const { path } of others) yield { path: [...path, 'x-token'], message: 'x-token stands on one scheme only.' };
  if (first === undefined) return;
  const path = [...first.path, 'x-token', 'grant'];
  const grant = objectIn(objectIn(first.value['x-token']).grant);
  const issuing = locatedIn(document).find(({ operation }) => operation.operationId === grant.operationId);
  if (issuing === undefined) {
    yield {
      path: [...path, 'operationId'],
      message: `There is no operation "${grant.operationId}" that issues tokens.`,
    };
    return;
  }
  const { operation } = issuing;
  if (listIn(operation.security).length > 0 || takesClientInForm(document, operation)) return;
  const message = 'It issues tokens: it needs an HTTP Basic scheme, or client_id and client_secret in its form.';
  yield { path: issuing.path, message };
}

function takesClientInForm(document: JsonObject, operation: JsonObject): boolean {
  return Object.values(objectIn(targetOf(document, operation.requestBody).content)).some((media) => {
    const { properties } = targetOf(document, objectIn(media).schema);
    return ['client_id', 'client_secret'].every((field) => Object.hasOwn(objectIn(properties), field));
  });
}

/** All calls name the tenant by one and the same parameter. */
function* tenant(document: JsonObject): Iterable<Fault> {
  const named = new Set<string>();
  for (const { value, path } of parametersIn(document)) {
    const word = value['x-tenant'];
    if (word === undefined) continue;
    if (word !== true) yield { path: [...path, 'x-tenant'], message: 'x-tenant is true, or left out.' };
    named.add(`${value.in} ${value.name}`);
    if (named.size > 1) yield { path: [...path, 'x-tenant'], message: 'Another parameter names the tenant already.' };
  }
}

/** The name of an id; what is removed is named by a parameter of the path, where that is known. */
function* created(document: JsonObject): Iterable<Fault> {
  for (const { operation, path, template } of spotsOf(document)) {
    for (const word of ['x-creates', 'x-removes']) {
      const name = operation[word];
      if (name !== undefined && (typeof name !== 'string' || name === ''))
        yield { path: [...path, word], message: `${word} is the name of an id.` };
      else if (word === 'x-removes' && name !== undefined && template?.includes(`{${name}}`) === false)
        yield { path: [...path, word], message: `The path has no parameter "${name}" that would name it.` };
    }
  }
}

const NAME = 'It is the name of a condition, in kebab case.';
const MAXIMA = 'It has a number for each currency, by its code of three capitals.';
const STATED = 'It is a list of rules, each with an id of its own in kebab case and a statement.';

function isName(value: Json): boolean {
  return typeof value === 'string' && /^[a-z][a-z0-9-]*$/.test(value);
}

function isMaxima(value: Json): boolean {
  const entries = Object.entries(objectIn(value));
  return entries.length > 0 && entries.every(([code, limit]) => /^[A-Z]{3}$/.test(code) && typeof limit === 'number');
}

function isRules(value: Json): boolean {
  const rules = listIn(value).map(objectIn);
  const ids = new Set(rules.map(({ id }) => id));
  const stated = rules.every(({ id, statement }) => isName(id ?? null) && typeof statement === 'string');
  return rules.length > 0 && stated && ids.size === rules.length;
}

/** Wherever one of the words stands, its value holds. */
function* words(
  node: Json,
  names: readonly string[],
  holds: (value: Json) => boolean,
  message: string,
  path: Path = [],
): Iterable<Fault> {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, child] of Object.entries(node) as [string, Json][]) {
    if (key === 'example' || key === 'examples' || key === 'default') continue;
    const here = [...path, Array.isArray(node) ? Number(key) : key];
    if (!names.includes(key)) yield* words(child, names, holds, message, here);
    else if (!holds(child)) yield { path: here, message };
  }
}

function locatedIn(document: JsonObject): Spot[] {
  return membersOf(document, 'paths').flatMap(({ name, value, path }) =>
    Object.entries(value).flatMap(([method, operation]) =>
      isMethod(method) && isObject(operation) ? [{ operation, path: [...path, method], template: name }] : [],
    ),
  );
}

function spotsOf(document: JsonObject): Spot[] {
  const named = membersOf(document, 'components', 'pathItems').map(({ value, path }) => ({
    operation: value,
    path,
    template: null,
  }));
  return [...locatedIn(document), ...named];
}

/** Every parameter object, each once. */
function parametersIn(document: JsonObject): { readonly value: JsonObject; readonly path: Path }[] {
  const listed = [
    ...membersOf(document, 'paths'),
    ...spotsOf(document).map(({ operation, path }) => ({ value: operation, path })),
  ].flatMap(({ value, path }) =>
    ['parameters', 'x-parameters'].flatMap((key) =>
      listIn(value[key]).map((parameter, index) => ({ value: objectIn(parameter), path: [...path, key, index] })),
    ),
  );
  return [
    ...membersOf(document, 'components', 'parameters'),
    ...listed.filter(({ value }) => value.$ref === undefined),
  ];
}

function membersOf(
  document: JsonObject,
  ...path: readonly string[]
): { readonly name: string; readonly value: JsonObject; readonly path: Path }[] {
  const holder = path.reduce<JsonObject>((node, key) => objectIn(node[key]), document);
  return Object.entries(holder).flatMap(([name, value]) =>
    isObject(value) ? [{ name, value, path: [...path, name] }] : [],
  );
}

/** What a component is referred to as, or the node itself. */
function targetOf(document: JsonObject, node: Json | undefined): JsonObject {
  const { $ref } = objectIn(node);
  if (typeof $ref !== 'string') return objectIn(node);
  return $ref
    .split('/')
    .slice(1)
    .reduce<JsonObject>((at, key) => objectIn(at[key]), document);
}

function objectIn(value: Json | undefined): JsonObject {
  return value !== undefined && isObject(value) ? value : {};
}

function listIn(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
