import { type Finding, SEVERITIES } from '../model/finding.ts';
import type { AuditRuleId } from './rules.ts';

/** The cost of breaking each rule, and the fix. */
const ADVICE: Readonly<Record<AuditRuleId, readonly [because: string, fix: string]>> = {
  'token-missing': ['these calls fail', 'send the bearer token with each call'],
  'token-in-url': ['URLs end up in logs', 'send the token in the Authorization header only'],
  'secret-in-query': ['URLs end up in logs', 'send it in the body'],
  'secret-printed': ['output ends up in logs', 'print neither tokens nor passwords, and mask headers'],
  'token-request-malformed': ['the endpoint may reject it', 'send Basic credentials and a form with the grant'],
  'token-not-cached': ['each call waits for a token request', 'keep the token until shortly before its expiry'],
  'refresh-not-shared': [
    'parallel calls multiply token requests',
    'share the request: let all calls await one promise',
  ],
  'token-not-renewed-in-time': ['calls in flight are rejected', 'renew 30 to 60 s before the expiry'],
  'lifetime-assumed': ['calls fail if the lifetime changes', 'read expires_in of each token response'],
  'token-used-after-expiry': ['late calls are rejected', 'compare the expiry before each call'],
  'unauthorized-not-retried': ['a revoked token becomes an error', 'get a new token after 401, and retry once'],
  'retried-with-dead-token': ['the retry is rejected again', 'drop the rejected token before the retry'],
  'retried-more-than-once': ['a call without permission costs many tokens', 'return the second 401'],
  'refresh-loop': ['it never ends and may lock the account', 'mark the retry, and return its 401'],
  'token-endpoint-hammered': ['it prolongs the outage', 'back off, and honour Retry-After'],
  'renewed-without-401': ['the new token changes nothing', 'return 403, wait after 429, and keep the token'],
  'forbidden-repeated': ['it fails again and again', 'return the 403, and ask for the missing rights'],
  'rate-limit-ignored': ['it prolongs the limit', 'wait for Retry-After before the next call'],
  'deprecated-operation-called': ['it will be withdrawn', 'call its successor'],
  'unknown-operation': ['it may fail or change without notice', 'call a documented operation'],
  'placeholder-in-path': ['it reaches the wrong resource', 'check ids before you build the path'],
  'request-contradicts-contract': ['the API may reject it', 'keep to the documented schema'],
  'header-without-effect': ['a repeated write is done again', 'read the outcome before you repeat a write'],
  'write-done-twice': ['its effect happens twice', 'send a POST or PATCH once, and read back before you send it again'],
  'write-lost-silently': ['the missing write goes unnoticed', 'let a lost answer fail the program'],
  'write-outcome-not-looked-up': ['a person has to check each failure', 'read the resource after the failure'],
  'evolution-not-tolerated': [
    'the API may change its answers in this way',
    'read only what you need, and ignore the rest',
  ],
};

/** Recipes by the `user-agent` of the caller: for findings about tokens, and for writes that ran twice. */
const RECIPES: readonly (readonly [agent: RegExp, tokens: string, writes: string])[] = [
  [
    /axios/i,
    'axios.create({ baseURL, ...bearer(provider) }) of banking-api-contract/client/axios',
    'axiosRetry(client, { retryCondition: isIdempotentRequestError })',
  ],
  [
    /\bgot\b/i,
    'got.extend({ prefixUrl, ...bearer(provider) }) of banking-api-contract/client/got',
    "got.extend({ retry: { methods: ['GET'] } })",
  ],
  [
    /node|undici/i,
    'withToken(fetch, provider) of banking-api-contract/client',
    "{ methods: ['GET'] } in the retry options of ky, RetryAgent or your own loop",
  ],
  [/python/i, 'the session of examples/audit/caller.py', "Retry(allowed_methods={'GET'}) of urllib3"],
  [
    /java/i,
    'the client of examples/audit/Caller.java',
    'an HttpClient without -Djdk.httpclient.enableAllMethodRetry, and no loop around send',
  ],
  [/curl/i, 'curl --oauth2-bearer, with the token and its expiry kept in a file', 'curl without --retry for a POST'],
];
const TOKENS = /token|refresh|unauthorized|retried|renewed|lifetime/;

export function adviceOn(findings: readonly Finding[], callers: readonly { readonly name: string }[]): string[] {
  const byRule = [...Map.groupBy(findings, ({ rule }) => rule as AuditRuleId)].map(([rule, alike]) => ({
    rule,
    severity: Math.min(...alike.map(({ severity }) => SEVERITIES.indexOf(severity))),
    times: alike.reduce((sum, { occurrences }) => sum + occurrences, 0),
  }));
  const [, tokens, writes] = RECIPES.find(([agent]) => callers.some(({ name }) => agent.test(name))) ?? [];
  return byRule
    .sort((a, b) => a.severity - b.severity || b.times - a.times)
    .map(({ rule }, index) => {
      const [because, fix] = ADVICE[rule];
      const recipe = rule === 'write-done-twice' ? writes : TOKENS.test(rule) ? tokens : undefined;
      const like = recipe === undefined ? fix : `${fix}, as in ${recipe}`;
      return `${index === 0 ? 'Fix first' : 'Then fix'}: ${rule}, because ${because}, like this: ${like}.`;
    });
}
