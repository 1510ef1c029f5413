import { lookup } from 'node:dns';
import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { hostName } from '../http/host.ts';
import type { WebhookPolicy } from './address.ts';

/** What became of one try. */
export type Outcome =
  | { readonly status: number; readonly retryAfter: string | undefined }
  /** No answer: a word that says why. */
  | { readonly failure: string };

/** Milliseconds for one try. */
const TIMEOUT = 15_000;

/**
 * Posts a body once (rule M17): a connection of its own, to an address that was judged as it was resolved, no redirect followed.
 * Never rejects. What is answered is read and forgotten.
 */
export function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
  policy: WebhookPolicy,
  signal: AbortSignal,
): Promise<Outcome> {
  const target = new URL(url);
  const host = hostName(target.host) ?? '';
  // an address is connected to without a lookup
  if (isIP(host) !== 0 && !policy.mayConnect(host, host)) return Promise.resolve({ failure: 'address-refused' });
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException): void => resolve({ failure: error.code ?? error.name });
    const send = target.protocol === 'https:' ? secureRequest : plainRequest;
    const outgoing = send(
      target,
      {
        method: 'POST',
        agent: false,
        lookup: judgedLookup(policy),
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
        headers: { ...headers, 'content-length': String(body.length) },
      },
      (incoming) => {
        const { 'retry-after': retryAfter } = incoming.headers;
        resolve({ status: incoming.statusCode ?? 0, retryAfter });
        incoming.on('error', () => {});
        // a receiver that answers without end is not listened to
        incoming.destroy();
      },
    );
    outgoing.on('error', fail);
    outgoing.end(body);
  });
}

/** Resolves a host and lets through only the addresses that may be connected to: the ones judged are the ones used. */
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
        callback(
          Object.assign(new Error('the host has no address that is allowed'), { code: 'address-refused' }),
          '',
          0,
        );
      } else if (options.all) callback(null, good);
      else callback(null, first.address, first.family);
    });
  };
}
