import type { Auth, Purpose } from '../drift/call.ts';
import type { CheckKind } from '../report/report.ts';
import type { JsonObject, OperationAuth, Provenance } from '../spec/contract.ts';

/** What the run tells the suite about an operation. Nothing of it is secret but the ids, which are the tenant's. */
export interface SuiteOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly tag: string;
  readonly located: Provenance | null;
  readonly method: string | null;
  /** Template. */
  readonly path: string | null;
  /** Path with the parameters filled in, percent-encoded; null where one is missing. */
  readonly target: string | null;
  /** What its calls accept, as the header field says it. */
  readonly accept: string;
  /** JSON that is sent as the body; undefined for none. */
  readonly body?: unknown;
  readonly deprecated: boolean;
  readonly successor: string | null;
  readonly predecessor: string | null;
  readonly auth: OperationAuth;
  readonly knownByNameOnly: boolean;
  /** Names of the fields that the contract gives for the request body. */
  readonly requestFields: readonly string[];
  /** Pointer in the bundle of the schema of a good answer, if there is one. */
  readonly schema: string | null;
  /** Why calls of it are not made: not located, not allowed, a parameter is missing; else null. */
  readonly skip: string | null;
}

/** The card that the configuration describes (the reference has no field that says so). */
export interface SuiteCard {
  readonly physical?: boolean;
  readonly currency?: string;
  readonly provider?: string;
}

/** All that the suite knows of the run. Handed to the worker by vitest's `provide`. */
export interface SuiteInput {
  readonly gateway: string;
  /** Sent with each request, so that nobody else on the machine can use the gateway. */
  readonly key: string;
  readonly operations: readonly SuiteOperation[];
  /** Why checks of a kind are skipped; null where they run. */
  readonly kinds: Readonly<Record<CheckKind, string | null>>;
  readonly card: SuiteCard;
  /** Maxima of the limit fields per currency, major units (API reference, Limits). */
  readonly cardLimits: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Ids that play a role in the mock; null on any other target. */
  readonly roles: { readonly virtualCardId: string; readonly userNeedingQuestions: string } | null;
  /** True where the embedded mock is the target. */
  readonly embedded: boolean;
  /** Print what would be sent; run nothing. */
  readonly plan: boolean;
  /** The bundle that the schema pointers lead into. */
  readonly document: JsonObject;
}

/** A call that a check announces; `--plan` prints it. */
export interface PlannedCall {
  readonly operationId: string;
  readonly auth: Auth;
  readonly purpose: Purpose;
  /** Where the call is not made with the operation's own method. */
  readonly method?: string;
  readonly times?: number;
  /** Path parameters that differ from those of the run. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/** What a check says of itself before it runs. */
export interface CheckMeta {
  readonly id: string;
  readonly operationId: string | null;
  readonly kind: CheckKind;
  /** Section of the API reference that it holds the target to. */
  readonly reference: string;
  readonly calls: readonly PlannedCall[];
}

/** What a check learned while it ran. */
export interface CheckNotes {
  /** Why it was skipped. */
  skipped?: string;
  /** Why it stopped early: its call was not answered well, which the judge explains. */
  stopped?: string;
  /** A promise of the check itself that was not kept. */
  broken?: { readonly expected: string; readonly actual: string };
}

/** Header fields between the suite and the gateway. */
export const RUN_HEADERS = {
  key: 'x-run-key',
  check: 'x-run-check',
  operation: 'x-run-operation',
  purpose: 'x-run-purpose',
  auth: 'x-run-auth',
  /** On answers: number of the call. */
  call: 'x-run-call',
  /** On answers: numbers of the attempts, comma separated. */
  attempts: 'x-run-attempts',
  /** On answers: why there is no answer of the target. */
  notSent: 'x-run-not-sent',
} as const;

/** One attempt as the gateway tells the suite of it. */
export interface AttemptView {
  readonly call: number;
  readonly seq: number;
  readonly operationId: string | null;
  /** Null where there was no answer. */
  readonly status: number | null;
  /** Pseudonym of the bearer token, or null. */
  readonly tokenId: string | null;
}

declare module 'vitest' {
  interface ProvidedContext {
    suite: SuiteInput;
  }
  interface TaskMeta {
    check?: CheckMeta;
    notes?: CheckNotes;
  }
}
