import type { Operation } from '../spec/contract.ts';
import type { AuditRuleInfo } from './rule.ts';
import type { AuditRuleId } from './rule-ids.ts';

const name = (operation: Operation | undefined): string => operation?.summary ?? 'A request';

/** Title, reference, severity and message of every rule. A rule without a row does not compile. */
export const AUDIT_RULES: Readonly<Record<AuditRuleId, AuditRuleInfo>> = {
  'token-missing': {
    title: 'A request without the bearer token',
    reference: 'API reference, Authentication 4',
    severity: 'error',
    message: ({ actual }, operation) => `${name(operation)} is sent with ${actual} in place of the bearer token.`,
  },
  'token-in-url': {
    title: 'A token in a URL',
    reference: 'API reference, Authentication 4; RFC 6750, 2.3',
    severity: 'error',
    message: ({ actual }, operation) =>
      `${name(operation)} is sent with the token in the ${actual}: URLs end up in logs and histories.`,
  },
  'secret-in-query': {
    title: 'A secret in a query string',
    reference: 'RFC 6749, 2.3.1; RFC 9110, 17.9',
    severity: 'warning',
    message: ({ actual }, operation) =>
      `${name(operation)} is sent with the query ${actual}: URLs end up in logs and histories.`,
  },
  'token-request-malformed': {
    title: 'A token request that is not as documented',
    reference: 'API reference, Authentication 2',
    severity: 'error',
    message: ({ expected, actual }) => `The token is requested with ${actual}, where ${expected} is documented.`,
  },
  'token-not-cached': {
    title: 'New tokens although the old one was good',
    reference: 'API reference, Authentication 6',
    severity: 'warning',
    message: () => 'A new token is requested although the caller holds one that is good for long.',
  },
  'refresh-not-shared': {
    title: 'Several token requests for one need',
    reference: 'API reference, Authentication 6',
    severity: 'warning',
    message: ({ actual }) =>
      actual === 'token requests at once'
        ? 'Several tokens are requested at once; one request serves all that wait.'
        : 'A token that has been replaced already is replaced again: each late 401 causes a token request of its own.',
  },
  'token-not-renewed-in-time': {
    title: 'A token used to its last second',
    reference: 'API reference, Authentication 6',
    severity: 'warning',
    message: () => 'A token is used within the margin before its expiry, and no new one is requested.',
  },
  'lifetime-assumed': {
    title: 'A lifetime assumed in place of expires_in',
    reference: 'API reference, Authentication 5',
    severity: 'error',
    message: ({ actual }) =>
      actual === 'dropped at the default lifetime'
        ? 'A token is dropped when the default lifetime has passed, although its expires_in said more.'
        : 'A token is used after its expires_in: a longer lifetime is assumed than its response said.',
  },
  'token-used-after-expiry': {
    title: 'A token used after its expiry',
    reference: 'API reference, Authentication 5 and 6',
    severity: 'error',
    message: () => 'A token is used after its expiry.',
  },
  'unauthorized-not-retried': {
    title: 'No retry after 401',
    reference: 'API reference, Authentication 7; Errors',
    severity: 'error',
    message: (_, operation) => `${name(operation)} was answered 401 and is not sent again with a new token.`,
  },
  'retried-with-dead-token': {
    title: 'A refused token sent again',
    reference: 'API reference, Authentication 7',
    severity: 'error',
    message: (_, operation) => `${name(operation)} is sent with a token that had been refused before.`,
  },
  'retried-more-than-once': {
    title: 'More than one retry',
    reference: 'API reference, Authentication 7',
    severity: 'error',
    message: (_, operation) => `${name(operation)} is sent again after its one retry was refused as well.`,
  },
  'refresh-loop': {
    title: 'An endless loop of new tokens and retries',
    reference: 'API reference, Authentication 7',
    severity: 'error',
    message: (_, operation) =>
      `${name(operation)} is sent again and again, each time with a new token that is refused too.`,
  },
  'token-endpoint-hammered': {
    title: 'A failing token endpoint is asked without pause',
    reference: 'API reference, Authentication 6',
    severity: 'warning',
    message: () => 'A token endpoint that fails is asked again and again without a pause.',
  },
  'deprecated-operation-called': {
    title: 'A deprecated operation is called',
    reference: 'API reference, Endpoints; Versioning 3',
    severity: 'warning',
    message: ({ expected }, operation) =>
      `${name(operation)} is deprecated and will be withdrawn; its successor is ${expected}.`,
  },
  'unknown-operation': {
    title: 'A request that no documented operation takes',
    reference: 'API reference, Endpoints',
    severity: 'warning',
    message: ({ expected, actual }) => `No operation takes ${actual}; ${expected}.`,
  },
  'request-contradicts-contract': {
    title: 'A request that breaks the documented schema or limits',
    reference: 'API reference, Resources and their fields; Limits',
    severity: 'error',
    message: ({ pointer, expected, actual }, operation) =>
      `${name(operation)}: ${pointer === undefined || pointer === '' ? 'the body' : pointer} is ${actual}, not ${expected}.`,
  },
};
