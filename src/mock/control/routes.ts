import { field, type ReceivedRequest } from '../message/call.ts';
import { contractRoutes } from './contract-routes.ts';
import type { Controls } from './controls.ts';
import { diagnose, isRefusal, isWarned } from './diagnosis.ts';
import { controlDocument, type Handlers } from './document.ts';
import { toHar } from './har.ts';
import { aboutOf, clockState, healthOf } from './health.ts';
import { file, missing } from './input.ts';
import { repeat } from './repeat.ts';
import { scenarioRoutes } from './scenario-routes.ts';
import { stateRoutes } from './state-routes.ts';
import { webhookRoutes } from './webhook-routes.ts';

export function handlersOf(controls: Controls): Handlers {
  const parts = [mockRoutes, contractRoutes, stateRoutes, scenarioRoutes, tokenRoutes, journalRoutes, webhookRoutes];
  const handlers: Handlers = Object.assign({}, ...parts.map((routes) => routes(controls)));
  return { ...handlers, getControlDocument: () => controlDocument(handlers, controls.url()) };
}

function mockRoutes(controls: Controls): Handlers {
  const { clock } = controls;
  return {
    getAbout: () => aboutOf(controls),
    getHealth: () => healthOf(controls),
    reset: () => controls.reset(),
    getClock: () => clockState(controls),
    setClock({ body }) {
      clock.set(body.now);
      return clockState(controls);
    },
    resetClock() {
      clock.reset();
      return clockState(controls);
    },
    advanceClock({ body }) {
      clock.advance(body.seconds);
      return clockState(controls);
    },
  };
}

function tokenRoutes({ tokens, credentials }: Controls): Handlers {
  const endOne = (jti: string, how: 'expired' | 'revoked'): void => {
    if (!tokens.end(jti, how)) throw missing('no token of this jti is known');
  };
  return {
    listTokens: () => ({ issued: tokens.issued, requests: tokens.requests, tokens: tokens.list() }),
    issueToken() {
      const { value, expiresIn, claims } = tokens.issue(credentials.username);
      tokens.promise(claims, expiresIn);
      return { access_token: value, token_type: 'bearer', expires_in: expiresIn, jti: claims.jti };
    },
    getCredentials: () => credentials,
    expireTokens: ({ body: { jti } }) => (jti === undefined ? tokens.expireAll() : endOne(jti, 'expired')),
    revokeTokens: ({ body: { jti } }) => (jti === undefined ? tokens.revokeAll() : endOne(jti, 'revoked')),
    refuseNext: ({ body }) => tokens.refuseNext(body.count),
  };
}

function journalRoutes(controls: Controls): Handlers {
  const { journal } = controls;
  return {
    getJournal({ call, parameters: { format = usualFormat(call), ...filter } }) {
      const entries = journal.entries(filter);
      if (format === 'json') return { entries, forgotten: journal.forgotten };
      if (format === 'har')
        return file('application/json', 'journal.har', JSON.stringify(toHar(entries, controls.url())));
      const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`);
      return file('application/x-ndjson', 'journal.ndjson', lines.join(''));
    },
    repeatExchange({ body, parameters: { seq } }) {
      const recorded = journal.find((one) => one.seq === seq);
      if (!recorded) throw missing(`the journal holds no exchange ${seq}`);
      return repeat(recorded, body, controls);
    },
    clearJournal: () => journal.clear(),
    getWhy({ parameters: { seq } }) {
      const recorded =
        seq === undefined
          ? (journal.find(isRefusal) ?? journal.find(isWarned))
          : journal.find((one) => one.seq === seq);
      if (recorded && (isRefusal(recorded) || isWarned(recorded)))
        return diagnose(recorded, journal.entryOf(recorded), controls);
      const which = seq === undefined ? 'no request that was refused' : `no refused request of the number ${seq}`;
      throw missing(`the journal holds ${which}`);
    },
  };
}

function usualFormat(call: ReceivedRequest): 'json' | 'ndjson' {
  return /^application\/json\b/.test(field(call, 'accept') ?? '') ? 'json' : 'ndjson';
}
