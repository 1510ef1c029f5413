import type { EntitiesFile, Kind } from '../../../generated/mock/entities.ts';
import type { Contract } from '../../contract/contract.ts';
import { sentence } from '../../files/schema.ts';
import { factsOf } from '../../schema/schema-facts.ts';
import { joinPointer } from '../../text/pointer.ts';
import { didYouMean } from '../../text/suggest.ts';
import type { PlannedValidator } from '../compile/plan.ts';
import { recordSchemas } from './compile-entities.ts';
import { idOf, noSuchField } from './entities.ts';
import type { Defect } from './entities-file.ts';
import type { Value } from './records.ts';

/** Returns all faults in the given members of a record. Pointers start at the record. */
export type MemberCheck = (kind: string, members: Value) => readonly Defect[];

const LONGEST_ID = 200;

/** Checks members against the kind (`mocks/entities.yaml`) and against the contract's schemas for its records. */
export async function createMemberCheck(contract: Contract, file: EntitiesFile): Promise<MemberCheck> {
  const { compilerOf } = await import('../../schema/ajv.ts');
  const compile = compilerOf(contract.document);
  const schemas = recordSchemas(file, contract);
  const validatorsOf = (kind: string, field: string): readonly PlannedValidator[] =>
    factsOf(contract, schemas.get(kind) ?? [], { alternatives: 0 })
      .member(field)
      .pointers.map(compile);

  return (name, members) => {
    const kind = file.kinds[name];
    if (!kind) return [];
    const faults = [...nameFaults(name, kind, members), ...wordFaults(file, members)];
    for (const [field, value] of Object.entries(members)) {
      // null removes a member
      if (value === null) continue;
      for (const validate of validatorsOf(name, field)) {
        if (validate(value)) continue;
        for (const error of validate.errors ?? [])
          faults.push({ pointer: joinPointer('', field) + error.instancePath, message: sentence(error) });
      }
    }
    return firsts(faults);
  };
}

function* nameFaults(name: string, kind: Kind, members: Value): Generator<Defect> {
  const id = idOf(kind);
  const known = [id, ...Object.keys(kind.fields)];
  for (const [field, value] of Object.entries(members)) {
    const pointer = joinPointer('', field);
    if (!known.includes(field)) {
      const hint = didYouMean(field, known).trim() || `Known: ${known.join(', ')}.`;
      yield { pointer, message: noSuchField(name, field), hint };
    } else if (field === id && (typeof value !== 'string' || value === '' || value.length > LONGEST_ID))
      yield { pointer, message: `It must be a text of 1 to ${LONGEST_ID} characters.` };
  }
}

function* wordFaults({ words = {} }: EntitiesFile, members: Value): Generator<Defect> {
  for (const [field, value] of Object.entries(members)) {
    const allowed = Object.hasOwn(words, field) ? words[field] : undefined;
    if (!allowed || value === null) continue;
    for (const one of Array.isArray(value) ? value : [value])
      if (!allowed.includes(String(one)))
        yield { pointer: joinPointer('', field), message: `It must be one of ${allowed.join(', ')}.` };
  }
}

/** One fault per place: schemas repeat faults, and a value of the wrong type also fails the word list. */
function firsts(faults: readonly Defect[]): readonly Defect[] {
  const places = new Set<string>();
  return faults.filter(({ pointer }) => !places.has(pointer) && places.add(pointer));
}
