import type { Notice } from '../contract/contract.ts';
import type { Finding } from '../model/finding.ts';
import type { Report } from '../model/report.ts';
import type { Timeouts } from '../net/settings.ts';
import type { VerifyOptions } from '../run/options.ts';

export interface ProxyOptions
  extends Pick<
    VerifyOptions,
    | 'folder'
    | 'overlays'
    | 'signal'
    | 'headers'
    | 'requestIds'
    | 'network'
    | 'allow'
    | 'effects'
    | 'writesAllowedOn'
    | 'expendable'
    | 'clock'
    | 'facts'
    | 'parameters'
    | 'redactor'
    | 'failOn'
    | 'severity'
    | 'onExchange'
    | 'numberAfter'
  > {
  /** Base URL of the target, or `mock` for one that is started in this process. */
  readonly target: string;
  /** TCP port; 0 (the default) takes any that is free. */
  readonly port?: number;
  /** Address to bind; `127.0.0.1` by default. */
  readonly host?: string;
  /** Answer from a mock what the target does not have: operations known by name only, deprecated forms that were withdrawn. */
  readonly mockMissing?: boolean;
  readonly timeouts?: Partial<Pick<Timeouts, 'connect' | 'firstByte'>>;
  /** Bytes of a body, after decompression, that are looked at; larger ones pass unjudged. 10 MiB by default. */
  readonly bodyBytes?: number;
  readonly onEvent?: (event: ProxyEvent) => void;
}

/** What happens, as it happens. Texts are redacted. */
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
  /** What the loader of the contract wants the user to know. */
  readonly notices: readonly Notice[];
  /** Operations that the configuration declares reads. */
  readonly lowered: readonly string[];
  /** The report of everything up to now; waits until that is judged. */
  report(): Promise<Report>;
  /** Stops listening, lets exchanges in flight end for up to two seconds, cuts the rest. May be called again. */
  close(): Promise<void>;
}
