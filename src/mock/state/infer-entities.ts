import type { EntitiesFile, FieldForm, Kind, OperationForm } from '../../../generated/mock/entities.ts';
import type { Contract, Operation } from '../../contract/contract.ts';
import { pathParameters } from '../../contract/paths.ts';
import { describe, type SchemaFacts } from '../../schema/schema-facts.ts';
import { joinPointer } from '../../text/pointer.ts';
import { goodJson } from '../compile/provenance.ts';
import { pluralOf } from './entities.ts';
import { recordArray } from './lists.ts';
import { recordPlace, requestBody } from './record-place.ts';
import { BY_SCHEMA, OF_PATH } from './values.ts';

/**
 * Kinds of records and the effect of each operation, by the shape of the paths: `/things` makes or lists what
 * `/things/{id}` reads, changes or removes. A parent's id in the path makes a record belong to that parent.
 */
export function inferEntities(contract: Contract): EntitiesFile {
  const resources = resourcesOf(contract);
  const kinds = new Map<Resource, string>();
  for (const one of resources) kinds.set(one, nameFor(one, new Set(kinds.values())));
  const every = resources.flatMap((one) => [...one.fields.keys()]);
  const operations: Record<string, OperationForm> = Object.create(null) as Record<string, OperationForm>;
  const described = resources.map((one): [string, Kind] => {
    const name = kinds.get(one) ?? '';
    for (const [operationId, verb, replaces] of one.operations)
      operations[operationId] = { [verb]: name, ...(replaces && { replaces }) };
    const kind = kindFor(contract, one, resources, kinds);
    return [name, every.includes(pluralOf(name, kind)) ? { ...kind, plural: `${name}Records` } : kind];
  });
  return { kinds: Object.fromEntries(described), operations, usualNames: true };
}

interface Resource {
  readonly collection: string;
  /** Name of the id in paths. */
  readonly id: string;
  /** Name of the id in bodies. */
  readonly idInBody: string;
  /** The schemas of a record's members, by name. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
  /** The members that each answer needs. */
  readonly demanded: ReadonlySet<string>;
  readonly facts: SchemaFacts | null;
  readonly operations: readonly (readonly [operationId: string, verb: Verb, replaces?: boolean])[];
  readonly create: Operation | undefined;
}

type Verb = 'create' | 'list' | 'read' | 'set' | 'remove';

const ITEM_PATH = /^(.*\/[^/{}]+)\/\{([\w-]+)\}\/?$/;
/** Words of the language of `entities.yaml`. */
const TAKEN = ['now', 'date'];

function resourcesOf(contract: Contract): readonly Resource[] {
  const located = contract.operations.filter(({ path, method, auth }) => path && method && auth !== 'issues');
  const byPath = Map.groupBy(located, ({ path }) => shapeOf(path ?? ''));
  const items = new Map<string, readonly [collection: string, id: string]>();
  for (const { path } of located) {
    const [, collection = '', id = ''] = ITEM_PATH.exec(path ?? '') ?? [];
    if (collection !== '' && !TAKEN.includes(id)) items.set(shapeOf(path ?? ''), [collection, id]);
  }
  return [...items]
    .toSorted(([one], [other]) => one.split('/').length - other.split('/').length)
    .flatMap(([item, [collection, id]]) => {
      const found = resourceAt(contract, collection, id, byPath.get(shapeOf(collection)) ?? [], byPath.get(item) ?? []);
      return found ?? [];
    });
}

/** Paths that differ only in the names of their parameters, or in a final slash, have the same shape. */
function shapeOf(path: string): string {
  return path.replaceAll(/\{[^{}]*\}/g, '{}').replace(/(.)\/$/, '$1');
}

function resourceAt(
  contract: Contract,
  collection: string,
  id: string,
  above: readonly Operation[],
  own: readonly Operation[],
): Resource | undefined {
  const of = (operations: readonly Operation[], method: string): Operation | undefined =>
    operations.find((one) => one.method === method);
  const [reader, maker, lister] = [of(own, 'GET'), of(above, 'POST') ?? of(own, 'PUT'), of(above, 'GET')];
  // what no read shows has no state
  if (reader === undefined && lister === undefined) return undefined;
  const kind = singular(lastWord(collection));
  const shown = (operation: Operation): SchemaFacts | undefined => {
    const answer = answerOf(contract, operation);
    return answer && (recordPlace(answer, (node) => idIn(node, id, kind) !== undefined, kind)?.node ?? answer);
  };
  const facts = recordIn(contract, shown, reader, maker, lister);
  if (facts === undefined) return undefined;
  const made = facts && maker && shown(maker);
  const properties = new Map([...(made?.properties ?? []), ...(facts?.properties ?? [])]);
  const idInBody = properties.size === 0 ? id : idIn(facts, id, kind);
  if (idInBody === undefined) return undefined;
  const creates = maker && isCreation(maker, shown(maker), idInBody, properties);
  const lists = lister && itemsOf(contract, lister, [...properties.keys()])?.properties.has(idInBody) === true;
  // the body of `PUT /things` names the record that it is for
  const byBody = above.filter(
    (one) => VERBS[one.method ?? ''] === 'set' && one !== maker && sends(contract, one, idInBody),
  );
  const verbs = [...own, ...byBody].flatMap((operation): [string, Verb, boolean][] => {
    const verb = operation === maker && creates ? undefined : VERBS[operation.method ?? ''];
    const answered = shown(operation)?.properties;
    const isOf = !answered?.size || properties.size === 0 || [...answered.keys()].some((name) => properties.has(name));
    const fits = verb === 'read' ? answered?.has(idInBody) !== false : verb !== 'set' || isOf;
    return verb && fits ? [[operation.operationId, verb, operation.method === 'PUT']] : [];
  });
  if (!(creates || lists)) return undefined;
  if (!(verbs.some(([, verb]) => verb === 'read') || (creates && (lists || verbs.length > 0)))) return undefined;
  return {
    collection,
    id,
    idInBody,
    fields: properties,
    demanded: new Set([...(facts?.demanded.keys() ?? []), ...(made?.demanded.keys() ?? [])]),
    facts,
    create: creates ? maker : undefined,
    operations: [
      ...(creates ? [[maker.operationId, 'create'] as const] : []),
      ...(lists ? [[lister.operationId, 'list'] as const] : []),
      ...verbs,
    ],
  };
}

const VERBS: Readonly<Record<string, Verb | undefined>> = {
  GET: 'read',
  PUT: 'set',
  PATCH: 'set',
  POST: 'set',
  DELETE: 'remove',
};

/** What the answers say about a record; undefined if no answer shows one, null if the document describes no members. */
function recordIn(
  contract: Contract,
  shown: (operation: Operation) => SchemaFacts | undefined,
  reader: Operation | undefined,
  maker: Operation | undefined,
  lister: Operation | undefined,
): SchemaFacts | null | undefined {
  const read = reader && shown(reader);
  if (read && read.properties.size > 0) return isPage(read) ? undefined : read;
  const listed = lister && itemsOf(contract, lister, []);
  if (listed && listed.properties.size > 0) return listed;
  const made = maker && shown(maker);
  return made && made.properties.size > 0 ? made : maker && reader ? null : undefined;
}

/** Whether an object is nothing but an array and its page. */
function isPage({ properties, member }: SchemaFacts): boolean {
  return properties.size === 1 && [...properties.keys()].every((name) => member(name).types[0] === 'array');
}

function answerOf(contract: Contract, operation: Operation): SchemaFacts | undefined {
  const media = goodJson(operation);
  return media?.schema === undefined ? undefined : describe(contract, [joinPointer(media.pointer, 'schema')]);
}

function itemsOf(contract: Contract, operation: Operation, fields: readonly string[]): SchemaFacts | undefined {
  const node = answerOf(contract, operation);
  const list = node && recordArray(contract, node.pointers[0] ?? '', fields)?.node;
  return list && describe(contract, list.items);
}

/** Whether the answer to a POST or PUT can be a record. A search, for example, answers with a list. */
function isCreation(
  operation: Operation,
  answer: SchemaFacts | undefined,
  idInBody: string,
  fields: ReadonlyMap<string, unknown>,
): boolean {
  if (operation.responses.some(({ status }) => status === '201')) return true;
  if (answer === undefined || answer.properties.has(idInBody)) return true;
  const isOpen = answer.properties.size === 0 && !answer.types.includes('array');
  return isOpen || (fields.size > 0 && [...fields.keys()].every((name) => answer.properties.has(name)));
}

/** The member with the id: named as the parameter, else `id`, else after the kind, else a usual name of a key. */
function idIn(facts: SchemaFacts | null, parameter: string, kind: string): string | undefined {
  const names = [...(facts?.properties.keys() ?? [])].filter((name) => {
    const { types } = facts?.member(name) ?? { types: [] };
    return types.length === 0 || types.some((type) => ['string', 'integer', 'number'].includes(type));
  });
  const stem = plainName(parameter).replace(/(?:id|uuid|number|code|key|name)$/, '');
  const wanted = [plainName(parameter), 'id', `${plainName(kind)}id`, `${stem}id`, 'uuid', 'guid', 'uid'];
  const others = /id$/i.test(parameter) ? [] : [stem, 'code', 'key', 'slug', 'number', 'name'];
  for (const one of [...wanted, ...others]) {
    const found = one === '' ? undefined : names.find((name) => plainName(name) === one);
    if (found !== undefined) return found;
  }
  return undefined;
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

function kindFor(
  contract: Contract,
  resource: Resource,
  resources: readonly Resource[],
  kinds: ReadonlyMap<Resource, string>,
): Kind {
  const { collection, id, idInBody, fields, demanded, facts, create } = resource;
  const forms: Record<string, FieldForm> = Object.create(null);
  if (idInBody !== id) forms[idInBody] = `{${id}}`;
  const parents = pathParameters(collection).filter((name) => name !== contract.tenant?.name);
  for (const name of parents.toReversed()) {
    const parent = resources.find((one) => shapeOf(`${one.collection}/{}`) === shapeOf(upTo(collection, name)));
    const of = parent && kinds.get(parent);
    const isFree = name !== id && name !== idInBody;
    if (of !== undefined && isFree) forms[name] = { of };
    else if (of !== undefined && parent?.id === name && !fields.has(`${of}Id`)) forms[`${of}Id`] = { of };
    else if (isFree) forms[name] = OF_PATH;
  }
  const hidden = [id, ...Object.keys(forms)].filter((name) => facts !== null && !fields.has(name));
  const sent = new Map(create && requestBody(contract, create, [...fields.keys()])?.node.properties);
  for (const [name, own] of facts === null ? sent : fields)
    if (name !== id) forms[name] ??= formOf(describe(contract, own), name, sent.has(name) && !demanded.has(name));
  return { id: { [id]: idForm(facts?.member(idInBody), kinds.get(resource) ?? '') }, fields: forms, hidden };
}

function idForm(facts: SchemaFacts | undefined, kind: string): string {
  if (facts?.words.get('format') === 'uuid') return '{hex 8}-{hex 4}-4{hex 3}-8{hex 3}-{hex 12}';
  const isNumber = facts?.types.some((type) => type === 'integer' || type === 'number') === true;
  return isNumber && !facts.types.includes('string') ? '1{digits 5}' : `${kind}-{hex 8}`;
}

/** A member that a request may leave out stays out. The mock makes up the others. */
function formOf({ words }: SchemaFacts, name: string, mayLack: boolean): FieldForm {
  if (/^(?:created|updated|modified|changed)/i.test(name) && words.get('format') === 'date-time') return '{now}';
  return mayLack ? null : BY_SCHEMA;
}

function sends(contract: Contract, operation: Operation, member: string): boolean {
  return requestBody(contract, operation, [member])?.node.properties.has(member) === true;
}

/** The path up to a parameter. */
function upTo(path: string, parameter: string): string {
  return path.slice(0, path.indexOf(`{${parameter}}`) + parameter.length + 2);
}

function lastWord(collection: string): string {
  return collection.split('/').at(-1) ?? '';
}

function nameFor({ collection }: Resource, taken: ReadonlySet<string>): string {
  const words = collection.split('/').filter((part) => part !== '' && !part.startsWith('{'));
  // a longer name, from more of the path, if the short one is taken
  for (let from = words.length - 1; from >= 0; from -= 1) {
    const name = camelCase([...words.slice(from, -1), singular(words.at(-1) ?? '')].join(' '));
    if (!taken.has(name)) return name;
  }
  const usual = camelCase(singular(words.at(-1) ?? ''));
  return `${usual}${taken.size + 1}`;
}

function camelCase(text: string): string {
  const [first = '', ...others] = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const name =
    first.charAt(0).toLowerCase() +
    first.slice(1) +
    others.map((one) => one.charAt(0).toUpperCase() + one.slice(1)).join('');
  return /^[A-Za-z]/.test(name) ? name : `kind${name}`;
}

function singular(word: string): string {
  if (/[^aeiou]ies$/i.test(word)) return `${word.slice(0, -3)}y`;
  if (/(?:ss|us|x|z|ch|sh)es$/i.test(word)) return word.slice(0, -2);
  return /[^su]s$/i.test(word) ? word.slice(0, -1) : word;
}
