import { timingSafeEqual } from 'node:crypto';
import type { Answer } from '../answer.ts';
import { type Call, field } from '../call.ts';
import { createHostCheck, isLoopback } from '../host.ts';
import { problem } from '../problem.ts';
import type { Controls } from './controls.ts';

/** Header field of the per-start token. */
export const CONTROL_TOKEN = 'x-mock-control-token';

/**
 * Who may use the control API (rule H3): the Host must be one of the mock's, an Origin must be the mock's own, so that no other page comes
 * in, and a change needs the token of this start where a page asks or where the mock is bound beyond loopback. Scripts on loopback need none.
 */
export function createGuard(controls: Controls): (call: Call, isChange: boolean) => Answer | undefined {
  const judgeHost = createHostCheck(controls);
  const token = Buffer.from(controls.token);
  const open = !isLoopback(controls.host);

  const holdsToken = (call: Call): boolean => {
    const given = Buffer.from(field(call, CONTROL_TOKEN) ?? '');
    return given.length === token.length && timingSafeEqual(given, token);
  };

  return (call, isChange) => {
    const foreign = call.authority === undefined ? undefined : judgeHost(call.authority);
    if (foreign) return foreign;
    const origin = field(call, 'origin');
    if (origin !== undefined && !isOwn(origin, call.authority)) {
      return refuse('a page of another origin may not use the control API');
    }
    const site = field(call, 'sec-fetch-site');
    const foreignSite = site === 'cross-site' || site === 'same-site';
    if (foreignSite && (isChange || field(call, 'sec-fetch-mode') !== 'navigate')) {
      return refuse('a page of another site may not use the control API');
    }
    if (!isChange || holdsToken(call) || (origin === undefined && site === undefined && !open)) return undefined;
    return refuse(`send ${CONTROL_TOKEN} with the token that the mock printed when it started`);
  };
}

function isOwn(origin: string, authority: string | undefined): boolean {
  const own = authority?.toLowerCase();
  return own !== undefined && (origin.toLowerCase() === `http://${own}` || origin.toLowerCase() === `https://${own}`);
}

function refuse(detail: string): Answer {
  return problem(403, 'control-refused', detail);
}
