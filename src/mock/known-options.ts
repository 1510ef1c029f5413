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
  engine: true,
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

/** @throws ToolError `usage` for an unknown option: without types, a typo would have no effect. */
export function assertKnownOptions(options: object): void {
  const wrong = Object.keys(options).find((name) => !Object.hasOwn(KNOWN, name));
  if (wrong === undefined) return;
  const known = Object.keys(KNOWN);
  const meant = didYouMean(wrong, known);
  throw new ToolError('usage', `The mock has no option ${JSON.stringify(wrong.slice(0, 64))}.${meant}`, {
    hint: meant === '' ? `It has ${known.join(', ')}.` : '',
  });
}

/** @throws ToolError `usage` for options that exclude each other. */
export function assertCompatible({ engine = 'compiled', strict, lenient, store }: MockOptions): void {
  if (!['compiled', 'prism'].includes(engine)) {
    throw new ToolError('usage', `The engine is compiled or prism, not ${JSON.stringify(engine)}.`);
  }
  if (strict && lenient) throw new ToolError('usage', 'A mock is strict or lenient, not both.');
  if (engine === 'compiled') return;
  const [name] = Object.entries({ strict, lenient, store }).find(([, value]) => value) ?? [];
  if (name === undefined) return;
  throw new ToolError(
    'usage',
    `The engine prism cannot be combined with ${name}: it validates by itself and has no state.`,
  );
}
