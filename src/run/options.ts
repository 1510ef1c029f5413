import type { Effect, Notice, OverlaySource } from '../contract/contract.ts';
import type { StatedFacts } from '../contract/contract-file.ts';
import type { ContractFolder } from '../contract/folder.ts';
import type { Place } from '../errors.ts';
import type { Baseline } from '../judge/baseline.ts';
import type { StatedSeverity } from '../judge/rule.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Threshold } from '../model/finding.ts';
import type { Created, RequiredCoverage } from '../model/report.ts';
import type { Variables } from '../model/variables.ts';
import type { Network } from '../net/network.ts';
import type { OwnHeader } from '../net/own-headers.ts';
import type { Limits, Timeouts } from '../net/settings.ts';
import type { Redactor } from '../redact/redact.ts';

export interface VerifyOptions {
  /** `mock` for the embedded one, or the base URL of an environment. Without it, `verify` throws a ToolError `config`. */
  readonly target?: string;
  /** Credentials of the token endpoint. Needed on a URL; without them nothing is sent and the verdict is inconclusive. */
  readonly credentials?: { readonly username: string; readonly password: string };
  /** A ready bearer token. Used if no credentials are given, or if the contract has no token endpoint to call. */
  readonly token?: string | undefined;
  /** Names of the environment variables, for messages. */
  readonly variables?: Variables;
  /** The contract; the package's own by default. See `readContractFolder`. */
  readonly folder?: ContractFolder;
  /** Real path of a folder with your own Pactum files. They add checks to those of the contract. */
  readonly checks?: string | undefined;
  /** Overlays that locate operations or add recorded facts. */
  readonly overlays?: readonly (string | OverlaySource)[];
  /** Values of path parameters, by name. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** False to take no parameter from an answer of the run. True by default. */
  readonly discover?: boolean;
  /** Digest of an id that the run found, for the report. Without it, the report has none. */
  readonly identify?: (value: string) => string;
  /** Digests of the last night's ids. Such an id is used again if a list still shows it. */
  readonly knownIds?: readonly string[];
  /** Lists that had items on an earlier night. */
  readonly filledLists?: readonly string[];
  /** Located reads that lack an input and are not called, by operationId. */
  readonly skip?: Readonly<Record<string, Skip>>;
  /** The strongest effect that may be sent; `read` by default. The embedded mock gets everything. */
  readonly allow?: Effect;
  /** Header fields that a URL requires beyond its contract. Sent to its origin only. Empty by default. */
  readonly headers?: readonly OwnHeader[];
  /** How to reach a URL: proxy, certificates; see `loadConfig`. Default: directly. */
  readonly network?: Network;
  /** Hosts, besides this machine, that may get credentials and tokens over plain http. Empty by default. */
  readonly httpAllowedOn?: readonly string[];
  /** Hosts besides the target's that may get the credentials if the `tokenUrl` is there. Empty by default. */
  readonly tokenAllowedOn?: readonly string[];
  /** POST operations that only read, by operationId. On a URL, its host must be in `writesAllowedOn`. */
  readonly effects?: Readonly<Record<string, 'read'>>;
  /** Hosts that may receive writes. */
  readonly writesAllowedOn?: readonly string[];
  /** Ids that destructive calls may use. */
  readonly expendable?: readonly string[];
  /** Overrides the severity of findings against a recording, by rule name. */
  readonly severity?: Readonly<Record<string, StatedSeverity>>;
  /** Send wrong credentials, forged tokens and undocumented methods to a URL. */
  readonly probe?: boolean;
  /** How often a recorded read is called on a URL; 2 by default. */
  readonly repeatReads?: number;
  /** Facts about the records in `parameters` that no field shows. Checks that need a missing fact are skipped. */
  readonly facts?: StatedFacts;
  /** False if the process does not check certificates. A run over https then reports it. True by default. */
  readonly tlsVerified?: boolean;
  /** Findings of this severity and above fail the run; `error` by default. */
  readonly failOn?: Threshold;
  /** Coverage below which the verdict is inconclusive. No minimum by default. */
  readonly requireCoverage?: RequiredCoverage;
  /** Fields of answers that identify a request; `x-request-id`, `x-correlation-id` and `traceparent` by default. */
  readonly requestIds?: readonly string[];
  /** Parameters whose ids were also unknown in earlier nights. They only cause a warning. */
  readonly idsGone?: readonly string[];
  /** Operations that earlier nights could not settle either. They only cause a warning. */
  readonly unsettled?: readonly string[];
  /** Findings that are accepted until a date; see `readBaseline`. */
  readonly baseline?: Baseline;
  readonly timeouts?: Partial<Timeouts>;
  readonly limits?: Partial<Limits>;
  /** Ends the run early, with the results so far. */
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: RunEvent) => void;
  /**
   * Called when an attempt ends, including the run's own. Raw: it contains secrets.
   *
   * @param repeated the attempt that this one repeats
   */
  readonly onExchange?: (exchange: Exchange, repeated?: Exchange) => void;
  /** Number of the previous exchange, to continue a journal. 0 by default. */
  readonly numberAfter?: number;
  /** Masks the output of the run and learns its secrets. Share it with the journal. Default: a new one. */
  readonly redactor?: Redactor;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  /** In [0, 1); for jitter. */
  readonly random?: () => number;
}

export interface Skip {
  readonly reason: string;
  /** The last day, `YYYY-MM-DD`; at most 180 days ahead. */
  readonly until: string;
  /** Where it is stated, for messages. */
  readonly place?: Place;
}

export type RunEvent =
  | {
      readonly kind: 'target';
      readonly target: 'mock' | 'url';
      readonly baseUrl: string;
      /** The strongest effect that may be sent. */
      readonly allow: Effect;
      /** Operations that the configuration declares as reads. */
      readonly lowered: readonly string[];
      /** Calls other than reads that the policy allows; null for the embedded mock. */
      readonly writing: number | null;
      /** Hosts that get the credentials and the ready token, if they are given. */
      readonly sentTo: { readonly credentials: readonly string[]; readonly token: readonly string[] };
    }
  /** The loader's notices about the overlays. Sent before the target event, and only if there are any. */
  | { readonly kind: 'notices'; readonly notices: readonly Notice[] }
  /** Records that the run created in the target, and whether they were removed. */
  | { readonly kind: 'created'; readonly created: readonly Created[] }
  /** Requests per second that the target accepts. Sent at the end of the run, if the target answered 429. */
  | { readonly kind: 'slowed'; readonly perSecond: number }
  | {
      readonly kind: 'check';
      readonly id: string;
      readonly state: 'passed' | 'failed' | 'skipped' | 'pending';
      readonly done: number;
      readonly of: number;
    };
