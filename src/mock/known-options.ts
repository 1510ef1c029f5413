import { ToolError } from '../errors.ts';
import { didYouMean } from '../suggest.ts';
import type { MockOptions } from './mock.ts';

const KNOWN: { readonly [name in keyof Required<MockOptions>]: true } = {
  listen: true,
  port: true,
  host: true,
  address: true,
  contract: true,
  folder: true,
  overlays: true,
  signal: true,
  credentials: true,
  tokenLifetime: true,
  anyToken: true,
  strict: true,
  lenient: true,
  withdrawDeprecated: true,
  sunset: true,
  seed: true,
  clock: true,
  onExchange: true,
  onStoreProblem: true,
  allowedHosts: true,
  allowedOrigins: true,
  controlToken: true,
  signingKey: true,
  profile: true,
  seedData: true,
  seedIds: true,
  store: true,
  stateless: true,
  scenarios: true,
  webhookHosts: true,
  limits: true,
  callers: true,
};

/** Refuses an option that nobody knows: without types a slip of the pen would be a mock that does otherwise than was asked. */
export function assertKnownOptions(options: object): void {
  const wrong = Object.keys(options).find((name) => !Object.hasOwn(KNOWN, name));
  if (wrong === undefined) return;
  const known = Object.keys(KNOWN);
  const meant = didYouMean(wrong, known);
  throw new ToolError('usage', `The mock has no option ${JSON.stringify(wrong.slice(0, 64))}.${meant}`, {
    hint: meant === '' ? `It has ${known.join(', ')}.` : '',
  });
}
