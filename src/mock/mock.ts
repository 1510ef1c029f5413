/// <reference lib="esnext.disposable" preserve="true" />
// Browser code reads these declarations too: nothing here may import a Node type.
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
  /** False starts a mock without a socket, reachable only by its handle's `fetch`; true by default. */
  readonly listen?: boolean;
  /** TCP port; 0 (the default) picks a free port. */
  readonly port?: number;
  /** Address to bind; `127.0.0.1` by default. */
  readonly host?: string;
  /** The address for callers, if not the bound address. Shown by the control API and the served contract. */
  readonly address?: string;
  /** A loaded contract, instead of `folder` and `overlays`. */
  readonly contract?: Contract;
  /** A contract folder, compiled at start; by default the package's own. A process compiles it once. See `readContractFolder`. */
  readonly folder?: ContractFolder;
  /** The file of an OpenAPI document to use as the contract, instead of `folder`. */
  readonly spec?: string;
  /** Overlays applied after the contract's assumptions: file names or texts. */
  readonly overlays?: readonly (string | OverlaySource)[];
  /** Aborts the start with `interrupted`. To stop a running mock, use `close`. */
  readonly signal?: AbortSignal;
  /**
   * Answers API requests: the compiled contract with state (`compiled`, the default), or Prism without state. Prism is
   * an optional peer. If it is missing, the start throws ToolError `engine-missing`.
   */
  readonly engine?: 'compiled' | 'prism';
  /** `sandbox` / `sandbox-secret` by default. */
  readonly credentials?: MockCredentials;
  /** Seconds; the lifetime that the contract states by default, else 3600. */
  readonly tokenLifetime?: number;
  /** Accept every bearer token, even if this mock did not issue it. For front-end work only. */
  readonly anyToken?: boolean;
  /** Also reject unknown body members and query parameters. By default these pass with an `x-mock-warning` header. */
  readonly strict?: boolean;
  /** Accept requests that violate only assumptions. `x-mock-warning` reports the errors of a default mock. */
  readonly lenient?: boolean;
  /** Deprecated operations return 410 (`true`) or the given status. */
  readonly withdrawDeprecated?: boolean | 404 | 410;
  /** Sent as `Sunset` (RFC 8594) by deprecated operations. Omitted by default, since the reference gives no date. */
  readonly sunset?: Date;
  /** Seed of all generated values; 1 by default. */
  readonly seed?: number;
  /** Milliseconds since the epoch; `Date.now` by default. */
  readonly clock?: () => number;
  /** Called with each raw exchange after its answer was sent. The exchange may contain secrets. */
  readonly onExchange?: (exchange: Exchange) => void;
  /** Called when the store begins to fail, and again only after it has worked. */
  readonly onStoreProblem?: (problem: string) => void;
  /** Accepted host names besides loopback names and `host`; without port. */
  readonly allowedHosts?: readonly string[];
  /** Origins besides loopback that may read answers: `https://app.example`; `*` matches any first label. */
  readonly allowedOrigins?: readonly string[];
  /** The token for the control API, 16 to 200 letters, digits, `-` and `_`; random by default. */
  readonly controlToken?: string;
  /** File with the key for tokens that outlive the mock. Created if missing. By default the key is random. */
  readonly signingKey?: string;
  /** The tenant's kind: a name from `mocks/profiles`, a file, or changes to the default profile. */
  readonly profile?: string | Partial<Profile>;
  /** Start data: a name from `mocks/seeds`, a file (`schemas/seed.schema.json`), module or value; `mocks/seed.yaml` by default. */
  readonly seedData?: string | Seed;
  /**
   * `usual` adds the query parameters `page`, `size`, `sort` and a filter per field to every list. All of them are
   * assumed. The default is `usual` if `seedData` is a name, otherwise `plain`. It has no effect with `contract`, or
   * without state.
   */
  readonly lists?: 'usual' | 'plain';
  /** Ids, by path parameter, that replace the ids of seed records with a role. */
  readonly seedIds?: Readonly<Record<string, string>>;
  /** Where state is stored: a file, or `redis://HOST:PORT`; in memory by default. */
  readonly store?: string;
  /** Keep no state: every id exists, and every answer is an example from the contract. */
  readonly stateless?: boolean;
  /** Scenarios to activate at the start: names, files (`.yaml`, `.yml`, `.json`), or definitions. */
  readonly scenarios?: readonly (string | ScenarioDefinition)[];
  /** Webhook targets besides loopback: names, addresses, ranges (`10.1.0.0/16`). Names allow no private address. */
  readonly webhookHosts?: readonly string[];
  readonly limits?: Partial<MockLimits>;
  /**
   * Callers of the mock, if `audit --mock` does not state them. `one`: a single program. `by-connection`: several,
   * unless linked by a token or connection. By default, rules that depend on their number decide nothing.
   */
  readonly callers?: 'one' | 'by-connection';
}

/** The client that may request tokens, as the contract states: with HTTP Basic, or in the form. */
export interface MockCredentials {
  readonly username: string;
  readonly password: string;
}

export interface MockTokens {
  /** Refuses every token issued so far, as if revoked. */
  revokeAll(): void;
  /** Refuses every token issued so far, as if expired. */
  expireAll(): void;
  /** Number of token requests that returned a token. */
  readonly issued: number;
  /** Number of all token requests. */
  readonly requests: number;
}

/** An activated scenario. `dispose` deactivates it. */
export interface ScenarioHandle extends Disposable {
  readonly id: string;
  readonly name: string;
  dispose(): void;
}

/** Selects exchanges. All conditions must match. */
export interface JournalFilter {
  readonly operationId?: string | undefined;
  readonly method?: string | undefined;
  /** A status or a class of statuses: `4xx`. */
  readonly status?: string | undefined;
  /** Part of the path. */
  readonly path?: string | undefined;
  /** Only exchanges with a greater `seq`. */
  readonly since?: number | undefined;
  /** Only this many exchanges, the newest. */
  readonly limit?: number | undefined;
}

/** The stored exchanges, redacted, oldest first. */
export interface MockJournal {
  entries(filter?: JournalFilter): readonly JournalEntry[];
  clear(): void;
}

/** Whether the served contract matches the files. */
export interface MockStatus {
  /** `stale` if the files are invalid. The last valid contract is then still served. */
  readonly contract: 'current' | 'stale';
  /** How often a changed contract has replaced the previous contract. */
  readonly reloads: number;
  /** The fault in the files; null if they are served. */
  readonly problem: {
    readonly message: string;
    readonly file: string | null;
    /** From 1. */
    readonly line: number | null;
    /** From 1. */
    readonly column: number | null;
    /** Place, message and hint in one line for a terminal. */
    readonly description: string;
  } | null;
}

/** A mock that listens, or (`listen: false`) that only `fetch` reaches. */
export interface Mock extends AsyncDisposable {
  /** `http://127.0.0.1:4010`, without a final slash. Without a socket: `http://mock.localhost`, for `fetch` only. */
  readonly url: string;
  /** 0 if the mock does not listen. */
  readonly port: number;
  /**
   * Answers a request without a socket, with the same checks, limits and journal. A path alone is enough; the host of a
   * URL is checked like a `Host` field. Like the global `fetch`, it rejects only if there is no answer.
   */
  readonly fetch: (input: Request | URL | string, init?: RequestInit) => Promise<Response>;
  readonly credentials: MockCredentials;
  /** A token request as a command line; null if the contract has no token endpoint. */
  readonly tokenCommand: string | null;
  /** The served contract with assumptions and overlays. */
  contract(): Promise<Contract>;
  readonly tokens: MockTokens;
  /** Default values for calling operations: parameters, and ids with a role. */
  readonly roles: MockRoles;
  /**
   * The resources with state that the mock found by the shape of the paths, each with its operations:
   * `pet: POST /pets, GET /pets/{petId}`. Empty if the contract's `entities.yaml` states them, or without state.
   */
  readonly resources: readonly string[];
  /** Answers the next `count` API requests that have a valid token with 401 `invalid_token`. */
  refuseNext(count: number): void;
  /** The mock's own time, based on `options.clock`. Tokens and dates use it. */
  readonly clock: MockClock;
  /** Activates a scenario until its handle is disposed of. Throws ToolError `usage` for an invalid scenario. */
  scenario(scenario: string | ScenarioDefinition): Promise<ScenarioHandle>;
  /**
   * Replaces the mock's answer to the next request of an operation, by a status or as a scenario does. Several answers
   * are sent in turn. The journal shows `answer-once`. Throws ToolError `usage` for invalid input.
   */
  answerOnce(operation: string, answer: number | ScenarioAnswer): Promise<ScenarioHandle>;
  /** The newest exchanges, redacted: at most 1,000, and 16 MiB. */
  readonly journal: MockJournal;
  /** Registers a URL for an event. Throws ToolError `usage` if the URL is not allowed. */
  webhook(options: WebhookOptions): Webhook;
  /** The control API requires it from pages, and from everyone if the mock is bound beyond loopback. */
  readonly controlToken: string;
  /** Resets clock, scenarios, refusals, journal and all records, even in a shared store. Tokens are kept. */
  reset(): Promise<void>;
  /**
   * Reads contract, scenarios, profile and seed again. Invalid files change nothing, and `status` reports the fault.
   * Issued tokens and state are kept. Options given as objects have no files.
   */
  reload(): Promise<MockStatus>;
  status(): MockStatus;
  /** Closes the mock. Open requests get up to two seconds. Resolves without open handles; may be called again. */
  close(): Promise<void>;
}
