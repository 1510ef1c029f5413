import { TokenError } from '../client/client.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import { secretNames } from '../contract/secrets.ts';
import { type AuthenticatorOptions, createAuthenticator, type RunAuthenticator } from '../egress/authenticator.ts';
import { type Breaker, createBreaker } from '../egress/breaker.ts';
import { type Caller, createCaller, type Way } from '../egress/caller.ts';
import { createdBy } from '../egress/created.ts';
import { createEgress } from '../egress/egress.ts';
import { createPatience } from '../egress/patience.ts';
import { createPolicy, namesHost, type Policy } from '../egress/policy.ts';
import { ToolError } from '../errors.ts';
import { tool } from '../files/tool.ts';
import { learnFromBody, readBody } from '../journal/entry.ts';
import type { Call } from '../model/call.ts';
import { type Exchange, header } from '../model/exchange.ts';
import { contentOf } from '../model/media.ts';
import { DEFAULT_LIMITS, DEFAULT_TIMEOUTS } from '../net/settings.ts';
import { createRedactor, type Redactor } from '../redact/redact.ts';
import type { Making } from './clean-up.ts';
import type { VerifyOptions } from './options.ts';
import { asMock, type Target } from './target.ts';

/** A run that can send: the way out and all that guards it. */
export interface Session {
  readonly target: Target;
  readonly policy: Policy;
  readonly caller: Caller;
  readonly breaker: Breaker;
  readonly redactor: Redactor;
  /** Every call so far, in the order in which they ended. */
  readonly calls: readonly Call[];
  /** What the run created in the target, in that order. */
  readonly made: readonly Making[];
  /** Why nothing can be called at all, or null. */
  readonly nothing: string | null;
  close(): Promise<void>;
}

/** What the token client refuses to begin with is a matter of the configuration. */
function authenticatorFor(options: AuthenticatorOptions): RunAuthenticator {
  try {
    return createAuthenticator(options);
  } catch (error) {
    if (error instanceof TokenError && error.code === 'insecure') {
      throw new ToolError('config', `${error.message}.`, {
        hint: `Where that is wanted, as for a mock in another container, list ${new URL(options.baseUrl).host} under httpAllowedOn in the configuration.`,
      });
    }
    if (error instanceof TokenError || error instanceof TypeError) throw new ToolError('config', `${error.message}.`);
    throw error;
  }
}

/** The operation that issues tokens. Without one nothing can be asked of the API. */
function tokenOperationOf(contract: Contract): Operation {
  const operation = contract.operation(contract.token?.operationId ?? '');
  if (operation?.path != null) return operation;
  throw new ToolError('spec-invalid', 'The contract locates no operation that issues tokens.', {
    hint: 'Name it in x-token.grant.operationId of the bearer security scheme, and put it under paths.',
  });
}

/** What must not be shown where it comes back in an answer, in a name of a field or in an error. */
function learnFrom(exchange: Exchange, redactor: Redactor): void {
  if (exchange.token !== null) redactor.learn(exchange.token.value);
  const { body, headers } = exchange.request;
  learnFromBody(readBody(body, 'complete', headers, Number.POSITIVE_INFINITY), redactor);
  const content = contentOf(exchange);
  if (content.kind === 'json') redactor.learnFrom(content.value);
}

/** Puts the way out together and gets the first token, which also tells whether a URL is a mock. */
export async function openSession(opened: Target, options: VerifyOptions, signal: AbortSignal): Promise<Session> {
  const clock = options.clock ?? Date.now;
  const random = options.random ?? Math.random;
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  const limits = {
    ...DEFAULT_LIMITS,
    ...options.limits,
    // Our own mock needs no sparing.
    ...(opened.embedded ? { perSecond: Number.POSITIVE_INFINITY } : {}),
  };
  const { baseUrl, credentials } = opened;
  let target = opened;
  const calls: Call[] = [];
  const made: Making[] = [];
  const policy = createPolicy(() => target.contract, {
    allow: options.allow ?? 'read',
    host: opened.host,
    writesAllowedOn: options.writesAllowedOn ?? [],
    expendable: options.expendable ?? [],
    probe: options.probe ?? false,
    embedded: opened.embedded,
    get mock() {
      return target.kind === 'mock';
    },
  });
  const redactor = createRedactor({ credentials: credentials === null ? [] : [credentials] });
  redactor.learnNames(secretNames(opened.contract));
  const breaker = createBreaker({ dead: timeouts.dead * 1000, clock });
  const userAgent = `${tool.name}/${tool.version}`;
  const patience = createPatience(timeouts.retryAfter * 1000, clock);
  const egress = createEgress({ baseUrl, policy, timeouts, limits, userAgent, clock, signal });

  const onCall = (call: Call): void => {
    calls.push(call);
    redactor.learnFrom(call.parameters);
    for (const attempt of call.attempts) learnFrom(attempt, redactor);
    const operation = target.contract.operation(call.operationId);
    if (operation === undefined) return;
    const creation = createdBy(call, operation, { parameters: target.parameters, host: opened.host });
    if (creation === null) return;
    if (creation.id !== null) policy.noteCreated(creation.id);
    made.push({ operation, creation, parameters: call.parameters });
  };

  const way: Way = { baseUrl, egress, breaker, patience, limits, random, onCall };
  const authenticator = authenticatorFor({
    ...way,
    username: credentials?.username ?? 'nobody',
    password: credentials?.password ?? '',
    allowInsecure: namesHost(options.httpAllowedOn ?? [], opened.host),
    timeouts,
    tokenOperation: tokenOperationOf(opened.contract),
    clientAuthentication: opened.contract.token?.clientAuthentication ?? 'basic',
  });
  const pulse = Math.min(timeouts.firstByte, Math.max(timeouts.dead - timeouts.firstByte, timeouts.dead / 4));
  const caller = createCaller({ ...way, authenticator, pulse, clock, signal });

  const nothing = credentials === null ? 'no credentials: set BANKING_API_USERNAME and BANKING_API_PASSWORD' : null;
  if (nothing === null) {
    try {
      await authenticator.warm();
    } catch (error) {
      const message = error instanceof Error ? redactor.text(error.message) : 'unknown trouble';
      if (!signal.aborted) breaker.trip(`no token from ${baseUrl}: ${message}`);
    }
    const saysMock = calls.some(({ attempts }) =>
      attempts.some(({ response }) => header(response?.headers ?? [], 'x-mock-provenance') !== undefined),
    );
    if (saysMock && target.kind === 'url') {
      target = await asMock(target, options);
      redactor.learnNames(secretNames(target.contract));
    }
  }

  const { notices } = target.contract;
  if (notices.length > 0) options.onEvent?.({ kind: 'notices', notices });

  return {
    get target() {
      return target;
    },
    policy,
    caller,
    breaker,
    redactor,
    calls,
    made,
    nothing,
    async close() {
      breaker.close();
      await egress.close();
    },
  };
}
