import { type Answer, answer } from '../message/answer.ts';
import { field, type ReceivedRequest } from '../message/call.ts';
import type { JournalFilter } from '../mock.ts';
import { contractRoutes } from './contract-routes.ts';
import { type ControlRequest, type Controls, on, type Route } from './controls.ts';
import { controlDocument } from './document.ts';
import { toHar } from './har.ts';
import { aboutOf, healthOf, timeOf } from './health.ts';
import { done, InputError, missing, ok, whole } from './input.ts';
import { type Repair, repeat } from './repeat.ts';
import { scenarioRoutes } from './scenario-routes.ts';
import { stateRoutes } from './state-routes.ts';
import { webhookRoutes } from './webhook-routes.ts';
import { isRefusal, isWarned, why } from './why.ts';

export function routesOf(controls: Controls): readonly Route[] {
  return [mockRoutes, contractRoutes, stateRoutes, scenarioRoutes, tokenRoutes, journalRoutes, webhookRoutes].flatMap(
    (routes) => routes(controls),
  );
}

function mockRoutes(controls: Controls): Route[] {
  const { clock } = controls;
  const time = (): object => timeOf(controls);
  return [
    on('GET', '/about', () => ok(aboutOf(controls))),
    on('GET', '/health', async () => ok(await healthOf(controls))),
    on('POST', '/reset', async () => {
      await controls.reset();
      return done();
    }),
    on('GET', '/clock', () => ok(time())),
    on<{ now: string }>('PUT', '/clock', ({ body }) => {
      clock.set(body.now);
      return ok(time());
    }),
    on('GET', '/clock/next', async () => {
      const { momentsOf } = await import('./moments.ts');
      return ok({ moments: await momentsOf(controls) });
    }),
    on('DELETE', '/clock', () => {
      clock.reset();
      return ok(time());
    }),
    on<{ seconds: number }>('POST', '/clock/advance', ({ body }) => {
      clock.advance(body.seconds);
      return ok(time());
    }),
    on('GET', '/openapi.json', async () => ok(await controlDocument(controls))),
  ];
}

function tokenRoutes({ tokens, refuseNext, credentials }: Controls): Route[] {
  const end =
    (how: 'expired' | 'revoked') =>
    ({ body: { jti } }: ControlRequest<{ jti?: string }>): Answer => {
      if (jti !== undefined) {
        if (!tokens.end(jti, how)) throw missing('no token of this jti is known');
        return done();
      }
      if (how === 'expired') tokens.expireAll();
      else tokens.revokeAll();
      return done();
    };
  return [
    on('GET', '/tokens', () => ok({ issued: tokens.issued, requests: tokens.requests, tokens: tokens.list() })),
    on('POST', '/tokens', () => {
      const { value, expiresIn, claims } = tokens.issue(credentials.username);
      tokens.promise(claims.jti, expiresIn);
      return ok({ access_token: value, token_type: 'bearer', expires_in: expiresIn, jti: claims.jti }, 201);
    }),
    { ...on('GET', '/credentials', () => ok(credentials)), secret: true },
    on('POST', '/tokens/expire', end('expired')),
    on('POST', '/tokens/revoke', end('revoked')),
    on<{ count: number }>('POST', '/tokens/refuse-next', ({ body }) => {
      refuseNext(body.count);
      return done();
    }),
  ];
}

const FORMATS = ['ndjson', 'json', 'har'] as const;

function journalRoutes(controls: Controls): Route[] {
  const { journal } = controls;
  return [
    on('GET', '/journal', ({ call, query }) => {
      const format = formatOf(call, query);
      const entries = journal.entries(filterOf(query));
      if (format === 'json') return ok({ entries, forgotten: journal.forgotten });
      if (format === 'har')
        return file('application/json', 'journal.har', JSON.stringify(toHar(entries, controls.url())));
      const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`);
      return file('application/x-ndjson', 'journal.ndjson', lines.join(''));
    }),
    on<Repair>('POST', '/journal/{seq}/repeat', async ({ body, parameters }) => {
      const seq = whole(parameters.seq, 'seq', 1) ?? 0;
      const heard = journal.find(seq);
      if (!heard) throw missing(`the journal holds no exchange ${seq}`);
      return ok(await repeat(heard, body, controls), 201);
    }),
    on('DELETE', '/journal', () => {
      journal.clear();
      return done();
    }),
    on('GET', '/why', ({ query }) => {
      const seq = whole(query.get('seq'), 'seq', 1);
      const heard = journal.find(seq ?? isRefusal) ?? (seq === undefined ? journal.find(isWarned) : undefined);
      if (heard && (isRefusal(heard) || isWarned(heard)))
        return why(heard, journal.entryOf(heard), controls).then((told) => ok(told));
      const which = seq === undefined ? 'no request that was refused' : `no refused request of the number ${seq}`;
      throw missing(`the journal holds ${which}`);
    }),
  ];
}

function file(type: string, name: string, text: string): Answer {
  const headers = ['cache-control', 'no-store', 'content-disposition', `inline; filename="${name}"`];
  return answer(200, { type, bytes: Buffer.from(text) }, 'assumed', headers);
}

function formatOf(call: ReceivedRequest, query: URLSearchParams): (typeof FORMATS)[number] {
  const wanted = query.get('format');
  if (wanted === null) return /^application\/json\b/.test(field(call, 'accept') ?? '') ? 'json' : 'ndjson';
  const format = FORMATS.find((one) => one === wanted);
  if (!format) throw new InputError({ pointer: '/format', message: `It must be one of ${FORMATS.join(', ')}.` });
  return format;
}

function filterOf(query: URLSearchParams): JournalFilter {
  const one = (name: string): string | undefined => query.get(name) ?? undefined;
  const status = one('status');
  if (status !== undefined && !/^\d(?:\d\d|xx)$/i.test(status))
    throw new InputError({ pointer: '/status', message: 'It must be a status such as 401, or a class such as 4xx.' });
  return {
    operationId: one('operationId'),
    method: one('method'),
    status,
    path: one('path'),
    since: whole(query.get('since'), 'since', 0),
    limit: whole(query.get('limit'), 'limit', 0),
  };
}
