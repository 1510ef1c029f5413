import type { EntitiesFile, FieldForm, Kind, OperationForm } from '../../../generated/mock/entities.ts';
import type { Maxima } from '../../contract/limits.ts';
import type { Plan } from '../compile/plan.ts';
import type { Envelope, ListFacts } from './lists.ts';

type FormObject = Extract<FieldForm, object>;

export const VERBS = ['create', 'read', 'list', 'set', 'remove', 'table', 'seed'] as const;
export type Verb = (typeof VERBS)[number];

export interface KindFacts {
  readonly conditions: Readonly<Record<string, string>>;
  readonly maxima: Maxima | null;
  /** Fields that no answer shows (`writeOnly`). */
  readonly hidden?: readonly string[];
  /** Whether its ids are numbers. */
  readonly isNumbered?: true;
  /** A whole record by its schema, for fields that are made up `{by schema}`. */
  readonly sample?: (chance: number) => Readonly<Record<string, unknown>>;
  /** Returns a new id as it is if the contract allows it, else another id. Absent if the contract states a type only. */
  readonly allowedId?: (made: unknown, chance: number) => unknown;
}

export interface OperationFacts {
  /** The fields that parameters of the path are for, if the names differ: `/owners/{id}/pets` is for `ownerId`. */
  readonly names?: Readonly<Record<string, string>>;
  readonly takes: readonly string[];
  /** The path of the record in the body of the request, with dots; absent if the body is the record. */
  readonly sentAt?: string;
  /** The member of a sent record that names the record, if the path does not. */
  readonly sentId?: string;
  /** The members that a PUT removes if it does not send them. */
  readonly clears?: readonly string[];
  /** The object around the one record of the answer; absent if the answer is the record. */
  readonly around?: Envelope;
  /** The members of a record that the answer shows; absent: all. */
  readonly members?: readonly string[];
  /** Whether the path names the record that a request creates or replaces. */
  readonly isPut?: true;
  /** Pattern for the key of a table; null if every key is accepted. */
  readonly key: string | null;
  /** The facts stated by `x-list`; null if the operation is not a list. */
  readonly lists: ListFacts | null;
}

/** `mocks/entities.yaml` compiled against a contract. Plain data, so that a bundle can contain it. */
export interface Entities {
  readonly file: EntitiesFile;
  /** Name of the parameter that identifies the tenant of a request; null without tenants. */
  readonly tenant: string | null;
  readonly kinds: Readonly<Record<string, KindFacts>>;
  readonly operations: Readonly<Record<string, OperationForm & OperationFacts>>;
}

export function idOf(kind: Kind): string;
export function idOf(kind: Kind | undefined): string | undefined;
export function idOf(kind: Kind | undefined): string | undefined {
  return kind && Object.keys(kind.id)[0];
}

/** Name of the id in bodies: a field that is made from the id, or the id itself. */
export function idInBody(kind: Kind | undefined): string | undefined {
  const id = idOf(kind);
  return Object.keys(kind?.fields ?? {}).find((field) => kind?.fields[field] === `{${id}}`) ?? id;
}

/** The fields of a kind that refer to a record, in order. The first field refers to the parent. */
export function referencesOf(
  kind: Kind,
): { readonly field: string; readonly of: string; readonly where: FormObject['where'] }[] {
  return Object.entries(kind.fields).flatMap(([field, form]) =>
    typeof form === 'object' && form?.of !== undefined ? [{ field, of: form.of, where: form.where }] : [],
  );
}

/** The key for the records of a kind in a seed. */
export function pluralOf(name: string, { plural }: Kind): string {
  if (plural !== undefined) return plural;
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(name) ? `${name}es` : `${name}s`;
}

export function verbOf(form: OperationForm): readonly [verb: Verb, of: string] | undefined {
  const verb = VERBS.find((one) => form[one] !== undefined);
  return verb && [verb, form[verb] ?? ''];
}

/** The kind that an operation uses; undefined if it shows a part of the seed. */
export function kindOf(form: OperationForm): string | undefined {
  return form.create ?? form.read ?? form.list ?? form.set ?? form.remove;
}

/** Each kind in one line, with its operations: `pet: POST /pets, GET /pets/{petId}`. */
export function resourceLines({ file, operations }: Entities, plan: Pick<Plan, 'operations'>): readonly string[] {
  return Object.keys(file.kinds).map((kind) => {
    const its = plan.operations.filter(({ operationId }) => kindOf(operations[operationId] ?? {}) === kind);
    return `${kind}: ${its.map(({ method, path }) => `${method} ${path}`).join(', ')}`;
  });
}

export function noSuchField(kind: string, field: string): string {
  return `${/^[aeiou]/i.test(kind) ? 'An' : 'A'} ${kind} has no ${field}.`;
}
