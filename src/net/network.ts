import type { SecureContext } from 'node:tls';

export interface ProxyServer {
  /** Without credentials, safe to print: `http://proxy.example:3128`. */
  readonly url: string;
  /** Value of `Proxy-Authorization`, or null. */
  readonly authorization: string | null;
  /** The setting that defines it: `network.proxy`, `HTTPS_PROXY`. */
  readonly from: string;
}

export interface Network {
  readonly proxy: ProxyServer | null;
  /** A configured proxy that is not used for this target, and the reason. */
  readonly unused: { readonly from: string; readonly why: string } | null;
  /** TLS settings for connections to the target; Node's defaults if undefined. */
  readonly target: SecureContext | undefined;
  /** TLS settings for the proxy itself. They never include the client's certificate. */
  readonly toProxy: SecureContext | undefined;
  /** The setting with the trusted authorities; null for Node's own. */
  readonly ca: 'network.ca' | null;
  readonly certificate: 'network.cert' | 'network.pfx' | null;
  /** Passwords, for redactors. */
  readonly secrets: readonly string[];
}

/** A direct connection with Node's trusted authorities. */
export const DIRECT: Network = Object.freeze({
  proxy: null,
  unused: null,
  target: undefined,
  toProxy: undefined,
  ca: null,
  certificate: null,
  secrets: Object.freeze([]),
});
