/**
 * A caller of Columba Post that keeps the rules: one token for many calls, one retry after a 401. In this folder:
 *
 *   npx banking-api-contract audit --contract . --drive -- node caller.mjs
 */
const {
  BANKING_API_BASE_URL: base = 'http://127.0.0.1:4010',
  BANKING_API_USERNAME: id = 'sandbox',
  BANKING_API_PASSWORD: secret = 'sandbox-secret',
  BANKING_API_REQUESTS: requests = '1',
  BANKING_API_SITUATION: situation = '',
} = process.env;

let held; // the token in use: { value, renewAt }
let pending; // the one request for a new one that all callers wait for

async function token() {
  if (held && Date.now() < held.renewAt) return held.value;
  pending ??= fetchToken().finally(() => {
    pending = undefined;
  });
  return pending;
}

async function fetchToken() {
  const response = await fetch(`${base}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret }),
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new Error(`no token: ${response.status}`);
  const { access_token: value, expires_in: lifetime } = await response.json();
  held = { value, renewAt: Date.now() + (lifetime - Math.min(30, lifetime / 10)) * 1000 };
  return value;
}

async function api(path) {
  const send = (value) =>
    fetch(`${base}${path}`, { headers: { authorization: `Bearer ${value}`, 'x-post-office': 'gotland' } });
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
    console.log((await api('/v2/letters/letter-1')).status);
  } catch (error) {
    console.error(error.message);
  }
}

const count = Number(requests);
if (situation === 'parallel') await Promise.all(Array.from({ length: count }, work));
else for (let number = 0; number < count; number++) await work();
