import type { Contract } from '../../contract/contract.ts';
import type { MockClock } from '../clock.ts';
import type { Plan } from '../compile/plan.ts';
import type { Via } from '../http/recorder.ts';
import type { Answer } from '../message/answer.ts';
import type { ReceivedRequest } from '../message/call.ts';
import type { MockOptions, MockStatus } from '../mock.ts';
import type { Trail } from '../pipeline/pipeline.ts';
import type { Scenarios } from '../scenarios/scenarios.ts';
import type { RememberedState } from '../tenant/memory.ts';
import type { Parts } from '../tenant/parts.ts';
import type { Profile } from '../tenant/profile.ts';
import type { Seed } from '../tenant/seed.ts';
import type { TokenAuthority } from '../tokens/token-authority.ts';
import type { MockCredentials } from '../tokens/token-endpoint.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { Journal } from './journal.ts';

export interface Controls {
  readonly url: () => string;
  readonly host: string;
  readonly allowedHosts: readonly string[];
  /** Origins that may read the served contract besides loopback ones. */
  readonly allowedOrigins: readonly string[];
  /** The control token: demanded for changes by pages, and where the mock is bound beyond loopback. */
  readonly token: string;
  /** Milliseconds since the epoch, in real time. */
  readonly startedAt: number;
  readonly status: () => MockStatus;
  /** What keeps the store from being read or written; null where nothing does. */
  readonly storeProblem: () => string | null;
  readonly contract: () => Promise<Contract>;
  /** Whether overlays were given to it, or a contract that may have some. */
  readonly hasOverlays: boolean;
  readonly plan: () => Plan;
  readonly parts: () => Parts;
  readonly seed: () => Seed;
  readonly profile: () => Profile;
  readonly number: number;
  readonly clock: MockClock;
  readonly scenarios: Scenarios;
  readonly tokens: TokenAuthority;
  readonly refuseNext: (count: number) => void;
  readonly journal: Journal;
  readonly webhooks: Webhooks;
  /** Answers a request of the API as any other is answered, heard by the journal. */
  readonly ask: (call: ReceivedRequest, via: Via, trail: Trail) => Answer | Promise<Answer>;
  readonly credentials: MockCredentials;
  readonly reset: () => Promise<void>;
  readonly callers?: MockOptions['callers'];
  /** Absent where the mock remembers nothing. */
  readonly state?: RememberedState;
}

export interface Control {
  handle(call: ReceivedRequest): Answer | Promise<Answer>;
  close(): void;
}
