import type { Notice } from '../contract/contract.ts';
import type { Finding } from '../model/finding.ts';
import type { Report } from '../model/report.ts';
import type { Timeouts } from '../net/settings.ts';
import type { VerifyOptions } from '../run/options.ts';
import type { GuardOptions, TargetOptions } from '../run/target.ts';

export interface ProxyOptions
  extends Omit<TargetOptions, 'target' | 'credentials' | 'token'>,
    Omit<GuardOptions, 'probe'>,
    Pick<
      VerifyOptions,
      'clock' | 'facts' | 'failOn' | 'numberAfter' | 'onExchange' | 'requestIds' | 'severity' | 'variables'
    > {
  /** Base URL of the target, or `mock` for a mock in this process. */
  readonly target: string;
  /** TCP port. Default: 0, which means any free port. */
  readonly port?: number;
  /** Address to bind. Default: `127.0.0.1`. */
  readonly host?: string;
  /** Let a mock answer for operations that the target lacks: known by name only, or deprecated and withdrawn. */
  readonly mockMissing?: boolean;
  readonly timeouts?: Partial<Pick<Timeouts, 'connect' | 'firstByte'>>;
  /** Bytes of a decompressed body that are judged. Larger bodies pass unjudged. Default: 10 MiB. */
  readonly bodyBytes?: number;
  readonly onEvent?: (event: ProxyEvent) => void;
  /** Receives the redacted lines of a journal, each with its line end. They follow the exchanges with a short delay. */
  readonly onJournal?: (lines: string) => void;
  /** Keep types instead of values in these lines. */
  readonly journalShapes?: boolean;
}

/** Events during the run of the proxy. Texts are redacted. */
export type ProxyEvent =
  | { readonly kind: 'finding'; readonly finding: Finding }
  /** A request that was not sent to the target, and why. */
  | { readonly kind: 'refused'; readonly method: string; readonly path: string; readonly reason: string }
  | { readonly kind: 'unanswered'; readonly method: string; readonly path: string; readonly reason: string }
  /** The mock answered in place of the target. */
  | { readonly kind: 'mocked'; readonly method: string; readonly path: string; readonly operationId: string }
  /** Judging failed; the traffic is not affected. */
  | { readonly kind: 'fault'; readonly message: string };

export interface RunningProxy extends AsyncDisposable {
  /** `http://127.0.0.1:4020`, without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** Base URL of the target. */
  readonly target: string;
  /** The contract loader's notices for the user. */
  readonly notices: readonly Notice[];
  /** Operations that the configuration declares as reads. */
  readonly lowered: readonly string[];
  /** The report of all exchanges so far. Waits until they are judged. */
  report(): Promise<Report>;
  /** Stops listening, gives open exchanges two seconds, then cuts the rest. Repeated calls are safe. */
  close(): Promise<void>;
}
