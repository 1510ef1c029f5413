/**
 * A place that several providers share, so that many workers ask for one token. An entry is a text that holds a token: keep it as you
 * keep a password, and log none. A store may fail or hang: that costs a token request and nothing else.
 */
export interface TokenStore {
  /** The entry of a key; null where there is none. */
  get(key: string): Promise<string | null>;
  /** Keeps an entry for so many seconds; it may be forgotten earlier. */
  set(key: string, entry: string, seconds: number): Promise<void>;
  /**
   * The right to ask for the token of a key, for so many seconds at most; what it resolves to gives it back. Null at once where another
   * has it.
   */
  lock(key: string, seconds: number): Promise<(() => Promise<void>) | null>;
}

/** Name of an entry: a hash of endpoint, user and a digest of the password, so that it tells none of them. */
export async function storeKey(endpoint: string, username: string, password: string): Promise<string> {
  return sha256(JSON.stringify([endpoint, username, await sha256(password)]));
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
