import { isIPv6 } from 'node:net';
import { ToolError } from '../errors.ts';
import { DEFAULT_CREDENTIALS, USER_NEEDING_QUESTIONS } from './assumed-ids.ts';
import { createBearerCheck } from './bearer.ts';
import { createCardLimits } from './behaviour/card-limits.ts';
import { createSecurityQuestions } from './behaviour/security-questions.ts';
import { createCors } from './cors.ts';
import { ASSUMED_DEPRECATION, createDeprecation } from './deprecation.ts';
import { createRecorder } from './exchanges.ts';
import { createHostCheck } from './host.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { createMethodCheck } from './methods.ts';
import type { Mock, MockOptions } from './mock.ts';
import { createPayload } from './payload.ts';
import { createPipeline, type Trail } from './pipeline.ts';
import { createRouter } from './router.ts';
import { loadServed } from './served.ts';
import { createFront } from './server.ts';
import { createTokenEndpoint } from './token-endpoint.ts';
import { TokenAuthority } from './tokens.ts';
import { createBodyJudge } from './validate-body.ts';

/** Seconds (API reference, Authentication 5). */
const DEFAULT_LIFETIME = 3600;

/**
 * Starts a mock of the API and resolves when it listens. Several may run in one process.
 *
 * @throws ToolError `port-busy` or `usage` where it cannot listen; `spec-invalid` and `overlay-invalid` for overlays that do not hold.
 */
export async function startMock(options: MockOptions = {}): Promise<Mock> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const credentials = options.credentials ?? DEFAULT_CREDENTIALS;
  const clock = options.clock ?? Date.now;
  const host = options.host ?? '127.0.0.1';
  const served = await loadServed(options);
  const { operations } = served.plan;
  const tokens = new TokenAuthority({ lifetime: lifetimeOf(options), clock });
  let refusals = 0;

  const pipeline = createPipeline({
    judgeHost: createHostCheck({ host, allowedHosts: options.allowedHosts ?? [] }),
    cors: createCors(options.allowedOrigins ?? []),
    find: createMethodCheck(createRouter(operations), operations),
    deprecation: createDeprecation({
      sunset: sunsetOf(options),
      withdrawn: withdrawnStatus(options.withdrawDeprecated),
    }),
    tokenEndpoint: createTokenEndpoint({ credentials, tokens, provenance: 'documented' }),
    judgeToken: createBearerCheck({
      tokens,
      anyToken: options.anyToken ?? false,
      refuse: () => {
        if (refusals === 0) return false;
        refusals -= 1;
        return true;
      },
    }),
    payload: createPayload({ operations, engine: served.engine, provenanceOf: served.provenanceOf }),
    judgeBody: createBodyJudge(served.validators, limits.jsonDepth),
    behaviours: [
      createCardLimits(),
      createSecurityQuestions(options.usersNeedingQuestions ?? [USER_NEEDING_QUESTIONS]),
    ],
  });

  const record = options.onExchange ? createRecorder(tokens, clock, options.onExchange) : undefined;
  const front = createFront({
    limits,
    handle(call, request) {
      const trail: Trail = { operation: null };
      if (!record) return pipeline(call, trail);
      const startedAt = clock();
      const answer = pipeline(call, trail);
      if (!(answer instanceof Promise)) {
        record(call, trail, answer, request, startedAt);
        return answer;
      }
      return answer.then((late) => {
        record(call, trail, late, request, startedAt);
        return late;
      });
    },
  });

  const { port } = await front.listen(options.port ?? 0, host);
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= front.close();
    return closed;
  };
  return {
    url: `http://${shownHost(host)}:${port}`,
    port,
    credentials,
    tokens,
    contract: served.contract,
    refuseNext(count) {
      refusals = Math.max(0, Math.trunc(count));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Seconds. A lifetime that is no positive whole number is a mistake of the caller. */
function lifetimeOf(options: MockOptions): number {
  const lifetime = options.tokenLifetime ?? DEFAULT_LIFETIME;
  if (Number.isSafeInteger(lifetime) && lifetime > 0) return lifetime;
  throw new ToolError('usage', `The token lifetime is a whole number of seconds above 0, not ${lifetime}.`);
}

/** Not earlier than the deprecation (RFC 8594, RFC 9745). */
function sunsetOf({ sunset }: MockOptions): Date | undefined {
  if (sunset === undefined || sunset >= ASSUMED_DEPRECATION) return sunset;
  const since = ASSUMED_DEPRECATION.toISOString().slice(0, 10);
  throw new ToolError(
    'usage',
    `The sunset lies before the deprecation itself, which the mock dates ${since}, or is no date.`,
  );
}

function withdrawnStatus(option: MockOptions['withdrawDeprecated']): 404 | 410 | false {
  return option === true ? 410 : (option ?? false);
}

/** The address that a client on this machine calls; a wildcard is no address to call. */
function shownHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return isIPv6(host) ? `[${host}]` : host;
}
