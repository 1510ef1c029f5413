import type { Answer } from '../answer.ts';
import { problem } from '../problem.ts';
import { type Behaviour, type Judged, member } from './behaviour.ts';

/**
 * "Issuing a card for a user of one specific external card provider requires that user to have answered security questions"
 * (API reference, Behavioural rules 1). Which users are of that provider, and that the request names its user by `userId`, is assumed.
 */
export function createSecurityQuestions(usersNeedingQuestions: readonly string[]): Behaviour {
  const needing = new Set(usersNeedingQuestions);
  // per customer: one tenant's user is another tenant's stranger
  const answered = new Set<string>();
  return {
    operationIds: ['createSecurityQuestions', 'issueNewCard'],
    judge({ operation, parameters, body }: Judged): Answer | undefined {
      const userId = operation.operationId === 'issueNewCard' ? member(body, 'userId') : parameters.userId;
      if (typeof userId !== 'string' || !needing.has(userId)) return undefined;
      const user = JSON.stringify([parameters.customerId, userId]);
      if (operation.operationId === 'createSecurityQuestions') {
        answered.add(user);
        return undefined;
      }
      return answered.has(user) ? undefined : unansweredQuestions();
    },
  };
}

/** The refusal of a card for a user who has not answered security questions. */
export function unansweredQuestions(): Answer {
  return problem(409, 'questions-unanswered', 'call createSecurityQuestions for this user before a card is issued', {
    members: { errors: [{ in: 'body', pointer: '/userId', message: 'has not answered security questions' }] },
  });
}
