import type { Contract, Operation } from '../../contract/contract.ts';
import { isObject } from '../../contract/schema-facts.ts';
import { goodJson } from '../compile/provenance.ts';
import { envelopeOf } from './list-envelope.ts';
import { BOUNDS, type Filter, type ListFacts, ROLES, unknownWord, wordAt } from './lists.ts';
import type { Value } from './records.ts';

/** Size of a page if neither the query nor the document states it (assumed). */
const USUAL_SIZE = 20;

/** @throws ToolError `spec-invalid` for an `x-list` that does not exist */
export function listFacts(contract: Contract, operation: Operation): ListFacts {
  const filters: Filter[] = [];
  const roles: { [role in (typeof ROLES)[number]]?: string } = {};
  const schemas: { [role in (typeof ROLES)[number]]?: Value } = {};
  for (const { name, in: place, pointer, schema } of operation.parameters) {
    const said = wordAt(contract, pointer);
    if (place !== 'query' || said === undefined) continue;
    const its: Value = isObject(schema) ? schema : {};
    const [word = '', field] = said.split(' ');
    const how = BOUNDS.find((bound) => bound === word);
    const role = ROLES.find((one) => one === word);
    if (how && field) filters.push({ name, how, field, isArray: its.type === 'array' });
    else if (role && field === undefined) {
      roles[role] = name;
      schemas[role] = its;
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
