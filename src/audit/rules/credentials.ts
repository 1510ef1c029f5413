import { count } from '../../text/words.ts';
import { type AuditRule, judgeEach, subject } from '../rule.ts';
import { type Sent, sentQueryNames } from '../traffic.ts';

const ACTUAL: Readonly<Record<Sent['carries'], string>> = {
  none: 'no Authorization',
  basic: 'Basic credentials',
  bearer: 'a bearer token',
  other: 'another Authorization scheme',
  'not-a-token': 'an invalid bearer token',
};

export const tokenMissing: AuditRule<'token-missing'> = {
  id: 'token-missing',
  title: 'A request without the bearer token',
  part: 'scheme',
  severity: 'error',
  message: ({ actual }, operation) =>
    `${subject(operation)} was called with ${actual}${actual === ACTUAL['not-a-token'] ? '' : ' instead of a bearer token'}.`,
  needs: 'a call',
  evidence: (occasions, kept) => `${count(occasions, 'call')}, ${kept} with a bearer token`,
  judge({ traffic, showsTokens }) {
    const calls = traffic.calls.filter(({ operation }) => operation?.auth === 'bearer');
    const judged = judgeEach(calls, ({ operationId, carries, entry }) => {
      const isFine = carries === 'bearer' || sentQueryNames(entry.path).some(isTokenName);
      // a capture without any Authorization has left it out
      if (isFine || (carries === 'none' && !showsTokens)) return [];
      return [{ operationId, expected: 'a bearer token in the header', actual: ACTUAL[carries] }];
    });
    if (!showsTokens) return { ...judged, occasions: 0, kept: 0 };
    return { ...judged, kept: calls.filter(({ carries }) => carries === 'bearer').length };
  },
};

export const tokenInUrl: AuditRule<'token-in-url'> = {
  id: 'token-in-url',
  title: 'A token in a URL',
  part: 'scheme',
  reference: 'RFC 6750, 2.3',
  severity: 'error',
  message: ({ actual }, operation) =>
    `${subject(operation)} was called with the token in the ${actual}. URLs end up in logs and histories.`,
  needs: 'a call',
  evidence: (occasions, kept) => `${count(occasions, 'call')}, ${kept} without a token in the URL`,
  judge({ traffic }) {
    const judged = judgeEach(traffic.sent, (sent) => {
      const actual = tokenPart(sent);
      return actual === null
        ? []
        : [{ operationId: sent.operationId, expected: 'a bearer token in the header', actual }];
    });
    const { length } = traffic.calls;
    return { ...judged, occasions: length, kept: Math.max(0, length - (judged.occasions - judged.kept)) };
  },
};

export const secretInQuery: AuditRule<'secret-in-query'> = {
  id: 'secret-in-query',
  title: 'A secret in a query string',
  reference: 'RFC 6749, 2.3.1; RFC 9110, 17.9',
  severity: 'warning',
  exceptions: 'error for credentials in the query of the token request',
  message: ({ actual }, operation) =>
    `${subject(operation)} was called with the secret ${actual} in its query. URLs end up in logs and histories.`,
  needs: 'a request',
  evidence: (occasions, kept) => `${count(occasions, 'request')}, ${kept} without a secret in the query`,
  judge: ({ traffic, keys }) =>
    judgeEach(traffic.sent, ({ entry, operationId, isTokenRequest }) =>
      sentQueryNames(entry.path)
        .filter((name) => keys.isSensitive(name) && !isTokenName(name))
        .map((name) => ({
          operationId,
          expected: 'no secret in the query',
          actual: `field ${name}`,
          // RFC 6749 forbids it for client credentials
          severity: isTokenRequest ? 'error' : 'warning',
        })),
    ),
};

export const secretPrinted: AuditRule<'secret-printed'> = {
  id: 'secret-printed',
  title: 'A secret in the output of the program',
  reference: 'RFC 6750, 5.3; RFC 6819, 5.1.6',
  severity: 'warning',
  message: ({ actual }) => `The program prints ${actual}. Output ends up in logs.`,
  needs: 'output of a program, with --drive',
  evidence: (occasions, kept) => `${count(occasions, 'run')} with output, ${kept} without a secret in it`,
  judge({ printed }) {
    if (printed === undefined) return { occasions: 0, kept: 0, observations: [] };
    const expected = 'output without secrets';
    const observations = printed.map((actual) => ({ operationId: null, expected, actual, evidence: [] }));
    return { occasions: 1, kept: printed.length === 0 ? 1 : 0, observations };
  },
};

function isTokenName(name: string): boolean {
  return /^(?:access|id|bearer|auth)?[_-]?token$|^(?:bearer|jwt)$/i.test(name);
}

function tokenPart({ entry }: Sent): string | null {
  if (sentQueryNames(entry.path).some(isTokenName)) return 'query';
  // the redaction recognises a JWT by its form and masks only the segment
  const path = entry.path.replace(/[?#].*$/s, '');
  return path.split('/').includes('[redacted]') ? 'path' : null;
}
