import type { Place } from '../errors.ts';
import type { Provenance, Schema, SchemaDocument } from '../schema/schema-document.ts';
import type { ContractFolder } from './folder.ts';

export type Method = 'GET' | 'PUT' | 'POST' | 'DELETE' | 'PATCH' | 'HEAD' | 'OPTIONS' | 'TRACE' | 'QUERY';

/** From the weakest to the strongest. */
export const EFFECTS = ['read', 'write', 'destructive'] as const;

export type Effect = (typeof EFFECTS)[number];

/** `issues`: the token endpoint, for the client's credentials; `bearer`: requires the token; `none`: open. */
export type OperationAuth = 'issues' | 'bearer' | 'none';

export interface MethodChange {
  readonly from: Method;
  readonly to: Method;
}

/** How to get tokens: OAuth 2.0 client credentials (RFC 6749, 4.4), from `x-token` of the bearer scheme. */
export interface TokenFacts {
  /** Of the security scheme. */
  readonly pointer: string;
  readonly operationId: string;
  readonly grant: string;
  /** Client authentication: HTTP Basic, or `client_id` and `client_secret` in the form (RFC 6749, 2.3.1). */
  readonly clientAuthentication: 'basic' | 'form';
  /** The `tokenUrl` if it is not below the document's server: a path of its origin, or a full URL. Else null. */
  readonly url: string | null;
  /** Whether a token is documented as a signed JWT (`bearerFormat: JWT`). */
  readonly isJwt: boolean;
  /** Seconds; null if no default is documented. */
  readonly lifetime: number | null;
  /** Recommended seconds before its expiry to renew a token, the shorter first; null without a recommendation. */
  readonly margin: readonly [shortest: number, longest: number] | null;
}

/** HTTP Basic, an API key, or a bearer token that no operation issues (OpenAPI 3.1, Security Scheme Object). */
export interface KeyScheme {
  readonly kind: 'basic' | 'apiKey' | 'bearer';
  readonly in: 'header' | 'query' | 'cookie';
  readonly name: string;
}

export interface Tenant {
  readonly name: string;
  readonly in: Parameter['in'];
}

/** How a value is serialized (OpenAPI 3.1, Style Values); `json` if a parameter has `content`. */
export interface Style {
  readonly name: 'form' | 'simple' | 'label' | 'matrix' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject' | 'json';
  readonly explode: boolean;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required: boolean;
  readonly style: Style;
  /** Undefined if the reference states no type. */
  readonly schema?: Schema;
  /** Pointer of its schema, present or not. */
  readonly schemaAt: string;
  /** True if its schema is a string. */
  readonly isText: boolean;
  readonly pointer: string;
}

export interface Media {
  /** A media type. In an answer, it stands for a range. */
  readonly type: string;
  /** As in the document: a media type or a range. */
  readonly key: string;
  readonly schema?: Schema;
  readonly pointer: string;
}

export interface ResponseSpec {
  /** As in the document: `2XX`, `401`, `default`, or a code from an overlay. */
  readonly status: string;
  readonly content: readonly Media[];
  readonly pointer: string;
}

export interface Operation {
  readonly operationId: string;
  /** The operation's exact name in the reference. */
  readonly summary: string;
  readonly tag: string;
  /** Provenance of the operation's path; null for an operation that is known only by name. */
  readonly located: Provenance | null;
  readonly method: Method | null;
  /** Path template, for instance `/orders/{orderId}/lines`; null if the operation is not located. */
  readonly path: string | null;
  /** The strongest effect that the method implies, or that the contract folder or an overlay states. */
  readonly effect: Effect;
  /** True for a POST that only the user's configuration declares a read. */
  readonly lowered: boolean;
  /** The base document, without overlays, states that the method of this path has become POST. */
  readonly probed: boolean;
  readonly deprecated: boolean;
  readonly successor: string | null;
  readonly predecessor: string | null;
  /** Set if the successor has another method (`x-successor.methodChange`). */
  readonly methodChange: MethodChange | null;
  readonly auth: OperationAuth;
  /** Accepted credentials other than a token. Each list contains credentials that are required together. */
  readonly keys: readonly (readonly KeyScheme[])[];
  /** Name of the id of a created record (`x-creates`), for instance `orderId`; null if it creates no known record. */
  readonly creates: string | null;
  /** Name of the id of a removed record (`x-removes`). */
  readonly removes: string | null;
  readonly parameters: readonly Parameter[];
  readonly requestBody: {
    readonly required: boolean;
    readonly content: readonly Media[];
    readonly pointer: string;
  } | null;
  readonly responses: readonly ResponseSpec[];
  /** Documented schema of one item if the reference does not show the list's envelope (`x-item-schema`). */
  readonly itemSchema: Schema | null;
  /** Facts that the reference does not show (`x-not-shown`). */
  readonly notShown: readonly string[];
  /** Section of the reference (`x-reference`). */
  readonly reference: string;
  /** Release that introduced it (`x-since`), a string like `1.10.0`. */
  readonly since: string | null;
  /** Pointer of the operation, or of the path item without a method, in the bundle. */
  readonly pointer: string;
}

export interface Notice {
  readonly code:
    | 'document-fetched'
    | 'overlay-target-unmatched'
    | 'overlay-changes-documented'
    | 'overlay-action-odd'
    | 'recording-of-another-version'
    | 'recording-cut-off'
    | 'unknown-operation'
    | 'not-compared'
    | 'pattern-not-judged'
    | 'format-not-judged'
    | 'keyword-unknown'
    | 'keyword-invalid'
    | 'keyword-not-judged'
    | 'reference-not-judged'
    | 'older-keyword'
    | 'slow-pattern'
    | 'effect-lowered'
    | 'effect-ignored';
  readonly message: string;
  readonly hint?: string;
  readonly place: Place;
  /** Recorded operations that are not covered because of this. */
  readonly unwatched?: readonly string[];
}

/** The bundled contract: one OpenAPI document with every overlay applied, and the provenance of each part beside it. */
export interface Contract extends SchemaDocument {
  readonly folder: ContractFolder;
  /** In the order of the document: located operations first, then operations known only by name. */
  readonly operations: readonly Operation[];
  readonly notices: readonly Notice[];
  /** Null if the contract has no token endpoint. */
  readonly token: TokenFacts | null;
  readonly tenant: Tenant | null;
  operation(operationId: string): Operation | undefined;
  /** File, line and column of the node at a pointer of the bundle, or of its nearest ancestor with a position. */
  placeOf(pointer: string): Place;
}

export interface OverlaySource {
  readonly file: string;
  readonly text?: string;
}

export interface LoadOptions {
  readonly folder?: ContractFolder;
  /** Include the mock's assumptions, below the overlays. False by default: they never decide which calls are sent. */
  readonly assumed?: boolean;
  /** Root document; the folder's by default. */
  readonly root?: string;
  /** Overlays in the order of application. `x-provenance` at the root of each states its provenance. */
  readonly overlays?: readonly (string | OverlaySource)[];
  readonly signal?: AbortSignal;
}
