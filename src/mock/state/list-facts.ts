import type { EntitiesFile, Kind, OperationForm } from '../../../generated/mock/entities.ts';
import type { Contract, Json, Operation } from '../../contract/contract.ts';
import { isObject } from '../../contract/schema-facts.ts';
import { goodJson } from '../compile/provenance.ts';
import { envelopeOf } from './list-envelope.ts';
import { filterOf } from './list-filters.ts';
import { type Filter, type ListFacts, type Query, USUAL_SIZE } from './lists.ts';
import type { Value } from './records.ts';

/** Says at a query parameter, or at a property of an envelope, what it does to a list or tells of it. */
const WORD = 'x-list';
const ROLES = ['limit', 'offset', 'page', 'cursor', 'sort', 'order'] as const;

export function listFacts(
  contract: Contract,
  operation: Operation,
  { list = '', pick = [] }: OperationForm,
  { kinds, lists = {} }: EntitiesFile,
): ListFacts {
  const kind: Kind | undefined = Object.hasOwn(kinds, list) ? kinds[list] : undefined;
  const fields = [...Object.keys(kind?.id ?? {}), ...Object.keys(kind?.fields ?? {})];
  const queries = operation.parameters.filter((one) => one.in === 'query').flatMap((one) => queriesOf(contract, one));
  const roleOf = ({ name, said, schema }: Query): string | undefined => {
    if (said !== undefined) return said.split(' ', 1)[0];
    if (fields.includes(name)) return undefined;
    const role = ROLES.find((one) => lists[one]?.includes(name));
    // a time from which, or after which, is no place in a list
    return /^date/.test(String(schema.format ?? '')) ? undefined : role;
  };
  const playing = (role: string): Query | undefined => queries.find((one) => roleOf(one) === role);
  const [limit, offset, page, cursor] = [playing('limit'), playing('offset'), playing('page'), playing('cursor')];
  const others = queries.filter((one) => !ROLES.some((role) => role === roleOf(one)));
  const picked = others.flatMap((one) => filterOf(one, fields, kind) ?? []);
  const media = goodJson(operation);
  return {
    filters: [
      ...pick.filter((field) => !picked.some(({ name }) => name === field)).map((field) => plainFilter(field)),
      ...picked,
    ],
    sorts: queries.filter((one) => ['sort', 'order'].includes(roleOf(one) ?? '')).map(({ name }) => name),
    fields,
    limit: limit ? { name: limit.name } : null,
    usual: numberIn(limit?.schema.default) ?? (cursor ? USUAL_SIZE : null),
    offset: offset ? { name: offset.name } : null,
    page: page
      ? { name: page.name, first: (numberIn(page.schema.minimum) ?? numberIn(page.schema.default)) === 0 ? 0 : 1 }
      : null,
    cursor: cursor ? { name: cursor.name } : null,
    envelope: media?.schema === undefined ? null : envelopeOf(contract, media, lists, WORD),
  };
}

const plainFilter = (field: string): Filter => ({ name: field, field, how: 'is', between: null });

const SEPARATORS: Readonly<Record<string, string>> = { pipeDelimited: '|', spaceDelimited: ' ' };

function queriesOf(contract: Contract, { name, pointer, schema }: Operation['parameters'][number]): Query[] {
  const found = contract.at(pointer);
  const node = isObject(found) ? found : {};
  const own: Value = isObject(schema) ? schema : {};
  const style = typeof node.style === 'string' ? node.style : 'form';
  if (style === 'deepObject' && isObject(own.properties as Json)) {
    return Object.entries(own.properties as Value).map(([member, its]) => {
      const said = isObject(its as Json) ? wordIn(its as Value) : undefined;
      return { name: `${name}[${member}]`, schema: its as Value, between: null, said };
    });
  }
  const between = own.type === 'array' ? (SEPARATORS[style] ?? ',') : null;
  return [{ name, schema: own, between, said: wordIn(node) }];
}

function wordIn(node: Value): string | undefined {
  const said = node[WORD];
  return typeof said === 'string' ? said : undefined;
}

function numberIn(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
