import type { Contract, Operation } from '../contract/contract.ts';
import { basisFrom, recordedAnswers } from '../contract/provenance.ts';
import { sectionOf } from '../contract/section.ts';
import { type NamedField, namedFields } from '../judge/fields.ts';
import type { Seen, SeenOf } from '../report/confirmed.ts';
import { expectedFields } from '../report/coverage.ts';
import { isObject, type Json, listOf } from '../schema/json.ts';
import type { Provenance } from '../schema/schema-document.ts';
import { describe } from '../schema/schema-facts.ts';
import { joinPointer } from '../text/pointer.ts';
import { suggest } from '../text/suggest.ts';

/** What is known of one operation, parameter or field, and where it is stated. */
export interface Fact {
  readonly in: 'operation' | 'parameter' | 'request' | 'answer';
  // As in a report, for instance `/items/*/rate`; empty for an operation.
  readonly pointer: string;
  readonly provenance: Provenance;
  /** What the source states, in a few words each. */
  readonly states: Readonly<Record<string, Json>>;
  readonly source: {
    /** Section of the reference; null for a fact that the reference does not state. */
    readonly reference: string | null;
    readonly file: string;
    readonly line: number;
  };
  /** Recorded answers behind it; null if it was never recorded. */
  readonly records: number | null;
  /** Only with a history, and if a run saw it. */
  readonly seen?: Seen;
  /** Gaps of the reference that nothing fills. */
  readonly gaps: readonly string[];
  /** Gaps of the reference that a recording or another overlay fills. */
  readonly filled: readonly string[];
}

export interface Facts {
  readonly factsVersion: 1;
  /** `unknown`: no source states such an operation or field. It may exist, but nobody may rely on it. */
  readonly status: 'known' | 'unknown';
  readonly operation: string | null;
  readonly pointer: string | null;
  readonly facts: readonly Fact[];
  /** Name of a similar operation or field. */
  readonly near?: string;
  /** For a field: gaps of its operation, which say what else may be there. */
  readonly gaps?: readonly string[];
}

/** A contract without its assumptions, and the same one with them. */
export interface Known {
  readonly known: Contract;
  readonly assumed: Contract;
}

/** Facts about the API, one operation, or one field of it. */
export function askFacts(contracts: Known, operationId?: string, pointer?: string, seenOf: SeenOf = () => undefined) {
  const all = contracts.assumed.operations;
  const answer = (found: readonly Fact[], more: Partial<Facts> = {}): Facts => ({
    factsVersion: 1,
    status: found.length > 0 ? 'known' : 'unknown',
    operation: operationId === undefined ? null : short(operationId),
    pointer: pointer === undefined ? null : short(pointer),
    facts: found,
    ...more,
  });
  const nearest = (wrong: string, names: readonly string[]): Partial<Facts> => {
    const near = suggest(wrong, names);
    return near === undefined ? {} : { near: short(near) };
  };
  if (operationId === undefined) return answer(all.map((each) => operationFact(contracts, each, seenOf)));
  const operation = contracts.assumed.operation(operationId);
  if (operation === undefined) {
    const names = all.map((each) => each.operationId);
    return answer([], nearest(operationId, names));
  }
  const facts = factsOf(contracts, operation, seenOf);
  if (pointer === undefined) return answer(facts);
  const wanted = pointer.startsWith('/') ? pointer : `/${pointer}`;
  const anyItem = wanted.replace(/\/\d+(?=\/|$)/g, '/*');
  const found = facts.filter((fact) => fact.pointer === wanted);
  const same = found.length > 0 ? found : facts.filter((fact) => fact.pointer === anyItem);
  const near = same.length > 0 ? {} : nearest(wanted, facts.map((fact) => fact.pointer).filter(Boolean));
  return answer(same, { ...near, gaps: facts[0]?.gaps.map(short) ?? [] });
}

/** The operation, its parameters, and its fields. What is known without assumptions comes first. */
export function factsOf({ known, assumed }: Known, operation: Operation, seenOf: SeenOf): Fact[] {
  const own = known.operation(operation.operationId);
  const sure = own === undefined ? [] : partsOf(known, own, seenOf);
  const isSure = new Set(sure.map((fact) => `${fact.in} ${fact.pointer}`));
  const others = partsOf(assumed, operation, seenOf).filter((fact) => !isSure.has(`${fact.in} ${fact.pointer}`));
  // a part that is only in the contract with assumptions is an assumption itself
  const guessed = others.map((fact): Fact => ({ ...fact, provenance: 'assumed' }));
  return [operationFact({ known, assumed }, operation, seenOf), ...sure, ...guessed];
}

function operationFact({ known, assumed }: Known, operation: Operation, seenOf: SeenOf): Fact {
  const own = known.operation(operation.operationId);
  const contract = own === undefined ? assumed : known;
  const { operationId, method, path, deprecated, located } = operation;
  const records = recordsOf(contract, own ?? operation);
  const isFilled = (gap: string): boolean =>
    own !== undefined &&
    (gap === 'path' || gap === 'method'
      ? own.path !== null
      : records !== null && (gap.startsWith('response') || gap === 'mediaType'));
  return {
    in: 'operation',
    pointer: '',
    // a name is known even if its path is not
    provenance: located === 'assumed' && own !== undefined ? 'documented' : (located ?? 'documented'),
    states: {
      name: short(operation.summary),
      ...(method !== null && { method }),
      ...(path !== null && located !== null && { path: short(path), pathFrom: located }),
      ...(deprecated && { deprecated }),
    },
    source: {
      ...placeOf(contract, own?.pointer ?? operation.pointer),
      reference: operation.reference === '' ? null : short(`API reference, ${operation.reference}`),
    },
    records,
    ...seenText(seenOf(operationId, '')),
    gaps: operation.notShown.filter((gap) => !isFilled(gap)),
    filled: operation.notShown.filter(isFilled),
  };
}

function partsOf(contract: Contract, operation: Operation, seenOf: SeenOf): Fact[] {
  const parameters = operation.parameters.map(({ name, in: place, required, pointer, schemaAt }): Fact => {
    const fact = fieldFact(contract, 'parameter', joinPointer('', name), [schemaAt], contract.provenanceOf(pointer));
    const node = contract.at(pointer);
    return {
      ...fact,
      states: { place, required, ...fact.states },
      source: sourceOf(contract, pointer),
      gaps: isObject(node) ? listOf(node['x-not-shown']).map(String) : [],
    };
  });
  const media = operation.requestBody?.content.filter(({ schema }) => schema !== undefined) ?? [];
  const shown = joinPointer(operation.pointer, 'x-request-schema');
  const bodies = media.length > 0 ? media.map(({ pointer }) => joinPointer(pointer, 'schema')) : [shown];
  const sent = bodies
    .filter((entry) => contract.at(entry) !== undefined)
    .flatMap((entry) => {
      const basis = basisFrom(contract, entry);
      return namedFields(contract, entry, '').map((field) =>
        fieldFact(contract, 'request', field.at, field.schemas, basis(field.schema)),
      );
    });
  const answered = new Map<string, NamedField & { readonly provenance: Provenance }>();
  for (const field of expectedFields(contract, operation, [])) {
    // a field of several answers is stated by the first, which is a documented one if possible
    if (!answered.has(field.at)) answered.set(field.at, field);
  }
  const records = recordsOf(contract, operation);
  const received = [...answered.values()].map(({ at, schemas, provenance }): Fact => {
    const fact = fieldFact(contract, 'answer', at, schemas, provenance);
    const isRecorded = schemas.some((pointer) => contract.provenanceOf(pointer) === 'observed');
    return {
      ...fact,
      records: isRecorded ? records : null,
      ...seenText(seenOf(operation.operationId, at)),
    };
  });
  return [...parameters, ...sent, ...received];
}

function fieldFact(
  contract: Contract,
  place: Fact['in'],
  pointer: string,
  schemas: readonly string[],
  provenance: Provenance,
): Fact {
  const { types, words, values, parts } = describe(contract, schemas);
  const listed = parts.flatMap(({ schema }) => listOf(schema['x-not-shown']).map(String));
  const isTyped = parts.some(
    (part) => part.schema.type !== undefined && contract.provenanceOf(part.pointer) === 'observed',
  );
  const gaps = [...new Set(listed)];
  const isFilled = (gap: string): boolean => gap === 'type' && isTyped;
  const only = parts.find(({ schema }) => schema['x-only-when'] !== undefined)?.schema['x-only-when'];
  return {
    in: place,
    pointer,
    provenance,
    states: {
      ...(types.length > 0 && { type: types }),
      ...Object.fromEntries(
        [...words].map(([word, value]) => [word, typeof value === 'string' ? short(value) : value]),
      ),
      ...(values !== null && { values: values.slice(0, MOST_VALUES).map((value) => short(String(value))) }),
      ...(only !== undefined && { onlyWhen: short(isObject(only) ? JSON.stringify(only) : String(only)) }),
    },
    source: sourceOf(contract, schemas[0] ?? ''),
    records: null,
    gaps: gaps.filter((gap) => !isFilled(gap)),
    filled: gaps.filter(isFilled),
  };
}

function recordsOf(contract: Contract, operation: Operation): number | null {
  const numbers = recordedAnswers(contract, operation).map(({ pointer }) =>
    Number(contract.at(joinPointer(pointer, 'x-samples')) ?? 0),
  );
  return numbers.length === 0 ? null : numbers.reduce((sum, number) => sum + number, 0);
}

function sourceOf(contract: Contract, pointer: string): Fact['source'] {
  const section = contract.provenanceOf(pointer) === 'documented' ? sectionOf(pointer, contract) : undefined;
  return { reference: section === undefined ? null : short(section), ...placeOf(contract, pointer) };
}

function placeOf(contract: Contract, pointer: string): { file: string; line: number } {
  const { file = '', line = 1 } = contract.placeOf(pointer);
  return { file: short(file), line };
}

function seenText(seen: Seen | undefined): { seen?: Seen } {
  return seen === undefined ? {} : { seen };
}

const MOST_VALUES = 10;
const MOST_CHARACTERS = 160;

/** Keeps the answer about one field small, whatever the document holds. */
function short(text: string): string {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}
