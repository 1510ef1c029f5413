import { lookup } from 'node:dns';
import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { hostName } from '../../net/host.ts';
import type { WebhookPolicy } from './address.ts';

/** Exactly one of the two is null. */
export interface PostResult {
  readonly status: number | null;
  /** Why there is no status: a code, for example ECONNREFUSED. */
  readonly failure: string | null;
}

/** Milliseconds (rule S31). */
const TIMEOUT = 15_000;

/** Posts a body once, on a new connection, to a checked address. Never follows redirects (rule M17) or rejects. */
export function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  policy: WebhookPolicy,
  signal: AbortSignal,
): Promise<PostResult> {
  const failed = (failure: string): PostResult => ({ status: null, failure });
  const bytes = Buffer.from(body);
  const target = new URL(url);
  const host = hostName(target.host) ?? '';
  // Node connects to an address without a lookup
  if (isIP(host) !== 0 && !policy.mayConnect(host, host)) return Promise.resolve(failed('address-refused'));
  return new Promise((resolve) => {
    const send = target.protocol === 'https:' ? secureRequest : plainRequest;
    const outgoing = send(
      target,
      {
        method: 'POST',
        agent: false,
        lookup: judgedLookup(policy),
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
        headers: { ...headers, 'content-length': String(bytes.length) },
      },
      (incoming) => {
        resolve({ status: incoming.statusCode ?? 0, failure: null });
        incoming.on('error', () => {});
        incoming.destroy();
      },
    );
    outgoing.on('error', (error: NodeJS.ErrnoException) => resolve(failed(error.code ?? error.name)));
    outgoing.end(bytes);
  });
}

/** Resolves a host to its allowed addresses. The connection then uses exactly these. */
function judgedLookup(policy: WebhookPolicy): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) {
        callback(error, '', 0);
        return;
      }
      const good = addresses.filter(({ address }) => policy.mayConnect(address, hostname));
      const [first] = good;
      if (!first) {
        const refused = Object.assign(new Error('the host has no address that is allowed'), {
          code: 'address-refused',
        });
        callback(refused, '', 0);
      } else if (options.all) callback(null, good);
      else callback(null, first.address, first.family);
    });
  };
}
