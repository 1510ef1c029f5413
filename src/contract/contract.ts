import type { Place } from '../errors.ts';
import type { ContractFolder } from './folder.ts';

/** What a fact rests on. The order is from the strongest to the weakest. */
export const PROVENANCES = ['documented', 'observed', 'assumed'] as const;
export type Provenance = (typeof PROVENANCES)[number];

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** A JSON Schema (2020-12), as it stands in the bundle: references are `#/components/…`. */
export type Schema = JsonObject | boolean;

export type Method = 'GET' | 'PUT' | 'POST' | 'DELETE' | 'PATCH' | 'HEAD' | 'OPTIONS' | 'TRACE';

/** From the weakest to the strongest. */
export const EFFECTS = ['read', 'write', 'destructive'] as const;

export type Effect = (typeof EFFECTS)[number];

/** `issues`: the token endpoint, opened by the client's credentials; `bearer`: takes the token; `none`: open to everybody. */
export type OperationAuth = 'issues' | 'bearer' | 'none';

export interface MethodChange {
  readonly from: Method;
  readonly to: Method;
}

/** How tokens are had: OAuth 2.0 client credentials (RFC 6749, 4.4), as `x-token` of the bearer scheme says it. */
export interface TokenFacts {
  readonly operationId: string;
  readonly grant: string;
  /** Whether the client names itself by HTTP Basic, or by `client_id` and `client_secret` in the form (RFC 6749, 2.3.1). */
  readonly clientAuthentication: 'basic' | 'form';
  /** Where the `tokenUrl` lies if not below the server of the document: a path of its origin, or a URL elsewhere. Null if below. */
  readonly url: string | null;
  /** Whether a token is documented as a signed JWT (`bearerFormat: JWT`). */
  readonly isJwt: boolean;
  /** Seconds; null where no default is documented. */
  readonly lifetime: number | null;
  /** Seconds before its expiry between which a token should be renewed, the shorter first; null where none are suggested. */
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

/** How a value becomes text (OpenAPI 3.1, Style Values); `json` if a parameter has `content`. */
export interface Style {
  readonly name: 'form' | 'simple' | 'label' | 'matrix' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject' | 'json';
  readonly explode: boolean;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required: boolean;
  readonly style: Style;
  /** Absent where the reference states no type. */
  readonly schema?: Schema;
  /** Where its schema is, or would be. */
  readonly schemaAt: string;
  /** True if its schema says that it is a string. */
  readonly isText: boolean;
  readonly pointer: string;
}

export interface Media {
  readonly type: string;
  readonly schema?: Schema;
  readonly pointer: string;
}

export interface ResponseSpec {
  /** As in the document: `2XX`, `401`, `default`, or a code that an overlay adds. */
  readonly status: string;
  readonly content: readonly Media[];
  readonly pointer: string;
}

export interface Operation {
  readonly operationId: string;
  /** The reference's exact name of the operation. */
  readonly summary: string;
  readonly tag: string;
  /** What the operation's path rests on; null for an operation that is known by name only. */
  readonly located: Provenance | null;
  readonly method: Method | null;
  /** Template such as `/orders/{orderId}/lines`; null as long as the operation is not located. */
  readonly path: string | null;
  /** The strongest of what the method implies and what the contract folder and every overlay state. */
  readonly effect: Effect;
  /** True of a POST that only the user's configuration declares a read. */
  readonly lowered: boolean;
  readonly deprecated: boolean;
  readonly successor: string | null;
  readonly predecessor: string | null;
  /** Where the successor has another method than this one (`x-successor.methodChange`). */
  readonly methodChange: MethodChange | null;
  readonly auth: OperationAuth;
  /** Credentials other than a token that the operation takes: all of one list. */
  readonly keys: readonly (readonly KeyScheme[])[];
  /** Name of the id of what a call creates (`x-creates`), such as `orderId`; null where a call creates nothing that is known. */
  readonly creates: string | null;
  /** Name of the id of what a call takes away (`x-removes`). */
  readonly removes: string | null;
  readonly parameters: readonly Parameter[];
  readonly requestBody: {
    readonly required: boolean;
    readonly content: readonly Media[];
    readonly pointer: string;
  } | null;
  readonly responses: readonly ResponseSpec[];
  /** Documented schema of one item where the envelope of a list is not shown (`x-item-schema`). */
  readonly itemSchema: Schema | null;
  /** What the reference does not show of it (`x-not-shown`). */
  readonly notShown: readonly string[];
  /** Section of the reference (`x-reference`). */
  readonly reference: string;
  /** Release that introduced it (`x-since`), as a string such as `1.10.0`. */
  readonly since: string | null;
  /** Pointer of the operation (or of the method-less path item) in the bundle. */
  readonly pointer: string;
}

export interface Notice {
  readonly code:
    | 'overlay-target-unmatched'
    | 'overlay-changes-documented'
    | 'recording-of-another-version'
    | 'recording-cut-off'
    | 'unknown-operation'
    | 'not-compared'
    | 'pattern-not-judged'
    | 'format-not-judged'
    | 'keyword-unknown'
    | 'keyword-invalid'
    | 'schema-not-compiled'
    | 'older-keyword'
    | 'slow-pattern'
    | 'effect-lowered'
    | 'effect-ignored';
  readonly message: string;
  readonly hint?: string;
  readonly place: Place;
  /** Operations that a recording describes and that nobody watches for this. */
  readonly unwatched?: readonly string[];
}

/** The bundled contract: one OpenAPI document with every overlay applied, and beside it what each part rests on. */
export interface Contract {
  readonly folder: ContractFolder;
  /** The bundled OpenAPI 3.1.1 document; references are internal. Deeply frozen: `structuredClone` it for a library that mutates. */
  readonly document: JsonObject;
  /** In the order of the document: located operations first, then those known by name only. */
  readonly operations: readonly Operation[];
  readonly notices: readonly Notice[];
  /** Null where the contract has no token endpoint. */
  readonly token: TokenFacts | null;
  readonly tenant: Tenant | null;
  operation(operationId: string): Operation | undefined;
  /** Provenance of the node at a pointer of the bundle; a node without one of its own takes its parent's. */
  provenanceOf(pointer: string): Provenance;
  /** Source file, line and column of the node at a pointer of the bundle (that of the nearest ancestor that has one). */
  placeOf(pointer: string): Place;
  at(pointer: string): Json | undefined;
}

export interface OverlaySource {
  readonly file: string;
  readonly text?: string;
}

export interface LoadOptions {
  readonly folder?: ContractFolder;
  /** With what the mock assumes, below the overlays. False by default: an assumption decides nothing that is sent. */
  readonly assumed?: boolean;
  /** Root document; that of the folder by default. */
  readonly root?: string;
  /** Overlays in the order in which they apply; an `x-provenance` of the document's root says what each rests on. */
  readonly overlays?: readonly (string | OverlaySource)[];
  readonly signal?: AbortSignal;
}

/** Finds out each thing of a contract once: a contract never changes. */
export function remembered<T>(
  find: (contract: Contract, about: string) => T,
): (contract: Contract, about?: string) => T {
  const found = new WeakMap<Contract, Map<string, T>>();
  return (contract, about = '') => {
    const known = found.get(contract) ?? new Map<string, T>();
    found.set(contract, known);
    const before = known.get(about);
    if (before !== undefined) return before;
    const fresh = find(contract, about);
    known.set(about, fresh);
    return fresh;
  };
}
