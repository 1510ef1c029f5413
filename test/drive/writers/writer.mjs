/**
 * Issues one card with a Node library and its real retry settings, chosen by name on the command line. `fresh`
 * puts a new reference into each run. Exits with 1 unless it worked.
 */
const { BANKING_API_BASE_URL: base, BANKING_API_USERNAME: username, BANKING_API_PASSWORD: password } = process.env;
const cards = `${base}/wallet/api/customers/c1/cards`;
const [, , name = '', reference] = process.argv;
const json = { alias: reference === 'fresh' ? `Travel ${crypto.randomUUID()}` : 'Travel', cardDesign: 'blue' };
const timeout = 3_000;

async function tokenHeaders() {
  const response = await fetch(`${base}/iam/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${username}:${password}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: token } = await response.json();
  return { authorization: `Bearer ${token}` };
}

async function got(headers, retry) {
  const { default: client } = await import('got');
  await client.post(cards, { json, headers, timeout: { request: timeout }, ...(retry && { retry }) });
}

async function ky(headers, retry) {
  const { default: client } = await import('ky');
  await client.post(cards, { json, headers, timeout, ...(retry && { retry }) });
}

async function undici(headers, methods) {
  const { Agent, request, RetryAgent } = await import('undici');
  const dispatcher = new RetryAgent(new Agent({ bodyTimeout: timeout, headersTimeout: timeout }), {
    maxRetries: 2,
    minTimeout: 50,
    ...(methods && { methods }),
  });
  const body = JSON.stringify(json);
  const type = { ...headers, 'content-type': 'application/json' };
  const answer = await request(cards, { dispatcher, method: 'POST', headers: type, body });
  await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`status ${answer.statusCode}`);
}

const WRITERS = {
  got: (headers) => got(headers),
  'got-with-post': (headers) => got(headers, { limit: 2, methods: ['POST'], backoffLimit: 100 }),
  ky: (headers) => ky(headers),
  'ky-with-post': (headers) => ky(headers, { limit: 2, methods: ['post'], retryOnTimeout: true, backoffLimit: 100 }),
  undici: (headers) => undici(headers),
  'undici-with-post': (headers) => undici(headers, ['POST']),
  async 'axios-retry'(headers) {
    const { default: axios } = await import('axios');
    const { default: axiosRetry } = await import('axios-retry');
    const client = axios.create({ headers, timeout });
    axiosRetry(client);
    await client.post(cards, json);
  },
};

await WRITERS[name]?.(await tokenHeaders()).catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
