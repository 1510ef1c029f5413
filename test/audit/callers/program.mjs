/** Common code of the callers in the corpus: they send the requests that the drive asks for. */

export const base = process.env.BANKING_API_BASE_URL ?? '';
export const username = process.env.BANKING_API_USERNAME ?? '';
export const password = process.env.BANKING_API_PASSWORD ?? '';
export const requests = Number(process.env.BANKING_API_REQUESTS ?? 1);
export const situation = process.env.BANKING_API_SITUATION ?? '';
export const card = `${base}/wallet/api/customers/c1/cards/k1`;
export const basic = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

/** Makes the calls in turn or all at once; a failed call does not stop the next one. */
export async function run(call) {
  const one = () => call().catch((error) => console.error(error.message));
  if (situation === 'parallel') await Promise.all(Array.from({ length: requests }, one));
  else for (let number = 0; number < requests; number++) await one();
}

/** Requests a token as the reference describes. */
export async function fetchToken() {
  const response = await fetch(`${base}/iam/oauth/token`, {
    method: 'POST',
    headers: { authorization: basic, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials',
  });
  if (!response.ok) throw new Error(`the token endpoint answered ${response.status}`);
  const { access_token: value, expires_in: expiresIn } = await response.json();
  return { value, expiresIn };
}

/**
 * Keeps one token until shortly before it expires, with one request for all waiting calls. `request` resolves to `{
 * value, expiresIn }`.
 */
export function createHolder(request) {
  let held;
  let pending;
  return {
    async get() {
      if (held && Date.now() < held.until) return held.value;
      pending ??= request()
        .then(({ value, expiresIn }) => {
          const life = expiresIn * 1000;
          held = { value, until: Date.now() + life - Math.min(45_000, life / 10) };
          return value;
        })
        .finally(() => {
          pending = undefined;
        });
      return pending;
    },
    drop(value) {
      if (held?.value === value) held = undefined;
    },
  };
}
