import type { Contract, Operation } from '../../contract/contract.ts';
import { isObject } from '../../contract/schema-facts.ts';
import { joinPointer } from '../../pointer.ts';
import { goodJson } from '../compile/provenance.ts';
import { envelopeOf } from './list-envelope.ts';
import { BOUNDS, type Filter, type ListFacts, ROLES, unknownWord, wordAt } from './lists.ts';
import type { Value } from './records.ts';

/** Size of a page if neither the query nor the document states it (assumed). */
const USUAL_SIZE = 20;

/** A query parameter with `x-list`. A member of an object in the style deepObject counts as one: `name[member]`. */
interface Query {
  readonly name: string;
  readonly pointer: string;
  readonly schema: Value;
  readonly between: string | null;
}

/** @throws ToolError `spec-invalid` for an `x-list` that does not exist */
export function listFacts(contract: Contract, operation: Operation): ListFacts {
  const filters: Filter[] = [];
  const roles: { [role in (typeof ROLES)[number]]?: string } = {};
  const schemas: { [role in (typeof ROLES)[number]]?: Value } = {};
  for (const { name, pointer, schema, between } of queriesOf(contract, operation)) {
    const said = wordAt(contract, pointer);
    if (said === undefined) continue;
    const [word = '', field] = said.split(' ');
    const how = BOUNDS.find((bound) => bound === word);
    const role = ROLES.find((one) => one === word);
    if (how && field) filters.push({ name, how, field, between });
    else if (role && field === undefined) {
      roles[role] = name;
      schemas[role] = schema;
    } else throw unknownWord(contract, pointer, said, `${ROLES.join(', ')}, or ${BOUNDS.join(', ')} and a field`);
  }
  const { minimum, default: usualPage } = schemas.page ?? {};
  const isPaged = roles.page !== undefined || roles.cursor !== undefined;
  const size = schemas.limit?.default;
  const media = goodJson(operation);
  return {
    filters,
    roles,
    firstPage: (minimum ?? usualPage) === 0 ? 0 : 1,
    usual: typeof size === 'number' ? size : isPaged ? USUAL_SIZE : null,
    envelope: media?.schema === undefined ? null : envelopeOf(contract, media),
  };
}

const SEPARATORS: Readonly<Record<string, string>> = { pipeDelimited: '|', spaceDelimited: ' ' };

function queriesOf(contract: Contract, { parameters }: Operation): Query[] {
  return parameters
    .filter((one) => one.in === 'query')
    .flatMap(({ name, pointer, schema }): Query[] => {
      const node = contract.at(pointer);
      const style = isObject(node) ? String(node.style ?? 'form') : 'form';
      const own = isObject(schema) ? schema : {};
      if (style === 'deepObject' && isObject(own.properties))
        return Object.entries(own.properties).map(([member, its]) => ({
          name: `${name}[${member}]`,
          pointer: joinPointer(pointer, 'schema', 'properties', member),
          schema: isObject(its) ? its : {},
          between: null,
        }));
      return [{ name, pointer, schema: own, between: own.type === 'array' ? (SEPARATORS[style] ?? ',') : null }];
    });
}
