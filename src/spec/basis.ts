import { type Contract, type Json, PROVENANCES, type Provenance } from './contract.ts';
import { joinPointer, pointerOfReference } from './pointer.ts';

const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const;
const MAPS = ['properties', 'patternProperties', 'dependentSchemas', '$defs'] as const;
const SINGLES = [
  'items',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
] as const;

/** The weakest of some provenances; `documented` for none. */
export function weakest(...all: readonly Provenance[]): Provenance {
  return PROVENANCES.findLast((provenance) => all.includes(provenance)) ?? 'documented';
}

/** What a part of a schema rests on where it is reached from one place. */
export type Basis = (pointer: string) => Provenance;

/** A contract never changes: what was found out of it holds. */
const known = new WeakMap<Contract, Map<string, Basis>>();

/**
 * What the parts of a schema rest on *where they are applied*: a documented schema that an assumption refers to is an assumption
 * there. Each reference that is crossed caps what lies behind it; a part that is reached twice takes the stronger way.
 *
 * @param entry pointer in the bundle of the schema that is applied
 */
export function basisFrom(contract: Contract, entry: string): Basis {
  const made = known.get(contract) ?? new Map<string, Basis>();
  known.set(contract, made);
  const basis = made.get(entry) ?? makeBasis(contract, entry);
  made.set(entry, basis);
  return basis;
}

function makeBasis(contract: Contract, entry: string): Basis {
  const caps = new Map<string, Provenance>();
  const visit = (pointer: string, cap: Provenance): void => {
    const before = caps.get(pointer);
    if (before !== undefined && weakest(before, cap) === cap) return;
    const schema = contract.at(pointer);
    if (!isObject(schema)) return;
    caps.set(pointer, cap);
    if (typeof schema.$ref === 'string') {
      const target = pointerOfReference(schema.$ref);
      if (target !== undefined) visit(target, weakest(cap, contract.provenanceOf(joinPointer(pointer, '$ref'))));
    }
    for (const keyword of SINGLES) visit(joinPointer(pointer, keyword), cap);
    for (const keyword of [...LISTS, ...MAPS]) {
      const children = schema[keyword];
      if (typeof children !== 'object' || children === null) continue;
      for (const key of Object.keys(children)) visit(joinPointer(pointer, keyword, key), cap);
    }
  };
  visit(entry, 'documented');
  return (pointer) => {
    for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
      const cap = caps.get(at);
      if (cap !== undefined) return weakest(cap, contract.provenanceOf(pointer));
      if (!at.includes('/')) return contract.provenanceOf(pointer);
    }
  };
}

function isObject(node: Json | undefined): node is { readonly [key: string]: Json } {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}
