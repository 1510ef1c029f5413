import { ToolError } from '../errors.ts';
import { isLoopbackOrigin } from './host.ts';

/** A whole origin, or one whose first label may be any single one, under a name of at least two labels. */
const ORIGIN = /^(https?):\/\/(\*\.(?=[^.]+\.[^.]))?([^/*@?#\s]+)$/i;

/**
 * Says which origins may read answers: loopback ones and those that are named, as `https://app.example` or, for hosts whose first label
 * changes, as `https://*.app.github.dev`. The asterisk stands for one label, as in a certificate.
 *
 * @throws ToolError `usage` for what is no such origin. `*` is none: every page of the web could read then.
 */
export function createOriginRule(allowed: readonly string[] = []): (origin: string) => boolean {
  const named = createNamedOriginRule(allowed);
  return (origin) => named(origin) || isLoopbackOrigin(origin);
}

/** The same without the loopback ones: those that were named on purpose. */
export function createNamedOriginRule(allowed: readonly string[] = []): (origin: string) => boolean {
  const origins = allowed.map(parse);
  const whole = new Set(origins.filter((origin) => !origin.includes('*')));
  const parts = origins.flatMap((origin) => {
    const [scheme, rest] = origin.split('*');
    return rest === undefined ? [] : [{ scheme: scheme ?? '', rest }];
  });
  return (origin) =>
    whole.has(origin) ||
    parts.some(({ scheme, rest }) => {
      if (!origin.startsWith(scheme) || !origin.endsWith(rest)) return false;
      return /^[a-z0-9-]+$/i.test(origin.slice(scheme.length, -rest.length));
    });
}

/** As a browser writes it: in lower case, without the port that the scheme has anyway. */
function parse(text: string): string {
  const [, scheme, wild, host] = ORIGIN.exec(text.replace(/\/$/, '')) ?? [];
  const url = scheme === undefined || host === undefined ? null : URL.parse(`${scheme}://${host}`);
  if (url?.pathname !== '/') {
    throw new ToolError('usage', `${JSON.stringify(text.slice(0, 200))} is no origin that can be allowed.`, {
      hint: 'An origin is https://app.example or http://192.168.1.20:5173; https://*.app.github.dev allows every first label.',
    });
  }
  return wild === undefined ? url.origin : url.origin.replace('://', '://*.');
}
