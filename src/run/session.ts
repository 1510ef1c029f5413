import { TokenError } from '../client/client.ts';
import { secretNames } from '../contract/secrets.ts';
import { serviceOf } from '../contract/services.ts';
import { createBreaker } from '../egress/breaker.ts';
import { createCaller } from '../egress/caller.ts';
import { createEgress, type Way } from '../egress/egress.ts';
import { forged } from '../egress/forged.ts';
import { createPolicy, namesHost } from '../egress/policy.ts';
import { createWaitBudget } from '../egress/retry.ts';
import { createTokens, type Tokens, type TokensOptions } from '../egress/tokens.ts';
import { ToolError } from '../errors.ts';
import { learnFromExchange } from '../journal/entry.ts';
import type { Call, CallRequest } from '../model/call.ts';
import { hostInYaml, type Reason } from '../model/reason.ts';
import { variablesOf } from '../model/variables.ts';
import { isLoopback } from '../net/host.ts';
import { DEFAULT_LIMITS, DEFAULT_TIMEOUTS } from '../net/settings.ts';
import { type Inputs, NO_INPUTS } from './discovery/inputs.ts';
import { basicOf, createKeys } from './keys.ts';
import type { VerifyOptions } from './options.ts';
import { withConfirmedAbsence } from './repetition.ts';
import { asMock, guardsOf, isOfMock, type Target } from './target.ts';

export type Session = Awaited<ReturnType<typeof openSession>>;

/**
 * Connects a run to its target and gets the first token. That answer also shows whether a URL is a mock, before any
 * other request is sent.
 */
export async function openSession(opened: Target, options: VerifyOptions) {
  const { clock = Date.now, random = Math.random, signal = new AbortController().signal } = options;
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  // Our own mock needs no rate limit.
  const sparing = opened.embedded ? { perSecond: Number.POSITIVE_INFINITY } : {};
  const limits = { ...DEFAULT_LIMITS, ...options.limits, ...sparing };
  const { baseUrl, credentials } = opened;
  let target = opened;
  const calls: Call[] = [];
  const reads: CallRequest[] = [];
  const token = tokenEndpointOf(opened, options);
  const { own, ownSecrets, redactor, settings } = guardsOf(
    opened,
    options,
    () => target.kind === 'mock',
    token.ready !== undefined,
  );
  const ofCredentials = credentials === null ? [] : [credentials.password, basicOf(credentials)];
  const secrets = new Set([...ofCredentials, ...ownSecrets]);
  const policy = createPolicy(() => target.contract, settings);
  const redact = (text: string): string => redactor.text(text);
  // before the first exchange is written, because its path may contain an id that is a secret
  redactor.learnFrom(opened.parameters);
  const breaker = createBreaker({
    dead: timeouts.dead * 1000,
    serviceOf: (operationId) => serviceOf(target.contract, operationId),
    reads,
  });
  const keys = createKeys(opened, own);
  const way: Way = {
    ...{ timeouts, limits, random, clock, signal, breaker },
    egress: createEgress({
      ...{ baseUrl, policy, timeouts, limits, clock, signal },
      network: opened.embedded ? undefined : options.network,
      ownFields: (operationId) => (token.foreign && operationId === token.operationId ? [] : keys.fields(operationId)),
      ownQuery: keys.query,
      token,
      onExchange: options.onExchange,
      numberAfter: options.numberAfter,
    }),
    wait: createWaitBudget(timeouts.retryAfter * 1000, clock),
    onCall(call) {
      calls.push(call);
      redactor.learnFrom(call.parameters);
      for (const attempt of call.attempts) {
        learnFromExchange(attempt, redactor, Number.POSITIVE_INFINITY);
        // A garbage token is not secret: the suite made it up.
        if (attempt.token !== null && call.auth !== 'garbage') secrets.add(attempt.token.value);
      }
      policy.creations.note(call, target.parameters);
    },
  };
  assertPrivate([baseUrl, token.baseUrl], options.httpAllowedOn ?? []);
  const tokens = tokensFor({ ...way, ...token, ...(credentials ?? { username: 'nobody', password: 'nobody' }) });
  const ask = createCaller(way, tokens);
  const makeCall = withConfirmedAbsence(ask, calls, () => target.contract);

  let isOpaque = false;
  if ((credentials !== null || token.ready !== undefined) && opened.contract.token !== null) {
    try {
      isOpaque = forged((await tokens.get()).value, 'unsigned') === null;
    } catch (error) {
      const message = error instanceof Error ? redact(error.message) : 'unknown trouble';
      // If the endpoint answers without a token, requests without a token can show why.
      if (!signal.aborted && !tokens.isLost) breaker.trip(`no token from ${token.baseUrl}: ${message}`);
    }
    if (opened.kind === 'url' && calls.some(({ attempts }) => attempts.some(isOfMock))) {
      target = await asMock(opened, options);
      redactor.learnNames(secretNames(target.contract));
    }
  }
  const { notices } = target.contract;
  if (notices.length > 0) options.onEvent?.({ kind: 'notices', notices });

  const variables = options.variables ?? variablesOf();
  const sentTo = keys.sentTo(token);
  const names = keys.variables(variables);
  const isLacking = credentials === null && token.ready === undefined && keys.needsCredentials;
  const nothing: Reason | null = isLacking ? { kind: 'no-credentials', names } : null;
  const { duration } = limits;
  const overtime = setTimeout(() => breaker.trip(`the run took longer than ${duration} s`), duration * 1000);
  return {
    target,
    options,
    /** Aborted when the run is interrupted. */
    signal: signal as AbortSignal,
    policy,
    makeCall,
    breaker,
    redact,
    /** Whether redaction keeps the value of a member as it is. */
    isPublic: (name: string, value: string): boolean =>
      JSON.stringify(redactor.json({ [name]: value })) === JSON.stringify({ [name]: value }),
    inputs: NO_INPUTS as Inputs,
    /** Credentials, and every token that was seen. */
    secrets,
    calls,
    /** Good calls of reads that the checks announce. The run uses them to find services that still answer. */
    reads,
    /** True if the token endpoint answers with a success that has no token in it. */
    isTokenless: (): boolean => tokens.isLost,
    /** True if the first token is not a signed JWT, so that forged tokens prove nothing. */
    isOpaque,
    /** Why no operation can be called. */
    nothing,
    /** Hosts that get the credentials and the ready token, if they are given. */
    sentTo,
    variables,
    /** The variable of the ready token, if the run sends it. */
    tokenVariable: options.token !== undefined && sentTo.token.length > 0 ? variables.token : undefined,
    /** Requests per second that the target accepts; null if it does not limit them. */
    rate: (): number | null => way.egress.rate,
    /** Seconds that the run may take. */
    duration,
    /** Milliseconds of the monotonic clock. */
    endsAt: performance.now() + duration * 1000,
    async [Symbol.asyncDispose](): Promise<void> {
      clearTimeout(overtime);
      await way.egress.close();
    },
  };
}

/** The target gets tokens, also if they are issued elsewhere. @throws ToolError `config` for http beyond this machine */
function assertPrivate(addresses: readonly string[], allowed: readonly string[]): void {
  const isOpen = ({ protocol, hostname, host }: URL): boolean =>
    protocol === 'http:' && !isLoopback(hostname) && !namesHost(allowed, host);
  const open = addresses.map((address) => new URL(address)).find(isOpen);
  if (open === undefined) return;
  throw new ToolError('config', `Credentials are sent over https only, and ${open.origin} is http.`, {
    hint: `If you need http, for example for a mock in another container, list ${hostInYaml(open.host)} under httpAllowedOn in the configuration.`,
  });
}

/** Options that the token client rejects are configuration errors. */
function tokensFor(options: TokensOptions): Tokens {
  try {
    return createTokens(options);
  } catch (error) {
    if (!(error instanceof TokenError || error instanceof TypeError)) throw error;
    throw new ToolError('config', `${error.message}.`);
  }
}

/**
 * Where the target issues tokens. A `tokenUrl` may be elsewhere, but our own mock serves its path. `ready` is the ready
 * token if it replaces an endpoint that this run cannot call.
 */
function tokenEndpointOf(
  { baseUrl, host, embedded, contract, token: given }: Target,
  { credentials, tokenAllowedOn = [] }: VerifyOptions,
) {
  const { operationId = '', url = null, clientAuthentication = 'basic' } = contract.token ?? {};
  const tokenPath = contract.operation(operationId)?.path ?? null;
  const isMissing =
    tokenPath === null && contract.operations.some(({ auth, path }) => auth !== 'none' && path !== null);
  if (isMissing && given === undefined) {
    throw new ToolError('spec-invalid', 'The contract locates no operation that issues tokens.', {
      hint: 'Name it in x-token.grant.operationId of the bearer security scheme, and put it under paths.',
    });
  }
  const there = url === null || embedded ? null : new URL(url, baseUrl);
  const foreign = there !== null && there.host !== host;
  const isForbidden = foreign && !namesHost(tokenAllowedOn, there.host);
  if (isForbidden && given === undefined) {
    throw new ToolError('config', `The tokenUrl of the contract is on another host than the target: ${there.host}.`, {
      hint: `If it may get the credentials, list ${hostInYaml(there.host)} under tokenAllowedOn in the configuration. If the target issues the tokens, let an overlay set tokenUrl to the path alone.`,
    });
  }
  const isClosed = isMissing || isForbidden || (contract.token !== null && credentials === undefined);
  const endpoint = { operationId, tokenPath: tokenPath ?? '/', clientAuthentication, foreign };
  return { ...endpoint, baseUrl: there?.origin ?? baseUrl, ready: isClosed ? given : undefined };
}
