/// <reference lib="esnext.disposable" preserve="true" />
// Browsers read these declarations, too: nothing here may lead to a type of Node.
import type { Webhook, WebhookOptions } from '../../generated/mock/control.ts';
import type { ScenarioAnswer, ScenarioDefinition } from '../../generated/mock/scenario.ts';
import type { Contract, OverlaySource } from '../contract/contract.ts';
import type { ContractFolder } from '../contract/folder.ts';
import type { JournalEntry } from '../journal/entry.ts';
import type { Exchange } from '../model/exchange.ts';
import type { MockClock } from './clock.ts';
import type { MockLimits } from './message/limits.ts';
import type { Profile } from './tenant/profile.ts';
import type { MockRoles, Seed } from './tenant/seed.ts';

export interface MockOptions {
  /** False starts a mock that has no socket and is asked by `fetch` of its handle only; true by default. */
  readonly listen?: boolean;
  /** TCP port; 0 (the default) takes any that is free. */
  readonly port?: number;
  /** Address to bind; `127.0.0.1` by default. */
  readonly host?: string;
  /** The address under which callers know it, where that is another one than it has: told by the control API and the served contract. */
  readonly address?: string;
  /** A contract that was loaded already, in place of `folder` and `overlays`. */
  readonly contract?: Contract;
  /** The contract folder, which is compiled at start; the package's own, of which that was done ahead, by default. See `readContractFolder`. */
  readonly folder?: ContractFolder;
  /** Overlays applied after the assumptions of the contract; file names, or texts. */
  readonly overlays?: readonly (string | OverlaySource)[];
  /** Ends the start, with `interrupted`; a mock that has started is closed by `close`. */
  readonly signal?: AbortSignal;
  /**
   * What answers API requests: the compiled contract with state (`compiled`, the default), or Prism, without state. Prism is an optional peer;
   * without it the start throws ToolError `engine-missing`.
   */
  readonly engine?: 'compiled' | 'prism';
  /** `sandbox` / `sandbox-secret` by default. */
  readonly credentials?: MockCredentials;
  /** Seconds; 3600 by default (API reference, Authentication 5). */
  readonly tokenLifetime?: number;
  /** Take every bearer token, also one that was never issued here. For front-end work only. */
  readonly anyToken?: boolean;
  /** Refuse also what the contract does not know: members of a body, names of a query. By default these are served, and `x-mock-warning` says so. */
  readonly strict?: boolean;
  /** Refuse nothing that breaks an assumption alone; `x-mock-warning` says what another mock would have refused. */
  readonly lenient?: boolean;
  /** Deprecated operations answer 410 (`true`), or the status given. */
  readonly withdrawDeprecated?: boolean | 404 | 410;
  /** Sent as `Sunset` (RFC 8594) by deprecated operations; without it none is sent, since the reference gives no date. */
  readonly sunset?: Date;
  /** Seed of whatever is generated; 1 by default. */
  readonly seed?: number;
  /** Milliseconds since the epoch; `Date.now` by default. */
  readonly clock?: () => number;
  /** Called with each raw exchange after its answer was sent. It may hold secrets. */
  readonly onExchange?: (exchange: Exchange) => void;
  /** Told when the store begins to fail, once until it works again. */
  readonly onStoreProblem?: (problem: string) => void;
  /** Host names that are answered besides the loopback ones and `host`; without port. */
  readonly allowedHosts?: readonly string[];
  /** Origins (`https://app.example`, `https://*.app.github.dev` for any first label) that may read answers besides loopback origins. */
  readonly allowedOrigins?: readonly string[];
  /** What the control API demands, in place of a token of this start: 16 to 200 letters, digits, `-` and `_`. */
  readonly controlToken?: string;
  /** The file of the key that signs tokens, so that they outlive the mock; made where it is missing. A key of this start by default. */
  readonly signingKey?: string;
  /** The kind of tenant that the mock plays: the name of one of `mocks/profiles`, a file, or what differs from the default profile. */
  readonly profile?: string | Partial<Profile>;
  /** What customers start with: a file (`schemas/seed.schema.json`) or a module that exports such, or a value of that form; `mocks/seed.yaml` by default. */
  readonly seedData?: string | Seed;
  /** Ids, by the name of their path parameter, under which the seed's records that play a role are found instead of their own. */
  readonly seedIds?: Readonly<Record<string, string>>;
  /** Where what was sent is kept: a file, or `redis://HOST:PORT`; in memory by default. */
  readonly store?: string;
  /** Remember nothing: every id is known, and every answer is an example of the contract. */
  readonly stateless?: boolean;
  /** Scenarios that are active from the start: names, files (`.yaml`, `.yml`, `.json`), or definitions. */
  readonly scenarios?: readonly (string | ScenarioDefinition)[];
  /** Where webhooks may go besides loopback: host names, addresses, ranges (`10.1.0.0/16`). A name is no leave to reach private addresses. */
  readonly webhookHosts?: readonly string[];
  readonly limits?: Partial<MockLimits>;
  /**
   * Whose doing what the mock hears is, where `audit --mock` is not told: `one` is of one program, `by-connection` of several where no token
   * or connection links it. Undecided by default, and said so.
   */
  readonly callers?: 'one' | 'by-connection';
}

/** The client that may ask for tokens: HTTP Basic, as the API reference says (Authentication 2). */
export interface MockCredentials {
  readonly username: string;
  readonly password: string;
}

export interface MockTokens {
  /** Every token issued so far is refused from now on, as after a revocation. */
  revokeAll(): void;
  /** Every token issued so far is refused from now on, as after its lifetime. */
  expireAll(): void;
  /** Token requests that were answered with a token. */
  readonly issued: number;
  /** Token requests of any outcome. */
  readonly requests: number;
}

/** A scenario that was activated, until it is disposed of. */
export interface ScenarioHandle extends Disposable {
  readonly id: string;
  readonly name: string;
  dispose(): void;
}

/** Which exchanges are wanted; all of it must hold. */
export interface JournalFilter {
  readonly operationId?: string | undefined;
  readonly method?: string | undefined;
  /** A status, or a class of them: `4xx`. */
  readonly status?: string | undefined;
  /** Part of the path. */
  readonly path?: string | undefined;
  /** Only those of a greater `seq`. */
  readonly since?: number | undefined;
  /** So many of the newest. */
  readonly limit?: number | undefined;
}

/** The exchanges that a mock remembers, redacted, oldest first. */
export interface MockJournal {
  entries(filter?: JournalFilter): readonly JournalEntry[];
  clear(): void;
}

/** Whether the contract that is served is the one that the files hold. */
export interface MockStatus {
  /** `stale` where the files hold something that cannot be served, so that the last good contract still is. */
  readonly contract: 'current' | 'stale';
  /** How often a changed contract took the place of the one before. */
  readonly reloads: number;
  /** What is wrong with the files; null where they are served. */
  readonly problem: {
    readonly message: string;
    readonly file: string | null;
    /** From 1. */
    readonly line: number | null;
    /** From 1. */
    readonly column: number | null;
    /** One line for a terminal: place, message, hint. */
    readonly description: string;
  } | null;
}

/** A mock that listens, or (`listen: false`) one that is asked by `fetch` only. */
export interface Mock extends AsyncDisposable {
  /** `http://127.0.0.1:4010`, without a trailing slash. Of a mock that does not listen: `http://mock.localhost`, which only its `fetch` knows. */
  readonly url: string;
  /** 0 of a mock that does not listen. */
  readonly port: number;
  /**
   * Answers a request without a socket, by the same judgement and limits, into the same journal. A path alone is one of this mock; the host
   * of an absolute address is judged as a `Host` field is. Like the global `fetch` it rejects only where there is no answer.
   */
  readonly fetch: (input: Request | URL | string, init?: RequestInit) => Promise<Response>;
  readonly credentials: MockCredentials;
  /** A token request as a command line; null where the contract has no token endpoint. */
  readonly tokenCommand: string | null;
  /** The contract that is served, assumptions and overlays applied. Loaded on first use: a start does without it. */
  contract(): Promise<Contract>;
  readonly tokens: MockTokens;
  /** What it knows by itself to try its operations with: parameters, and ids that play a role. */
  readonly roles: MockRoles;
  /** The next `count` API requests that carry a valid token are answered 401 `invalid_token`. */
  refuseNext(count: number): void;
  /** The mock's own time, which `options.clock` gives; tokens and dates go by it. */
  readonly clock: MockClock;
  /** Activates a scenario, by its name or as a definition, until its handle is disposed of. Throws ToolError `usage` for one that does not hold. */
  scenario(scenario: string | ScenarioDefinition): Promise<ScenarioHandle>;
  /**
   * Answers the next request of an operation, and no other, in place of the mock: by a status, or as a scenario does. What is asked for more
   * than once comes in turn; the journal names `answer-once`. Throws ToolError `usage` for what does not hold.
   */
  answerOnce(operation: string, answer: number | ScenarioAnswer): Promise<ScenarioHandle>;
  /** The newest exchanges, redacted: 1 000 at most, of 16 MiB at most. */
  readonly journal: MockJournal;
  /** Registers a URL that an event is sent to. Throws ToolError `usage` for one that may not be called. */
  webhook(options: WebhookOptions): Webhook;
  /** What the control API demands of pages, and of everyone where the mock is bound beyond loopback. */
  readonly controlToken: string;
  /** Back to how it started: clock, scenarios, refusals, the journal, and every customer's records, those in a shared store too. Tokens that were issued stay what they are. */
  reset(): Promise<void>;
  /**
   * Reads the files again: contract, scenarios, profile and seed. What cannot be served leaves in place what was good, and `status` says why.
   * Issued tokens and all state stay. What was given as an object has no files.
   */
  reload(): Promise<MockStatus>;
  status(): MockStatus;
  /** Stops listening, lets requests in flight end for up to two seconds, cuts the rest. Resolves when no handle is left; may be called again. */
  close(): Promise<void>;
}
