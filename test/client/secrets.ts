import { inspect } from 'node:util';
import { PASSWORD, USERNAME } from './support.ts';

const FORMS = [
  PASSWORD,
  JSON.stringify(PASSWORD).slice(1, -1),
  encodeURIComponent(PASSWORD),
  new URLSearchParams({ v: PASSWORD }).toString().slice(2),
  Buffer.from(PASSWORD).toString('base64'),
  Buffer.from(`${USERNAME}:${PASSWORD}`).toString('base64').replace(/=+$/, ''),
  USERNAME,
];

/** The secrets that are visible in a value, by any inspection. */
export function secretsIn(value: unknown): string[] {
  const texts = [
    JSON.stringify(value),
    inspect(value, { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true }),
    inspect(value, { depth: Number.POSITIVE_INFINITY, showHidden: true, customInspect: false }),
    String(value),
    ...chain(value).flatMap((error) => [error.message, error.stack ?? '', JSON.stringify(error)]),
  ];
  return FORMS.filter((form) => texts.some((text) => text?.includes(form)));
}

function chain(value: unknown): Error[] {
  return value instanceof Error ? [value, ...chain(value.cause)] : [];
}
