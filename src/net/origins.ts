import { ToolError } from '../errors.ts';
import { isLoopbackOrigin } from './host.ts';

/** An exact origin, or a wildcard for the first label above a name of at least two labels. */
const ORIGIN = /^([a-z][a-z0-9+.-]*):\/\/(\*\.(?=[^.]+\.[^.]))?([^/*@?#\s]+)$/i;

/**
 * Decides which origins may read answers: loopback and named ones. A named origin is exact (`https://app.example`) or
 * has one variable label (`https://*.app.github.dev`). As in a certificate, the asterisk covers one label.
 *
 * @throws ToolError `usage` for an invalid origin. `*` is invalid: every page of the web could read the answers.
 */
export function createOriginRule(allowed: readonly string[] = []): (origin: string) => boolean {
  const named = createNamedOriginRule(allowed);
  return (origin) => named(origin) || isLoopbackOrigin(origin);
}

export function createNamedOriginRule(allowed: readonly string[] = []): (origin: string) => boolean {
  const named = new Set(allowed.map(parse));
  return (origin) =>
    !origin.includes('*') &&
    (named.has(origin) || named.has(origin.replace(/(?<=^https?:\/\/)[a-z0-9-]+(?=\.)/i, '*')));
}

/**
 * In a browser's form: lower case, without the scheme's default port. Apps have schemes of their own
 * (`capacitor://localhost`). A URL has no origin for them.
 */
function parse(text: string): string {
  const [, scheme, wild, host] = ORIGIN.exec(text.replace(/\/$/, '').toLowerCase()) ?? [];
  const url = scheme === undefined || host === undefined ? null : URL.parse(`${scheme}://${host}`);
  if (url === null || !/^\/?$/.test(url.pathname)) {
    throw new ToolError('usage', `${JSON.stringify(text.slice(0, 200))} is no origin that can be allowed.`, {
      hint: 'An origin is https://app.example or http://192.168.1.20:5173; https://*.app.github.dev allows every first label.',
    });
  }
  const origin = url.origin === 'null' ? `${scheme}://${url.host}` : url.origin;
  return wild === undefined ? origin : origin.replace('://', '://*.');
}
