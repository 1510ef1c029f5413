/** A scenario as it stands in its file (`schemas/scenario.schema.json`). */
export interface ScenarioDefinition {
  /** Lower-case words joined by hyphens. */
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** Names of scenarios whose rules come first. */
  readonly include?: readonly string[];
  readonly rules?: readonly ScenarioRule[];
}

/** Which requests, how often, and what happens to them. All effects of a rule come together. */
export interface ScenarioRule {
  /** operationIds, `*` for every operation, the token endpoint included. All but the token endpoint where none are given. */
  readonly operations?: readonly string[];
  /** Only deprecated operations, or only others. */
  readonly deprecated?: boolean;
  /** Values that path parameters must have. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** So many requests pass first. */
  readonly after?: number;
  /** Then so many are concerned; all where it is not given. */
  readonly times?: number;
  /** Share of the requests concerned, above 0 and up to 1, drawn from the mock's seed. */
  readonly probability?: number;
  /** Milliseconds that the answer waits, in real time. */
  readonly delay?: number | { readonly between: readonly [number, number] };
  readonly token?: TokenEffect;
  /** An expired token is answered with this status in place of 401. */
  readonly expired?: number;
  /** `same`: the token endpoint gives out the token that it gave before, until that has expired or was revoked. */
  readonly issue?: 'same';
  readonly quota?: QuotaEffect;
  /** A deprecated operation answers as one that was withdrawn. */
  readonly withdraw?: 404 | 410;
  readonly answer?: AnswerEffect;
  /** Changes fields of a successful JSON answer, one after the other. */
  readonly change?: readonly FieldChange[];
  /** Changes the answer as a whole. */
  readonly rewrite?: RewriteEffect;
  readonly fault?: FaultEffect;
}

/** Refuses a token that was good. */
export interface TokenEffect {
  readonly refuse: 'expired' | 'revoked' | 'unknown';
  /** `every` request, or all that carry the token that the `first` of them carried. */
  readonly which: 'every' | 'first';
}

/** So many requests with one token in a window of time; what is beyond them is answered 429 with `Retry-After`. */
export interface QuotaEffect {
  readonly limit: number;
  /** Seconds. */
  readonly window: number;
}

/** An answer in place of the mock's own. */
export interface AnswerEffect {
  readonly status: number;
  /** `scenario`, or a refusal that the contract names; without it `body` is the answer. */
  readonly problem?: string;
  readonly detail?: string;
  readonly errors?: readonly { readonly pointer: string; readonly message: string }[];
  readonly type?: string;
  /** Text, or a value that is sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** When: on `arrival` (default), behind the `token` check, or behind the checks of the `body`. */
  readonly at?: 'arrival' | 'token' | 'body';
}

/** A change of one field, named by its path with dots. In a list every item is changed. */
export type FieldChange =
  | { readonly drop: string }
  | { readonly rename: string; readonly to: string }
  | { readonly retype: string; readonly to: 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object' };

export interface RewriteEffect {
  /** Another content type over the same bytes. */
  readonly type?: string;
  /** `malformed-json` breaks the body, `nothing` takes it away. */
  readonly body?: 'malformed-json' | 'nothing';
}

export interface FaultEffect {
  readonly kind: 'reset' | 'empty' | 'cut' | 'dribble' | 'malformed-chunk';
  /** Milliseconds over which a `dribble` is spread; 3 000 by default. */
  readonly over?: number;
}
