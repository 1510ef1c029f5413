/** The token client: `banking-api-contract/client`. No dependency; Node, browsers, edge workers. */
export type { AccessToken } from './access-token.ts';
export type { Clock } from './clock.ts';
export type { CoolDownSettings } from './cool-down.ts';
export { TokenError, type TokenErrorCode, type TokenResponseField } from './token-error.ts';
export {
  createTokenProvider,
  type TokenGot,
  type TokenProvider,
  type TokenProviderOptions,
  type TokenProviderSettings,
  type TokenWarning,
} from './token-provider.ts';
export type { TokenFetch, TokenRetry } from './token-request.ts';
export type { TokenStore } from './token-store.ts';
export { type BaseFetch, withToken } from './with-token.ts';
