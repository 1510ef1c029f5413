import type { EntitiesFile } from '../../../generated/mock/entities.ts';
import type { Contract, Operation, OverlaySource } from '../../contract/contract.ts';
import { secretNames } from '../../contract/secrets.ts';
import { unlessMissing } from '../../files/read.ts';
import { createSecretKeys } from '../../redact/keys.ts';
import type { JsonObject } from '../../schema/json.ts';
import { joinPointer } from '../../text/pointer.ts';
import { goodJson } from '../compile/provenance.ts';
import { compileEntities, fieldsOf } from '../state/compile-entities.ts';
import { readEntities } from '../state/entities-file.ts';
import { inferEntities } from '../state/infer-entities.ts';
import { type ListFacts, recordArray } from '../state/lists.ts';

/**
 * An overlay with the usual query parameters of every list: `page`, `size`, `sort`, and a filter per field that holds
 * one value. Names that an operation uses already stay as they are. Null if there are no lists.
 */
export async function usualLists(contract: Contract): Promise<OverlaySource | null> {
  const { file, operations } = compileEntities(await entitiesOf(contract), contract);
  const { isSensitive } = createSecretKeys(secretNames(contract));
  const actions = contract.operations.flatMap((operation): JsonObject[] => {
    const { operationId, path, method } = operation;
    const { list, lists } = operations[operationId] ?? {};
    if (list === undefined || !lists || path === null || method === null) return [];
    const hidden = file.kinds[list]?.hidden ?? [];
    // a query is written to logs
    const fields = fieldsOf(file, list).filter((field) => !hidden.includes(field) && !isSensitive(field));
    const parameters = usualParameters(operation, lists, filtersFor(contract, operation, fields));
    return [{ target: '$.paths', update: { [path]: { [method.toLowerCase()]: { parameters } } } }];
  });
  if (actions.length === 0) return null;
  const document = {
    overlay: '1.0.0',
    'x-provenance': 'assumed',
    info: { title: 'The usual parameters of lists', version: '1' },
    actions,
  };
  return { file: 'usual-lists.json', text: JSON.stringify(document) };
}

async function entitiesOf(contract: Contract): Promise<EntitiesFile> {
  const { folder } = contract;
  const read = await unlessMissing(readEntities(folder.entities, contract, null), null);
  return read?.file ?? inferEntities(contract);
}

function usualParameters(
  { parameters }: Operation,
  { roles }: ListFacts,
  filters: Readonly<Record<string, JsonObject>>,
): JsonObject[] {
  const names = Object.keys(filters);
  const sorts = names.flatMap((field) => [field, `-${field}`]);
  const isPaged = roles.limit ?? roles.offset ?? roles.page ?? roles.cursor;
  const usual: JsonObject[] = [
    ...(isPaged === undefined ? PAGES : []),
    ...(roles.sort === undefined && sorts.length > 0
      ? [{ ...SORT, schema: { type: 'array', items: { enum: sorts } } }]
      : []),
    ...names.map((name) => ({ name, in: 'query', 'x-list': `is ${name}`, schema: filters[name] as JsonObject })),
  ];
  const taken = new Set<unknown>(parameters.map(({ name }) => name));
  return usual.filter(({ name }) => {
    const isFree = !taken.has(name);
    taken.add(name);
    return isFree;
  });
}

const PAGE = { type: 'integer', minimum: 1 };
const PAGES = [
  { name: 'page', in: 'query', 'x-list': 'page', schema: PAGE },
  { name: 'size', in: 'query', 'x-list': 'limit optional', schema: PAGE },
];
const SORT = { name: 'sort', in: 'query', 'x-list': 'sort', explode: false };

const SCALARS = ['string', 'number', 'integer', 'boolean'];

/** The schema of a filter per field of a record that the answer shows and that holds one value. */
function filtersFor(contract: Contract, operation: Operation, fields: readonly string[]): Record<string, JsonObject> {
  const media = goodJson(operation);
  if (media?.schema === undefined) return {};
  const items = recordArray(contract, joinPointer(media.pointer, 'schema'), fields)?.node;
  const record = items?.at(items.items);
  const filters: Record<string, JsonObject> = {};
  for (const field of fields) {
    if (!record?.properties.has(field)) continue;
    const { types, values } = record.member(field);
    const [type, ...others] = types.filter((one) => one !== 'null');
    if (others.length > 0 || (type !== undefined && !SCALARS.includes(type))) continue;
    const allowed = values?.filter((value) => value !== null);
    filters[field] = { ...(type && { type }), ...(allowed && { enum: allowed }) };
  }
  return filters;
}
