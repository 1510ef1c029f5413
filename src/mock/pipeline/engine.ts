import type { RoutedRequest } from '../compile/request.ts';
import type { Answer } from '../message/answer.ts';
import type { ReceivedRequest } from '../message/call.ts';
import type { Checkpoints } from '../scenarios/rules.ts';

/** Answers the operations of a contract. Paths, host, tokens, scenarios and the journal are the same for every engine. */
export type Engine = (
  call: ReceivedRequest,
  located: RoutedRequest,
  checkpoints: Checkpoints | undefined,
) => Answer | Promise<Answer>;
