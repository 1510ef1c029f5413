import { PROVENANCES, type Provenance, remembered } from '../schema/schema-document.ts';
import { type Kind, kindOfChild } from '../schema/structure.ts';
import { joinPointer, pointerOfReference } from '../text/pointer.ts';
import type { Contract, Operation, ResponseSpec } from './contract.ts';

/** The recorded good answers of an operation. */
export function recordedAnswers(contract: Contract, { responses }: Pick<Operation, 'responses'>): ResponseSpec[] {
  return responses.filter(
    ({ status, pointer }) => /^2\d\d$/.test(status) && contract.provenanceOf(pointer) === 'observed',
  );
}

export function weakest(...all: readonly Provenance[]): Provenance {
  return PROVENANCES.findLast((provenance) => all.includes(provenance)) ?? 'documented';
}

type Basis = (pointer: string) => Provenance;

/**
 * The provenance of schema parts *where they are applied*: a documented schema under an assumed reference is an
 * assumption there. References cap the provenance of their targets. A part that is reached twice gets the stronger one.
 *
 * @param entries pointers in the bundle of the applied schemas
 */
export function basisFrom(contract: Contract, ...entries: readonly string[]): Basis {
  return basisOfAll(contract, entries.join('\n'));
}

const basisOfAll: (contract: Contract, entries: string) => Basis = remembered((contract, entries) => {
  const caps = new Map<string, Provenance>();
  // A list instead of recursion, because a schema can have any depth.
  const waiting: [pointer: string, kind: Kind, cap: Provenance][] = entries
    .split('\n')
    .map((entry) => [entry, 'schema', 'documented']);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [pointer, kind, cap] = next;
    const node = contract.at(pointer);
    if (typeof node !== 'object' || node === null) continue;
    if (kind === 'schema') {
      const before = caps.get(pointer);
      if (before !== undefined && weakest(before, cap) === cap) continue;
      caps.set(pointer, cap);
    }
    for (const [key, child] of Object.entries(node)) {
      const below = joinPointer(pointer, key);
      const kindBelow = kindOfChild(kind, key);
      if (kind === 'schema' && key === '$ref') {
        const target = pointerOfReference(String(child));
        if (target !== undefined) waiting.push([target, 'schema', weakest(cap, contract.provenanceOf(below))]);
      } else if (kindBelow.endsWith('schema')) waiting.push([below, kindBelow, cap]);
    }
  }
  return (pointer) => {
    for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
      const cap = caps.get(at);
      if (cap !== undefined) return weakest(cap, contract.provenanceOf(pointer));
      if (!at.includes('/')) return contract.provenanceOf(pointer);
    }
  };
});
