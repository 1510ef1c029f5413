import type { Effect, Notice, OverlaySource } from '../contract/contract.ts';
import type { StatedFacts } from '../contract/contract-file.ts';
import type { ContractFolder } from '../contract/folder.ts';
import type { Baseline } from '../judge/baseline.ts';
import type { StatedSeverity } from '../judge/rule.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Threshold } from '../model/finding.ts';
import type { Created, RequiredCoverage } from '../model/report.ts';
import type { Network } from '../net/network.ts';
import type { OwnHeader } from '../net/own-headers.ts';
import type { Limits, Timeouts } from '../net/settings.ts';
import type { Redactor } from '../redact/redact.ts';

export interface VerifyOptions {
  /** `mock` for the embedded one, or the base URL of an environment. Without it, `verify` throws a ToolError `config`. */
  readonly target?: string;
  /** Credentials of the token endpoint. Needed on a URL; without them nothing is sent and the verdict is inconclusive. */
  readonly credentials?: { readonly username: string; readonly password: string };
  /** The contract; the package's own by default. See `readContractFolder`. */
  readonly folder?: ContractFolder;
  /** Overlays that locate operations or add what was recorded. */
  readonly overlays?: readonly (string | OverlaySource)[];
  /** Values of path parameters, by name. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** The strongest effect that may be sent; `read` by default. The embedded mock gets everything. */
  readonly allow?: Effect;
  /** Header fields that a URL demands beyond its contract; they go to its origin only. None by default. */
  readonly headers?: readonly OwnHeader[];
  /** How a URL is reached: proxy, certificates; see `loadConfig`. Straight by default. */
  readonly network?: Network;
  /** Hosts, beside this machine, that get credentials and tokens over plain http. None by default. */
  readonly httpAllowedOn?: readonly string[];
  /** Hosts beside the target's that get the credentials if the `tokenUrl` of the contract is there. None by default. */
  readonly tokenAllowedOn?: readonly string[];
  /** POST operations that only read, by operationId. On a URL they need its host in `writesAllowedOn`. */
  readonly effects?: Readonly<Record<string, 'read'>>;
  /** Hosts on which more than reads may be sent. */
  readonly writesAllowedOn?: readonly string[];
  /** Ids that destructive calls may go to. */
  readonly expendable?: readonly string[];
  /** Other severities of findings against a recording, by the name of the rule. */
  readonly severity?: Readonly<Record<string, StatedSeverity>>;
  /** Send wrong credentials, forged tokens and undocumented methods to a URL. */
  readonly probe?: boolean;
  /** How often a read that was recorded is called on a URL; 2 by default. */
  readonly repeatReads?: number;
  /** What is so of the records in `parameters`, since the reference has no field that says so; checks that need to know are skipped without it. */
  readonly facts?: StatedFacts;
  /** False where the process does not check certificates; then a run over https says so. True by default. */
  readonly tlsVerified?: boolean;
  /** Findings of this severity and above fail the run; `error` by default. */
  readonly failOn?: Threshold;
  /** Coverage below which the verdict is inconclusive; none by default. */
  readonly requireCoverage?: RequiredCoverage;
  /** Header fields of an answer by which the target names a request; `x-request-id`, `x-correlation-id` and `traceparent` by default. */
  readonly requestIds?: readonly string[];
  /** Names of parameters whose ids were gone in earlier nights too: then it is a warning, and no longer inconclusive. */
  readonly idsGone?: readonly string[];
  /** Findings that are accepted until a date; see `readBaseline`. */
  readonly baseline?: Baseline;
  readonly timeouts?: Partial<Timeouts>;
  readonly limits?: Partial<Limits>;
  /** Ends the run early with what is known. */
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: RunEvent) => void;
  /** Called with each attempt when it has ended, the run's own among them. Raw: it holds secrets. */
  readonly onExchange?: (exchange: Exchange) => void;
  /** Number of the exchange before the first: of a journal that is continued. 0 by default. */
  readonly numberAfter?: number;
  /** Masks what leaves the run, and learns its secrets; one of its own by default. Share it with the journal. */
  readonly redactor?: Redactor;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  /** In [0, 1); for jitter. */
  readonly random?: () => number;
}

export type RunEvent =
  | {
      readonly kind: 'target';
      readonly target: 'mock' | 'url';
      readonly baseUrl: string;
      /** The strongest effect that may be sent. */
      readonly allow: Effect;
      /** Operations that the configuration declares reads. */
      readonly lowered: readonly string[];
      /** Calls that are not reads and that the policy lets through; null for the embedded mock, where it matters to nobody. */
      readonly writing: number | null;
    }
  | {
      readonly kind: 'notices';
      /** What the loader wants the user to know of the overlays. Told before the target is; not told where there is nothing. */
      readonly notices: readonly Notice[];
    }
  | {
      readonly kind: 'created';
      /** What the run created in the target and what became of it. */
      readonly created: readonly Created[];
    }
  | {
      readonly kind: 'check';
      readonly id: string;
      readonly state: 'passed' | 'failed' | 'skipped' | 'pending';
      readonly done: number;
      readonly of: number;
    };
