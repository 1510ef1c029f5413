import type { KeyScheme, Method, OperationAuth, Parameter, Tenant, TokenFacts } from '../../contract/contract.ts';
import type { Provenance } from '../../schema/schema-document.ts';
import type { FlatHeaders } from '../message/answer.ts';

/**
 * The constant part of a contract. It is plain data, so that the bundle for browsers can contain it.
 */
export interface Plan {
  readonly token: TokenFacts | null;
  /** The parameter that names a request's tenant; null if the contract has no tenants. */
  readonly tenant: Tenant | null;
  readonly secrets: readonly string[];
  /** The paths of the document's servers. Requests may have one of them before the path of an operation. */
  readonly basePaths?: readonly string[];
  readonly operations: readonly PlannedOperation[];
}

export interface PlannedOperation {
  readonly operationId: string;
  readonly method: Method;
  readonly path: string;
  /** The paths of its own servers. Requests may have one of them before its path. */
  readonly basePaths?: readonly string[];
  /** Provenance of the method and path. */
  readonly located: Provenance;
  readonly auth: OperationAuth;
  readonly keys: readonly (readonly KeyScheme[])[];
  /** Method and path template of the operation that replaces this deprecated one. */
  readonly successor: { readonly method: Method; readonly path: string } | null;
  readonly deprecated: boolean;
  readonly query: readonly string[];
  /** Names of headers that promise a guarantee that no document gives. */
  readonly withoutEffect: readonly string[];
  /** Parameters to check: required, or with a schema that demands more than a string. */
  readonly parameters: readonly PlannedParameter[];
  /** Described statuses, as written in the document: `2XX`, `401`, `default`. */
  readonly statuses: readonly string[];
  readonly request: PlannedRequest | null;
  readonly response: PlannedResponse;
}

export interface PlannedParameter {
  readonly name: string;
  readonly in: Parameter['in'];
  readonly required: boolean;
  readonly basis: Provenance;
  readonly form: ParameterForm;
  /** Prefix of its text in a path. */
  readonly prefix?: string;
  /** Name of the compiled validator; null if every text is valid. */
  readonly validator: string | null;
}

/** The JSON types other than string that a text may represent. */
export type Scalar = 'number' | 'boolean' | 'null';

/** How a value is written under one name. */
export type ValueForm =
  | { readonly kind: 'scalar'; readonly as: readonly Scalar[] }
  /** Parts of one text, separated by `by`. If `by` is null, the name is repeated. */
  | { readonly kind: 'list'; readonly by: string | null; readonly as: readonly Scalar[] }
  | { readonly kind: 'json' };

/** How a field of a form is written. */
export type FieldForm =
  | ValueForm
  /** `name[member]=text`. */
  | { readonly kind: 'members'; readonly as: MemberScalars };

/** How the value of a parameter is written (OpenAPI 3.1, Style Values). */
export type ParameterForm =
  | FieldForm
  /** An object in one text: `a=1,b=2`, or `a,1,b,2` unless exploded. */
  | { readonly kind: 'object'; readonly by: string; readonly isExploded: boolean; readonly as: MemberScalars }
  /** An object whose members are parameters of their own: `a=1&b=2`. */
  | { readonly kind: 'apart'; readonly as: MemberScalars };

type MemberScalars = Readonly<Record<string, readonly Scalar[]>>;

export interface PlannedRequest {
  readonly required: boolean;
  readonly requiredBy: Provenance;
  /** Media types, or ranges like `application/*`, in document order. */
  readonly media: readonly PlannedRequestMedia[];
}

export interface PlannedRequestMedia {
  readonly type: string;
  /** Name of the compiled validator; null if every body of this type is valid. */
  readonly validator: string | null;
  /** The members that its schema names; null if it names no members or allows others. */
  readonly members: Members | null;
  /** How the fields of a form or multipart body are written; null for other types. */
  readonly fields: Readonly<Record<string, FieldForm>> | null;
}

export interface Members {
  readonly [name: string]: Members | null;
}

export interface PlannedResponse {
  readonly status: number;
  /** Empty if the answer has no body. */
  readonly media: readonly PlannedMedia[];
  readonly headers: FlatHeaders;
}

export interface PlannedMedia {
  readonly type: string;
  /** Empty if only Prism can make an example. The first is the default, unless another one matches by `when`. */
  readonly examples: readonly PlannedExample[];
}

/** Key of an example that was generated to fit a schema. */
export const MADE_UP = '';

export interface PlannedExample {
  readonly key: string;
  /** The path parameter values that select this example. */
  readonly when: Readonly<Record<string, string>> | null;
  readonly body: string;
  readonly provenance: Provenance;
  /** What is wrong with the example although it is the best one. */
  readonly warning?: string;
}

/** A validation error: the part of Ajv's error objects that we use. */
export interface PlannedProblem {
  readonly instancePath: string;
  /** The broken keyword: its pointer in the document, or a fragment below the schema itself or `#/components`. */
  readonly schemaPath: string;
  readonly keyword: string;
  readonly message?: string | undefined;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** A compiled validator, as Ajv makes it: the function keeps the errors of its last call. */
export interface PlannedValidator {
  (value: unknown): boolean;
  errors?: readonly PlannedProblem[] | null | undefined;
}

export type Validators = Readonly<Record<string, PlannedValidator>>;
