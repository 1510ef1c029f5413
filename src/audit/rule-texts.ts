import type { Operation } from '../contract/contract.ts';
import { ONE_OR_SEVERAL } from './one-or-several.ts';
import type { AuditRuleInfo } from './rule.ts';
import type { AuditRuleId } from './rule-ids.ts';

/** So that the wording is one wherever it is said. */
export function oneOrSeveral(parts: number): string {
  return `${parts} token requests with the same credentials and the same user agent, from the same address, at the same moment: one program without a shared token, or ${parts} programs. --callers one or --callers by-connection says which.`;
}

const many = (number: number, one: string, more = `${one}s`): string => `${number} ${number === 1 ? one : more}`;

const name = (operation: Operation | undefined): string => operation?.summary ?? 'A request';

/** Title, reference, severity and message of every rule. A rule without a row does not compile. */
export const AUDIT_RULES: Readonly<Record<AuditRuleId, AuditRuleInfo>> = {
  'token-missing': {
    title: 'A request without the bearer token',
    reference: 'API reference, Authentication 4',
    severity: 'error',
    message: ({ actual }, operation) => `${name(operation)} is sent with ${actual} in place of the bearer token.`,
    evidence: (n, k) => `${many(n, 'call')}, ${k} with a bearer token`,
  },
  'token-in-url': {
    title: 'A token in a URL',
    reference: 'API reference, Authentication 4; RFC 6750, 2.3',
    severity: 'error',
    message: ({ actual }, operation) =>
      `${name(operation)} is sent with the token in the ${actual}: URLs end up in logs and histories.`,
    evidence: (n, k) => `${many(n, 'call')}, ${k} without a token in the URL`,
  },
  'secret-in-query': {
    title: 'A secret in a query string',
    reference: 'RFC 6749, 2.3.1; RFC 9110, 17.9',
    severity: 'warning',
    message: ({ actual }, operation) =>
      `${name(operation)} is sent with the query ${actual}: URLs end up in logs and histories.`,
    evidence: (n, k) => `${many(n, 'request')}, ${k} without a secret in the query`,
  },
  'token-request-malformed': {
    title: 'A token request that is not as documented',
    reference: 'API reference, Authentication 2',
    severity: 'error',
    message: ({ expected, actual }) => `The token is requested with ${actual}, where ${expected} is documented.`,
    evidence: (n, k) => `${many(n, 'token request')}, ${k} as documented`,
  },
  'token-not-cached': {
    title: 'New tokens although the old one was good',
    reference: 'API reference, Authentication 6',
    severity: 'warning',
    message: () => 'A new token is requested although the caller holds one that is good for long.',
    evidence: (n, k) => `${many(n, 'token')} of a long life, ${k} kept for further calls`,
  },
  'refresh-not-shared': {
    title: 'Several token requests for one need',
    reference: 'API reference, Authentication 6',
    severity: 'warning',
    message: ({ actual, times }) => {
      if (actual === ONE_OR_SEVERAL) return oneOrSeveral(times ?? 2);
      return actual === 'token requests at once'
        ? 'Several tokens are requested at once; one request serves all that wait.'
        : 'A token that has been replaced already is replaced again: each late 401 causes a token request of its own.';
    },
    evidence: (n, k) => `${many(n, 'moment')} at which several calls needed a token, ${k} served by one request`,
  },
  'token-not-renewed-in-time': {
    title: 'A token used to its last second',
    reference: 'API reference, Authentication 6',
    severity: 'warning',
    message: () => 'A token is used within the margin before its expiry, and no new one is requested.',
    evidence: (n, k) => `${many(n, 'end')} of a token near, ${k} met by a request in time`,
  },
  'lifetime-assumed': {
    title: 'A lifetime assumed in place of expires_in',
    reference: 'API reference, Authentication 5',
    severity: 'error',
    message: ({ actual }) =>
      actual === 'dropped at the default lifetime'
        ? 'A token is dropped when the default lifetime has passed, although its expires_in said more.'
        : 'A token is used after its expires_in: a longer lifetime is assumed than its response said.',
    evidence: (n, k) => `${many(n, 'lifetime')} other than the default amid calls, ${k} read from expires_in`,
  },
  'token-used-after-expiry': {
    title: 'A token used after its expiry',
    reference: 'API reference, Authentication 5 and 6',
    severity: 'error',
    message: () => 'A token is used after its expiry.',
    evidence: (n, k) => `${many(n, 'expiry', 'expiries')} amid calls, ${k} heeded`,
  },
  'unauthorized-not-retried': {
    title: 'No retry after 401',
    reference: 'API reference, Authentication 7; Errors',
    severity: 'error',
    message: (_, operation) => `${name(operation)} was answered 401 and is not sent again with a new token.`,
    evidence: (n, k) => `${many(n, 'refusal')} seen, ${k} retried`,
  },
  'retried-with-dead-token': {
    title: 'A refused token sent again',
    reference: 'API reference, Authentication 7',
    severity: 'error',
    message: (_, operation) => `${name(operation)} is sent with a token that had been refused before.`,
    evidence: (n, k) => `${many(n, 'refusal')} with more to send, ${k} followed by another token`,
  },
  'retried-more-than-once': {
    title: 'More than one retry',
    reference: 'API reference, Authentication 7',
    severity: 'error',
    message: (_, operation) => `${name(operation)} is sent again after its one retry was refused as well.`,
    evidence: (n, k) => `${many(n, 'retry', 'retries')} refused as well, ${k} left at that`,
  },
  'refresh-loop': {
    title: 'An endless loop of new tokens and retries',
    reference: 'API reference, Authentication 7',
    severity: 'error',
    message: (_, operation) =>
      `${name(operation)} is sent again and again, each time with a new token that is refused too.`,
    evidence: (n, k) => `${many(n, 'retry', 'retries')} refused as well, ${k} without a loop`,
  },
  'token-endpoint-hammered': {
    title: 'A failing token endpoint is asked without pause',
    reference: 'API reference, Authentication 6',
    severity: 'warning',
    message: ({ actual }) =>
      actual.endsWith('the same token')
        ? 'A token endpoint that gives out the same token until it has expired is asked again and again without a pause.'
        : 'A token endpoint that fails is asked again and again without a pause.',
    evidence: (n, k) => `${many(n, 'failed or repeated answer')} of the token endpoint, ${k} given a pause`,
  },
  'renewed-without-401': {
    title: 'A new token because of 403 or 429',
    reference: 'API reference, Authentication 7; RFC 6750, 3.1; RFC 6585, 4',
    severity: 'warning',
    message: ({ actual }) =>
      `A call is sent again with ${actual}: the old token was good, and the answer had nothing to do with it.`,
    evidence: (n, k) => `${many(n, 'answer')} of 403 or 429, ${k} that led to no token request`,
  },
  'rate-limit-ignored': {
    title: 'Calls without a pause on 429',
    reference: 'RFC 6585, 4; RFC 9110, 10.2.3',
    severity: 'warning',
    message: () => 'Calls go on while the answers are 429: the pause that Retry-After asks for is not made.',
    evidence: (n, k) => `${many(n, 'answer')} of 429, ${k} heeded`,
  },
  'deprecated-operation-called': {
    title: 'A deprecated operation is called',
    reference: 'API reference, Endpoints; Versioning 3',
    severity: 'warning',
    message: ({ expected }, operation) =>
      `${name(operation)} is deprecated and will be withdrawn; its successor is ${expected}.`,
    evidence: (n, k) => `${many(n, 'call')} of operations, ${k} of those that stay`,
  },
  'unknown-operation': {
    title: 'A request that no documented operation takes',
    reference: 'API reference, Endpoints',
    severity: 'warning',
    message: ({ expected, actual }) => `No operation takes ${actual}; ${expected}.`,
    evidence: (n, k) => `${many(n, 'call')}, ${k} of documented operations`,
  },
  'request-contradicts-contract': {
    title: 'A request that breaks the documented schema or limits',
    reference: 'API reference, Resources and their fields; Limits',
    severity: 'error',
    message: ({ pointer, expected, actual }, operation) =>
      `${name(operation)}: ${pointer === undefined || pointer === '' ? 'the body' : pointer} is ${actual}, not ${expected}.`,
    evidence: (n, k) => `${many(n, 'body', 'bodies')} sent, ${k} as documented`,
  },
};
