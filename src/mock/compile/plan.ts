import type {
  KeyScheme,
  Method,
  OperationAuth,
  Parameter,
  Provenance,
  Tenant,
  TokenFacts,
} from '../../contract/contract.ts';
import type { FlatHeaders } from '../message/answer.ts';

/**
 * What is constant of a contract, worked out ahead: plain data, so that the plan of the package's own contract is a
 * generated module and a start needs neither YAML nor Ajv nor Prism.
 */
export interface Plan {
  readonly token: TokenFacts | null;
  /** The parameter that says for which tenant a request is; null where none does. */
  readonly tenant: Tenant | null;
  readonly secrets: readonly string[];
  readonly operations: readonly PlannedOperation[];
}

export interface PlannedOperation {
  readonly operationId: string;
  readonly method: Method;
  readonly path: string;
  /** What method and path rest on. */
  readonly located: Provenance;
  readonly auth: OperationAuth;
  readonly keys: readonly (readonly KeyScheme[])[];
  /** Method and template of the operation that replaces this deprecated one. */
  readonly successor: { readonly method: Method; readonly path: string } | null;
  readonly deprecated: boolean;
  readonly query: readonly string[];
  /** Parameters of which more is said than that they are texts. */
  readonly parameters: readonly PlannedParameter[];
  /** Statuses that it describes, as in the document: `2XX`, `401`, `default`. */
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
  /** What its text in a path begins with, if anything. */
  readonly prefix?: string;
  /** Name of the compiled validator; null where every text is taken. */
  readonly validator: string | null;
}

/** What of JSON a text may stand for beside itself. */
export type Scalar = 'number' | 'boolean' | 'null';

/** How a value is written under one name. */
export type ValueForm =
  | { readonly kind: 'scalar'; readonly as: readonly Scalar[] }
  /** Parts of a text, or where `by` is null the texts of a name that is repeated. */
  | { readonly kind: 'list'; readonly by: string | null; readonly as: readonly Scalar[] }
  | { readonly kind: 'json' };

/** How the value of a parameter is written (OpenAPI 3.1, Style Values). */
export type ParameterForm =
  | ValueForm
  /** `name[member]=text`. */
  | { readonly kind: 'members'; readonly as: Readonly<Record<string, readonly Scalar[]>> };

export interface PlannedRequest {
  readonly required: boolean;
  readonly requiredBy: Provenance;
  /** Media types (or ranges such as `application/*`) in the order of the document. */
  readonly media: readonly PlannedRequestMedia[];
}

export interface PlannedRequestMedia {
  readonly type: string;
  /** Name of the compiled validator; null where every body of the type is taken. */
  readonly validator: string | null;
  /** The members that its schema names; null where it names none. */
  readonly members: Members | null;
  /** How the fields of a form or multipart are written; null for every other type. */
  readonly fields: Readonly<Record<string, ValueForm>> | null;
}

export interface Members {
  readonly [name: string]: Members | null;
}

export interface PlannedResponse {
  readonly status: number;
  /** Empty for an answer without a body. */
  readonly media: readonly PlannedMedia[];
  readonly headers: FlatHeaders;
}

export interface PlannedMedia {
  readonly type: string;
  /** None where only Prism can make one. The first is the answer unless another one is `when`. */
  readonly examples: readonly PlannedExample[];
}

/** Key of an example that nobody wrote: it was made to fit a schema. */
export const MADE_UP = '';

export interface PlannedExample {
  readonly key: string;
  /** Path parameters and their values for which this example is the answer. */
  readonly when: Readonly<Record<string, string>> | null;
  readonly body: string;
  readonly provenance: Provenance;
}

/** What a compiled validator says is wrong; the part of Ajv's error objects that is used. */
export interface PlannedProblem {
  readonly instancePath: string;
  /** The keyword that was broken: its pointer in the document, or a fragment below the schema itself or `#/components`. */
  readonly schemaPath: string;
  readonly keyword: string;
  readonly message?: string | undefined;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** A compiled validator, as Ajv makes it: the errors of the last call stay on the function. */
export interface PlannedValidator {
  (value: unknown): boolean;
  errors?: readonly PlannedProblem[] | null | undefined;
}

export type Validators = Readonly<Record<string, PlannedValidator>>;
