import type { Json } from '../../contract/contract.ts';
import type { Maxima } from '../../contract/limits.ts';

/** How a value comes about: a constant, a text with braces, null (only if it is sent), or one of the forms. */
export type FieldForm = null | string | number | boolean | FormObject;

export interface FormObject {
  /** Id of a record of a kind. */
  readonly of?: string;
  /** Values that a record must have to be taken where none is named. */
  readonly where?: Readonly<Record<string, readonly Json[]>>;
  readonly oneOf?: readonly Json[];
  /** A field; its values stand beside it, each with what is taken then. */
  readonly by?: string;
  readonly hook?: string;
  /** What the hook is given, made up. */
  readonly from?: string;
  /** An object with fields of its own. */
  readonly has?: Readonly<Record<string, FieldForm>>;
  readonly [value: string]: unknown;
}

export interface Kind {
  /** Name and form of the id. */
  readonly id: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, FieldForm>>;
  /** Under which its records stand in a seed, where that is not the English plural of the kind. */
  readonly plural?: string;
  /** Fields that a record of a seed has to say. */
  readonly needs?: readonly string[];
  /** A record that has these values is not changed any more. */
  readonly final?: Readonly<Record<string, Json>>;
  readonly hidden?: readonly string[];
  readonly shown?: Readonly<Record<string, string>>;
  /** None of these is made up where one is sent. */
  readonly together?: readonly string[];
  /** Shown with these values once the time of the field `at` has come. */
  readonly becomes?: Readonly<Record<string, Json>> & { readonly at: string };
  /** The event that a change emits. */
  readonly emits?: string;
}

export interface Condition {
  /** Values that the record has. */
  readonly record?: Readonly<Record<string, Json>>;
  /** Values that the profile has. */
  readonly profile?: Readonly<Record<string, Json>>;
  /** Fields by kind that depend on it, beside those of which the contract says so. */
  readonly fields?: Readonly<Record<string, readonly string[]>>;
  /** The refusal of a request that sets such a field. */
  readonly refuses?: string;
}

export interface Refusal {
  readonly title: string;
  /** The rule of `x-rules` that it is about. */
  readonly guard?: string;
  readonly detail?: string;
  /** The member of the body at which the fault lies. */
  readonly field?: string;
  readonly message?: string;
  readonly reference?: string;
  readonly wouldPass?: string;
}

export const VERBS = ['create', 'read', 'list', 'set', 'remove', 'table', 'seed'] as const;
export type Verb = (typeof VERBS)[number];

/** What an operation does: one verb with its kind (or its part of the seed), and how. */
export interface OperationForm extends Readonly<Partial<Record<Verb, string>>> {
  readonly to?: Readonly<Record<string, FieldForm>>;
  readonly else?: Readonly<Record<string, FieldForm>>;
  readonly adds?: Readonly<Record<string, string>>;
  readonly shows?: readonly string[];
  readonly answers?: Readonly<Record<string, FieldForm>>;
  readonly guard?: string;
  readonly pick?: readonly string[];
  readonly by?: string;
}

/** `mocks/entities.yaml` (`schemas/entities.schema.json`). */
export interface EntitiesFile {
  readonly kinds: Readonly<Record<string, Kind>>;
  readonly conditions?: Readonly<Record<string, Condition>>;
  readonly limits?: { readonly currency: string; readonly refuses?: string };
  readonly refusals?: Readonly<Record<string, Refusal>>;
  readonly operations?: Readonly<Record<string, OperationForm>>;
  readonly words?: Readonly<Record<string, readonly string[]>>;
  readonly roles?: Roles;
}

/** Ids of the seed that play a role: `parameters` has a value for path parameters. */
export type Roles = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What the contract adds to a kind. */
export interface KindFacts {
  /** The condition on which a field is there. */
  readonly conditions: Readonly<Record<string, string>>;
  readonly maxima: Maxima | null;
}

/** What the contract adds to an operation. */
export interface OperationFacts {
  /** The members of its request that it takes. */
  readonly takes: readonly string[];
  /** The form of the key by which a table is asked; null where every one will do. */
  readonly key: string | null;
}

/** The file with what follows for it from a contract: plain data, so that it can be compiled ahead. */
export interface Entities {
  readonly file: EntitiesFile;
  readonly kinds: Readonly<Record<string, KindFacts>>;
  /** Every operation that remembers something or shows what is remembered, those included that nothing describes. */
  readonly operations: Readonly<Record<string, OperationForm & OperationFacts>>;
}

/** Name of the path parameter that holds the id of a kind. */
export function idOf(kind: Kind): string;
export function idOf(kind: Kind | undefined): string | undefined;
export function idOf(kind: Kind | undefined): string | undefined {
  return kind && Object.keys(kind.id)[0];
}

/** The fields of a kind that name a record, in order: the first is what its records belong to. */
export function referencesOf(
  kind: Kind,
): { readonly field: string; readonly of: string; readonly where: FormObject['where'] }[] {
  return Object.entries(kind.fields).flatMap(([field, form]) =>
    typeof form === 'object' && form?.of !== undefined ? [{ field, of: form.of, where: form.where }] : [],
  );
}

/** Under which the records of a kind stand in a seed. */
export function pluralOf(name: string, { plural }: Kind): string {
  if (plural !== undefined) return plural;
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(name) ? `${name}es` : `${name}s`;
}

/** The verb of an operation and what it is about. */
export function verbOf(form: OperationForm): readonly [verb: Verb, of: string] | undefined {
  const verb = VERBS.find((one) => form[one] !== undefined);
  return verb && [verb, form[verb] ?? ''];
}

/** The kind that an operation is about; undefined of one that shows what the seed holds. */
export function kindOf(form: OperationForm): string | undefined {
  return form.create ?? form.read ?? form.list ?? form.set ?? form.remove;
}
