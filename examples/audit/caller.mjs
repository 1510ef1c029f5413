/**
 * A caller that follows the API reference, without dependencies. Test it with
 *
 *   npx banking-api-contract audit --drive -- node caller.mjs
 */
const {
  BANKING_API_BASE_URL: base = 'http://127.0.0.1:4010',
  BANKING_API_USERNAME: username = 'sandbox',
  BANKING_API_PASSWORD: password = 'sandbox-secret',
  BANKING_API_REQUESTS: requests = '1',
  BANKING_API_SITUATION: situation = '',
} = process.env;

let held; // the token that is in use: { value, renewAt }
let pending; // the one request for a new one that all callers wait for

async function token() {
  if (held && Date.now() < held.renewAt) return held.value;
  pending ??= requestToken().finally(() => {
    pending = undefined;
  });
  return pending;
}

async function requestToken() {
  const response = await fetch(`${base}/iam/oauth/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new Error(`no token: ${response.status}`);
  const { access_token: value, expires_in: lifetime } = await response.json();
  // 45 seconds before it expires, or a tenth of a short lifetime. This response states the lifetime.
  held = { value, renewAt: Date.now() + (lifetime - Math.min(45, lifetime / 10)) * 1000 };
  return value;
}

async function api(path, init = {}) {
  const send = (value) =>
    fetch(`${base}${path}`, { ...init, headers: { ...init.headers, authorization: `Bearer ${value}` } });
  const used = await token();
  const first = await send(used);
  if (first.status !== 401) return first;
  await first.body?.cancel();
  // only if no other call has replaced it
  if (held?.value === used) held = undefined;
  return send(await token());
}

async function work() {
  try {
    const response = await api('/wallet/api/customers/c1/cards/k1');
    console.log(response.status);
  } catch (error) {
    console.error(error.message);
  }
}

const count = Number(requests);
if (situation === 'parallel') await Promise.all(Array.from({ length: count }, work));
else for (let number = 0; number < count; number++) await work();
