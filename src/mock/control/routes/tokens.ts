import type { Answer } from '../../answer.ts';
import { problem } from '../../problem.ts';
import { done, InputError, members, ok, text, whole } from '../input.ts';
import type { Asked, Routes } from '../route.ts';

/** Tokens: those that were issued, without their values, and their ends. */
export const tokenRoutes: Routes = ({ tokens, refuseNext }) => {
  const end =
    (how: 'expired' | 'revoked') =>
    ({ body }: Asked): Answer => {
      const jti = text(members(body, ['jti']), 'jti', 100);
      if (jti !== undefined) {
        return tokens.end(jti, how) ? done() : problem(404, 'no-such-control', 'no token of this jti is known');
      }
      if (how === 'expired') tokens.expireAll();
      else tokens.revokeAll();
      return done();
    };
  return [
    {
      method: 'GET',
      path: '/tokens',
      answer: () => ok({ issued: tokens.issued, requests: tokens.requests, tokens: tokens.list() }),
    },
    { method: 'POST', path: '/tokens/expire', answer: end('expired') },
    { method: 'POST', path: '/tokens/revoke', answer: end('revoked') },
    {
      method: 'POST',
      path: '/tokens/refuse-next',
      answer({ body }) {
        const count = whole(members(body, ['count']).count, 'count', 0, 1_000_000);
        if (count === undefined) throw new InputError('/count', 'is required');
        refuseNext(count);
        return done();
      },
    },
  ];
};
