import type { MockClock } from '../clock.ts';
import type { Via } from '../http/recorder.ts';
import type { Answer } from '../message/answer.ts';
import type { ReceivedRequest } from '../message/call.ts';
import type { MockOptions, MockStatus } from '../mock.ts';
import type { Lasting, Pipeline, Trail } from '../pipeline/pipeline.ts';
import type { ContractParts } from '../tenant/parts.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { Journal } from './journal.ts';

/** Answers requests to the API, and remembers them. It knows nothing of sockets or of the control API. */
export interface Engine extends Lasting {
  readonly options: MockOptions;
  readonly clock: MockClock;
  readonly served: () => ContractParts;
  readonly journal: Journal;
  readonly webhooks: Webhooks;
  readonly reload: () => Promise<MockStatus>;
  readonly status: () => MockStatus;
  readonly interrupt: Pipeline['interrupt'];
  /** Answers a request to the API and adds it to the journal. */
  readonly ask: (call: ReceivedRequest, via: Via, trail?: Trail) => Answer | Promise<Answer>;
  readonly reset: () => Promise<void>;
}

export interface Controls extends Engine {
  readonly url: () => string;
  /** The control token. Changes need it if they come from a page, or if the mock is bound beyond loopback. */
  readonly token: string;
  /** Milliseconds since the epoch, in real time. */
  readonly startedAt: number;
}
