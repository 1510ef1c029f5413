import type { Contract, Media, Operation } from '../../contract/contract.ts';
import { isObject, type Json, type JsonObject } from '../../schema/json.ts';
import { make } from '../../schema/make.ts';
import { joinPointer } from '../../text/pointer.ts';
import { isTelling } from '../compile/schemas.ts';
import { isJsonMedia } from '../message/call.ts';
import { kindOf } from '../state/entities.ts';
import { compileKinds } from '../state/kinds.ts';
import type { StartRecords } from '../state/records.ts';
import type { Parts } from '../tenant/parts.ts';
import type { Profile } from '../tenant/profile.ts';
import type { Seed } from '../tenant/seed.ts';
import { fieldPointers } from './provenance-lines.ts';
import type { Removals } from './removals.ts';

/** The tenant and time that examples show. */
export interface ShownTenant {
  readonly parts: Pick<Parts, 'entities' | 'hooks'>;
  readonly seed: Seed;
  readonly records: StartRecords;
  /** Ids that belong together, by path parameter. */
  readonly ids: Readonly<Record<string, string>>;
  readonly profile: Profile;
  /** Random seed for made-up values. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Without state, the mock never refuses a request because of an assumption. */
  readonly stateless?: boolean;
}

export type Samples = ReturnType<typeof createSamples>;

/** Valid examples: the mock accepts them unchanged. */
export function createSamples(contract: Contract, shown: ShownTenant, removals: Removals) {
  const { parts, records, ids: parameters, profile, number, now } = shown;
  const { entities, hooks } = parts;
  const options = { seed: number, direction: 'request' } as const;
  const kinds = compileKinds(entities, hooks, number);

  const taken = ({ operationId }: Operation): JsonObject => {
    const form = entities.operations[operationId];
    const kind = form && kinds.get(kindOf(form) ?? '');
    const record = kind && records[kind.name]?.get(parameters[kind.id] ?? '');
    if (!form || !kind || !record) return {};
    const visible = kind.show(record, profile, now);
    const names = form.takes.filter((name) => Object.hasOwn(visible, name) && !(form.create && name === kind.id));
    return Object.fromEntries(names.map((name) => [name, parameters[name] ?? (visible[name] as Json)]));
  };

  /** A request body of this media type; undefined if no body can be made. */
  const body = (operation: Operation, { type, schema, pointer }: Media): Json | undefined => {
    if (schema === undefined) return undefined;
    const at = joinPointer(pointer, 'schema');
    const known = isJsonMedia(type) ? taken(operation) : {};
    if (Object.keys(known).length > 0) return make(contract, at, { ...options, like: known });
    const made = make(contract, at, options);
    if (!isObject(made)) return made;
    const removed = new Set(
      fieldPointers(contract, at).flatMap(([name, field]) => (removals.fields.has(field) ? name : [])),
    );
    const members = Object.entries(made).filter(([name]) => !removed.has(name));
    return Object.fromEntries(members.map(([name, value]) => [name, parameters[name] ?? value]));
  };

  return {
    /** The value of a parameter; undefined if it names no record and any text is valid. */
    parameter(operation: Operation, name: string): Json | undefined {
      const own = operation.parameters.find((one) => one.name === name);
      const made = own?.schema !== undefined && isTelling(own.schema);
      return parameters[name] ?? (made ? make(contract, joinPointer(own.pointer, 'schema'), options) : undefined);
    },
    body,
  };
}
