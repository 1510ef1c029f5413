import type { RoutedRequest } from '../compile/request.ts';
import type { Answer } from '../message/answer.ts';
import type { ReceivedRequest } from '../message/call.ts';
import type { Checkpoints } from '../scenarios/rules.ts';
import type { Found } from './router.ts';

/** Answers the operations of a contract. Host, tokens, scenarios and the journal are the same for every engine. */
export interface Engine {
  find(call: ReceivedRequest): Found | Promise<Found>;
  answer(call: ReceivedRequest, located: RoutedRequest, checkpoints: Checkpoints | undefined): Answer | Promise<Answer>;
}
