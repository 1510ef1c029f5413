import type { MockClock } from '../clock.ts';
import type { Via } from '../http/recorder.ts';
import type { Answer } from '../message/answer.ts';
import type { ReceivedRequest } from '../message/call.ts';
import type { MockOptions, MockStatus } from '../mock.ts';
import type { Lasting, Trail } from '../pipeline/pipeline.ts';
import type { ContractParts } from '../tenant/parts.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { Journal } from './journal.ts';

export interface Controls extends Lasting {
  readonly options: MockOptions;
  readonly url: () => string;
  /** The control token. Changes need it if they come from a page, or if the mock is bound beyond loopback. */
  readonly token: string;
  /** Milliseconds since the epoch, in real time. */
  readonly startedAt: number;
  readonly status: () => MockStatus;
  readonly served: () => ContractParts;
  readonly clock: MockClock;
  readonly journal: Journal;
  readonly webhooks: Webhooks;
  /** Answers a request to the API like any other, and adds it to the journal. */
  readonly ask: (call: ReceivedRequest, via: Via, trail: Trail) => Answer | Promise<Answer>;
  readonly reset: () => Promise<void>;
}
