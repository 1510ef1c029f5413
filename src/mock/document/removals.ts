import { ONLY_WHEN, truthOf } from '../../contract/conditions.ts';
import type { Contract } from '../../contract/contract.ts';
import { isObject } from '../../schema/json.ts';
import { joinPointer } from '../../text/pointer.ts';
import { goodJson } from '../compile/provenance.ts';
import { isJsonMedia } from '../message/call.ts';
import { kindOf } from '../state/entities.ts';
import type { Parts } from '../tenant/parts.ts';
import type { Profile } from '../tenant/profile.ts';
import { fieldPointers } from './provenance-lines.ts';

export interface Removals {
  /** operationIds of withdrawn deprecated forms. */
  readonly operations: ReadonlySet<string>;
  /** Pointers to the schemas of removed fields in the bundle, each with the condition that is false. */
  readonly fields: ReadonlyMap<string, string>;
}

/**
 * The removals of a profile: withdrawn deprecated forms, and fields whose condition cannot be true. A request field is
 * removed only if the mock rejects it.
 */
export function removalsFor(contract: Contract, { entities }: Pick<Parts, 'entities'>, profile: Profile): Removals {
  const { conditions = {} } = entities.file;
  const fails = (condition: string): boolean => truthOf(conditions[condition], { profile }) === false;
  const fields = new Map<string, string>();
  const look = (schema: string, kind: string | undefined, isRequest: boolean): void => {
    for (const [name, pointer] of fieldPointers(contract, schema)) {
      const node = contract.at(pointer);
      const stated = isObject(node) && typeof node[ONLY_WHEN] === 'string' ? node[ONLY_WHEN] : undefined;
      const condition = stated ?? entities.kinds[kind ?? '']?.conditions[name];
      if (condition === undefined || !fails(condition)) continue;
      if (!isRequest || conditions[condition]?.refuses !== undefined) fields.set(pointer, condition);
    }
  };
  for (const operation of contract.operations) {
    const form = entities.operations[operation.operationId];
    const kind = form && kindOf(form);
    for (const { type, schema, pointer } of operation.requestBody?.content ?? [])
      if (schema !== undefined && isJsonMedia(type)) look(joinPointer(pointer, 'schema'), kind, true);
    const good = goodJson(operation);
    if (good?.schema !== undefined) look(joinPointer(good.pointer, 'schema'), kind, false);
  }
  const live = profile.deprecatedForms;
  const withdrawn = contract.operations.filter(
    ({ deprecated, operationId }) => deprecated && live !== null && !live.includes(operationId),
  );
  return { operations: new Set(withdrawn.map(({ operationId }) => operationId)), fields };
}
