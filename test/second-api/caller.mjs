/**
 * Makes the calls of `CALLS` as a good caller does: one token for all, one retry after a 401.
 * `CALLS` is JSON: token endpoint, client authentication, and method, path, headers and body of each call.
 */
const { BANKING_API_BASE_URL: base, BANKING_API_USERNAME: username, BANKING_API_PASSWORD: password } = process.env;
const { token, calls } = JSON.parse(process.env.CALLS);
const requests = Number(process.env.BANKING_API_REQUESTS);

let held;
let pending;

async function bearer() {
  if (held && Date.now() < held.renewAt) return held.value;
  pending ??= request().finally(() => {
    pending = undefined;
  });
  return pending;
}

async function request() {
  const body = new URLSearchParams({ grant_type: 'client_credentials' });
  if (token.form) {
    body.set('client_id', username);
    body.set('client_secret', password);
  }
  const headers = token.form ? {} : { authorization: `Basic ${btoa(`${username}:${password}`)}` };
  const response = await fetch(base + token.path, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`no token: ${response.status}`);
  const { access_token: value, expires_in: lifetime } = await response.json();
  held = { value, renewAt: Date.now() + lifetime * 900 };
  return value;
}

async function call({ method, path, headers, body }) {
  const send = (value) =>
    fetch(base + path, {
      method,
      headers: { ...headers, authorization: `Bearer ${value}` },
      body: body && JSON.stringify(body),
    });
  const used = await bearer();
  const first = await send(used);
  if (first.status !== 401) return;
  if (held?.value === used) held = undefined;
  await send(await bearer());
}

const work = (number) => call(calls[number % calls.length]).catch((error) => console.error(error.message));
const numbers = Array.from({ length: requests }, (_, number) => number);
if (process.env.BANKING_API_SITUATION === 'parallel') await Promise.all(numbers.map(work));
else for (const number of numbers) await work(number);
