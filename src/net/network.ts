import type { SecureContext } from 'node:tls';

export interface ProxyServer {
  /** Without credentials, as it may be shown: `http://proxy.example:3128`. */
  readonly url: string;
  /** Value of `Proxy-Authorization`, or null. */
  readonly authorization: string | null;
  /** Where it was said: `network.proxy`, `HTTPS_PROXY`. */
  readonly from: string;
}

export interface Network {
  readonly proxy: ProxyServer | null;
  /** The proxy that is there and not used for this target, and why. */
  readonly unused: { readonly from: string; readonly why: string } | null;
  /** What connections to the target trust and show; Node's own where it is absent. */
  readonly target: SecureContext | undefined;
  /** What connections to the proxy itself trust: it is not shown the client's certificate. */
  readonly toProxy: SecureContext | undefined;
  /** The setting that says what is trusted, or null for the authorities of Node. */
  readonly ca: 'network.ca' | null;
  /** The setting that has the client's certificate. */
  readonly certificate: 'network.cert' | 'network.pfx' | null;
  /** Passwords, for redactors. */
  readonly secrets: readonly string[];
}

/** Straight to the target, trusting what Node trusts. */
export const DIRECT: Network = Object.freeze({
  proxy: null,
  unused: null,
  target: undefined,
  toProxy: undefined,
  ca: null,
  certificate: null,
  secrets: Object.freeze([]),
});
