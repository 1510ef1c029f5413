import type { Json, Operation } from '../contract/contract.ts';
import type { StatedFacts } from '../contract/contract-file.ts';
import type { Auth, Purpose } from '../model/call.ts';
import type { CheckKind } from '../model/report.ts';

/** A call that a check announces. What is left out is as in a good call of the operation. */
export interface CallSpec {
  /** That of the check, where it is left out. */
  readonly operationId?: string;
  readonly auth?: Auth;
  /** `succeed`, where it is left out. */
  readonly purpose?: Purpose;
  /** Another method than the operation's own. */
  readonly method?: string;
  /** Parameters of path, query or header that differ from those of the run. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Members of the JSON body beside those that the run has for the operation; null for no body. */
  readonly json?: Readonly<Record<string, Json>> | null;
  /** Form fields instead of JSON. */
  readonly form?: Readonly<Record<string, string>>;
  /** How often it may be made; once, where it is left out. */
  readonly times?: number;
}

/** A check: what it is about, and which calls it makes. What the answers mean is for the judge. */
export interface CheckSpec {
  /** Stable and dotted, area, kind of check, operation. */
  readonly id: string;
  readonly operationId?: string | undefined;
  /** `any`, where it is left out. */
  readonly kind?: CheckKind;
  /** A good call of the operation, where they are left out. */
  readonly calls?: readonly CallSpec[];
  /** A reason of its own not to run, such as a record that the configuration does not describe. */
  readonly skip?: string | null;
}

/** What the run tells the suite about an operation. */
export type SuiteOperation = Pick<
  Operation,
  'operationId' | 'tag' | 'located' | 'effect' | 'auth' | 'deprecated' | 'successor'
>;

/** All that the suite knows of the run: neither the target nor anything secret. Handed to the worker by vitest's `provide`. */
export interface SuiteInput {
  readonly gateway: string;
  /** Sent with each request, so that nobody else on the machine can use the gateway. */
  readonly key: string;
  /** The checks that the run itself lists, and the file that runs each. */
  readonly checks: readonly { readonly id: string; readonly file: string }[];
  readonly operations: readonly SuiteOperation[];
  readonly facts: StatedFacts;
  /** Ids that play a role in the mock; none on any other target. */
  readonly roles: Readonly<Record<string, string>>;
}

/** What a check learned while it ran. */
export interface CheckNotes {
  /** Why it stopped early: its call was not answered well, which the judge explains. */
  stopped?: string;
  /** A promise of the check itself that was not kept. */
  broken?: { readonly expected: string; readonly actual: string };
}

/** Header fields between the suite and the gateway. */
export const RUN_HEADERS = {
  key: 'x-run-key',
  /** On answers: why the check ends here. */
  stopped: 'x-run-stopped',
  /** On answers: what the suite may not do. */
  refused: 'x-run-refused',
} as const;

/** One attempt as the gateway tells the suite of it. */
export interface AttemptView {
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
    /** Id of the check. */
    check?: string;
    /** What a check says of itself that the run does not list. */
    spec?: CheckSpec;
    notes?: CheckNotes;
  }
}
