import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { AuditRuleId } from '../../../src/audit/rules.ts';
import { javaCommand } from '../../support/java.ts';

const callers = fileURLToPath(new URL('../callers/', import.meta.url));
const examples = fileURLToPath(new URL('../../../examples/audit/', import.meta.url));

/** The ways of judging a caller. */
export const WAYS = ['drive', 'mock', 'journal'] as const;
export type Way = (typeof WAYS)[number];

export interface Good {
  readonly name: string;
  /** Its HTTP library. */
  readonly library: string;
  readonly needs?: 'python' | 'python with requests' | 'java';
  readonly command: readonly string[];
}

export interface Bad {
  readonly habit: string;
  readonly rule: AuditRuleId;
  readonly situations: readonly string[];
  /** The ways that find the habit. Some need a drive, because it knows the intended calls and exact times. */
  readonly ways: readonly Way[];
  readonly command: readonly string[];
}

const node = process.execPath;
const mjs = (name: string): readonly string[] => [node, `${callers}good-${name}.mjs`];
/** Null if the package for it is not installed. */
export const python = pythonWithRequests();

/** Callers that keep every rule. */
export const GOOD: readonly Good[] = [
  { name: 'with-token', library: 'fetch, with our token client', command: mjs('with-token') },
  { name: 'ky', library: 'ky', command: mjs('ky') },
  { name: 'axios', library: 'axios', command: mjs('axios') },
  { name: 'got', library: 'got', command: mjs('got') },
  { name: 'undici', library: 'undici, with our adapter', command: mjs('undici') },
  { name: 'openapi-fetch', library: 'openapi-fetch, with our adapter', command: mjs('openapi-fetch') },
  { name: 'node-fetch', library: 'node-fetch, with our token client', command: mjs('node-fetch') },
  { name: 'openid-client', library: 'openid-client', command: mjs('openid-client') },
  { name: 'simple-oauth2', library: 'simple-oauth2', command: mjs('simple-oauth2') },
  { name: 'node-http', library: 'node:http', command: mjs('http') },
  { name: 'example-node', library: 'fetch', command: [node, `${examples}caller.mjs`] },
  {
    name: 'example-python',
    library: 'requests',
    needs: 'python with requests',
    command: [python ?? 'python3', `${examples}caller.py`],
  },
  { name: 'urllib', library: 'urllib', needs: 'python', command: ['python3', `${callers}good_urllib.py`] },
  {
    name: 'http-client',
    library: 'http.client',
    needs: 'python',
    command: ['python3', `${callers}good_http_client.py`],
  },
  { name: 'example-java', library: 'java.net.http', needs: 'java', command: javaCommand(`${examples}Caller.java`) },
  {
    name: 'http-url-connection',
    library: 'HttpURLConnection',
    needs: 'java',
    command: javaCommand(`${callers}Connection.java`),
  },
];

const ALL: readonly Way[] = WAYS;
const DRIVE: readonly Way[] = ['drive'];

const bad = (habit: string, rule: AuditRuleId, situations: readonly string[], ways = ALL): Bad => ({
  habit,
  rule,
  situations,
  ways,
  command: [node, `${callers}bad.mjs`, habit],
});

/** Programs with one bad habit each, and the rule that finds it. */
export const BAD: readonly Bad[] = [
  bad('token-per-request', 'token-not-cached', ['normal', 'short-lifetime', 'unauthorized-once', 'parallel']),
  bad('no-retry', 'unauthorized-not-retried', ['normal', 'revoked', 'unauthorized-once', 'unauthorized-always']),
  bad('gives-up', 'unauthorized-not-retried', ['normal', 'revoked', 'unauthorized-once']),
  bad('retries-with-the-dead-token', 'retried-with-dead-token', ['normal', 'unauthorized-once', 'unauthorized-always']),
  bad('retries-thrice', 'retried-more-than-once', ['normal', 'revoked', 'unauthorized-once', 'unauthorized-always']),
  bad('refreshes-for-ever', 'refresh-loop', ['normal', 'unauthorized-once', 'unauthorized-always']),
  bad('no-single-flight', 'refresh-not-shared', ['normal', 'token-slow', 'parallel']),
  bad('refreshes-for-each-late-401', 'refresh-not-shared', ['normal', 'parallel']),
  bad('token-for-each-part', 'refresh-not-shared', ['parallel']),
  bad('ignores-expires-in', 'lifetime-assumed', ['normal', 'short-lifetime', 'unauthorized-once'], DRIVE),
  bad('reads-exp', 'lifetime-assumed', ['normal', 'clock-ahead', 'unauthorized-once'], DRIVE),
  bad('prints-its-token', 'secret-printed', ['normal'], DRIVE),
  bad('sends-undefined', 'placeholder-in-path', ['normal']),
  bad('renews-on-401-only', 'lifetime-assumed', ['normal', 'expired-forbidden', 'unauthorized-once'], DRIVE),
  bad('no-margin', 'token-not-renewed-in-time', ['normal', 'margin', 'unauthorized-once'], DRIVE),
  bad('credentials-in-the-form', 'token-request-malformed', ['normal']),
  bad('grant-in-the-query', 'token-request-malformed', ['normal']),
  bad('asks-in-json', 'token-request-malformed', ['normal']),
  bad('asks-by-get', 'token-request-malformed', ['normal']),
  bad('credentials-in-the-query', 'secret-in-query', ['normal']),
  bad('secret-in-the-query', 'secret-in-query', ['normal']),
  bad('token-in-the-query', 'token-in-url', ['normal']),
  bad('token-in-the-path', 'token-in-url', ['normal']),
  bad('bearer-undefined', 'token-missing', ['normal', 'token-down']),
  bad('basic-for-calls', 'token-missing', ['normal']),
  bad('hammers-the-token-endpoint', 'token-endpoint-hammered', ['normal', 'token-down']),
  bad('hammers-for-a-longer-life', 'token-endpoint-hammered', ['normal', 'same-token']),
  bad('renews-on-403', 'renewed-without-401', ['normal', 'forbidden']),
  bad('renews-on-429', 'renewed-without-401', ['normal', 'quota']),
  bad('tight-loop-on-429', 'rate-limit-ignored', ['normal', 'rate-limited']),
  bad('repeats-a-403', 'forbidden-repeated', ['normal', 'forbidden']),
  // the journal gets the lost answer when its delay is over, after the end of the program
  bad('resends-a-write-without-an-answer', 'write-done-twice', ['normal', 'margin'], DRIVE),
  bad('deprecated-fees', 'deprecated-operation-called', ['normal', 'revoked', 'unauthorized-always']),
  bad('another-method', 'unknown-operation', ['normal']),
  bad('limit-as-text', 'request-contradicts-contract', ['normal']),
  bad('broken-json', 'request-contradicts-contract', ['normal']),
];

/** A program of the corpus. */
export interface Program {
  readonly name: string;
  /** The library of a good caller, or the rule that finds a bad habit. */
  readonly what: string;
  /** Null for a good caller. */
  readonly rule: AuditRuleId | null;
  readonly command: readonly string[];
  /** All if omitted. */
  readonly situations?: readonly string[];
  /** The ways that must find a habit. */
  readonly ways: readonly Way[];
}

/** All programs whose requirements are installed. */
export function programs(): Program[] {
  const good = GOOD.filter(isHere).map(({ name, library, command }) => ({ name, what: library, rule: null, command }));
  return [
    ...good.map((one) => ({ ...one, ways: [] })),
    ...BAD.map(({ habit, rule, ...rest }) => ({ name: habit, what: rule, rule, ...rest })),
  ];
}

/** Whether the requirements of a caller are installed. */
export function isHere({ needs }: Pick<Good, 'needs'>): boolean {
  if (needs === 'java') return runs('java', ['--version']);
  if (needs === 'python') return runs('python3', ['--version']);
  return needs === undefined || python !== undefined;
}

function pythonWithRequests(): string | undefined {
  return ['/usr/bin/python3', 'python3'].find((name) => runs(name, ['-c', 'import requests']));
}

function runs(command: string, args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore', timeout: 20_000 });
    return true;
  } catch {
    return false;
  }
}
