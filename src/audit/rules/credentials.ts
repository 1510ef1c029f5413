import { type AuditRule, count, observeAlike, subject } from '../rule.ts';
import { queryNames, type Sent } from '../traffic.ts';

const ACTUAL: Readonly<Record<Sent['carries'], string>> = {
  none: 'no Authorization',
  basic: 'Basic credentials',
  bearer: 'a bearer token',
  other: 'another Authorization scheme',
  'not-a-token': 'a Bearer that is no token',
};

export const tokenMissing: AuditRule<'token-missing'> = {
  id: 'token-missing',
  title: 'A request without the bearer token',
  reference: 'API reference, Authentication 4',
  severity: 'error',
  message: ({ actual }, operation) => `${subject(operation)} is sent with ${actual} in place of the bearer token.`,
  evidence: (occasions, kept) => `${count(occasions, 'call')}, ${kept} with a bearer token`,
  judge({ traffic, showsTokens }) {
    const calls = traffic.calls.filter(({ operation }) => operation?.auth === 'bearer');
    const without = calls.filter(
      ({ carries, entry }) =>
        carries !== 'bearer' &&
        // a capture that shows no Authorization anywhere has left it out
        (carries !== 'none' || showsTokens) &&
        !queryNames(entry.path).some(isTokenName),
    );
    return {
      occasions: showsTokens ? calls.length : 0,
      kept: showsTokens ? calls.filter(({ carries }) => carries === 'bearer').length : 0,
      observations: observeAlike(
        without,
        ({ operationId, carries }) => `${operationId} ${carries}`,
        ({ operationId, carries }, evidence) => ({
          operationId,
          expected: 'Authorization: Bearer',
          actual: ACTUAL[carries],
          evidence,
        }),
      ),
    };
  },
};

export const tokenInUrl: AuditRule<'token-in-url'> = {
  id: 'token-in-url',
  title: 'A token in a URL',
  reference: 'API reference, Authentication 4; RFC 6750, 2.3',
  severity: 'error',
  message: ({ actual }, operation) =>
    `${subject(operation)} is sent with the token in the ${actual}: URLs end up in logs and histories.`,
  evidence: (occasions, kept) => `${count(occasions, 'call')}, ${kept} without a token in the URL`,
  judge({ traffic }) {
    const found = traffic.sent.filter((sent) => tokenPart(sent) !== null);
    return {
      occasions: traffic.calls.length,
      kept: Math.max(0, traffic.calls.length - found.length),
      observations: observeAlike(
        found,
        (sent) => `${sent.operationId} ${tokenPart(sent)}`,
        (first, evidence) => ({
          operationId: first.operationId,
          expected: 'Authorization: Bearer',
          actual: tokenPart(first) ?? '',
          evidence,
        }),
      ),
    };
  },
};

export const secretInQuery: AuditRule<'secret-in-query'> = {
  id: 'secret-in-query',
  title: 'A secret in a query string',
  reference: 'RFC 6749, 2.3.1; RFC 9110, 17.9',
  severity: 'warning',
  exceptions: 'error for credentials in the query of the token request',
  message: ({ actual }, operation) =>
    `${subject(operation)} is sent with the query ${actual}: URLs end up in logs and histories.`,
  evidence: (occasions, kept) => `${count(occasions, 'request')}, ${kept} without a secret in the query`,
  judge({ traffic, keys }) {
    const found = traffic.sent.flatMap((sent) =>
      queryNames(sent.entry.path)
        .filter((name) => keys.isSensitive(name) && !isTokenName(name))
        .map((name) => ({ sent, name })),
    );
    return {
      occasions: traffic.sent.length,
      kept: traffic.sent.length - new Set(found.map(({ sent }) => sent)).size,
      observations: observeAlike(
        found,
        ({ sent, name }) => `${sent.operationId} ${name}`,
        ({ sent, name }, all) => ({
          operationId: sent.operationId,
          expected: 'no secret in the query',
          actual: `field ${name}`,
          evidence: all.map((one) => one.sent),
          // RFC 6749 forbids it for credentials of the client
          severity: sent.isTokenRequest ? 'error' : 'warning',
        }),
      ),
    };
  },
};

function isTokenName(name: string): boolean {
  return /^(?:access|id|bearer|auth)?[_-]?token$|^(?:bearer|jwt)$/i.test(name);
}

function tokenPart({ entry }: Sent): string | null {
  if (queryNames(entry.path).some(isTokenName)) return 'query';
  // a JWT is recognised by its form, and masked where it stands
  const path = entry.path.replace(/[?#].*$/s, '');
  return path.split('/').includes('[redacted]') ? 'path' : null;
}
