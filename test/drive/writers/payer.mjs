/**
 * Issues cards in the way that its first argument names. `safe` looks for a card before it issues it again; `unsafe`
 * sends the same request again. Exits with 1 unless all cards were issued.
 */
import { randomUUID } from 'node:crypto';

const { BANKING_API_BASE_URL: base, BANKING_API_USERNAME: username, BANKING_API_PASSWORD: password } = process.env;
const [, , way = '', care = 'safe'] = process.argv;
const authorization = await fetch(`${base}/iam/oauth/token`, {
  method: 'POST',
  headers: { authorization: `Basic ${btoa(`${username}:${password}`)}` },
  body: new URLSearchParams({ grant_type: 'client_credentials' }),
}).then(async (answer) => `Bearer ${(await answer.json()).access_token}`);

async function send(card, headers = {}) {
  const answer = await fetch(`${base}/wallet/api/customers/c1/cards`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(card),
    signal: AbortSignal.timeout(2_000),
  });
  await answer.text();
  if (!answer.ok) throw new Error(`status ${answer.status}`);
}

async function cards() {
  const path = `${base}/wallet/api/customers/c1/clients/client-2001/cards`;
  return (await fetch(path, { headers: { authorization } })).text();
}

const times = (text, part) => text.split(part).length - 1;

/** Issues a card. A safe program repeats it only if the list lacks it. `wanted` cards may have the alias. */
async function issue(card, { headers = () => ({}), wanted = 1 } = {}) {
  try {
    await send(card, headers());
  } catch {
    // the bank may still be at work
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    if (care === 'safe' && times(await cards(), card.alias) >= wanted) return;
    await send(card, headers());
  }
}

const shuffled = (list) => list.toSorted(() => Math.random() - 0.5);
const each = (names, run) => names.reduce((before, name) => before.then(() => run(name)), Promise.resolve());

const WAYS = {
  /** A fresh reference in each card. */
  reference: () => each(['Rent', 'Food'], (name) => issue({ alias: `${name} ${randomUUID()}`, cardDesign: 'blue' })),
  /** One batch id in all cards of a run. */
  batch(id = randomUUID()) {
    return each(['Rent', 'Food'], (name) => issue({ alias: name, cardDesign: id }));
  },
  /** Two identical cards on purpose. */
  twins: () => each([1, 2], (wanted) => issue({ alias: 'Twin', cardDesign: 'blue' }, { wanted })),
  /** A limit drawn from two. */
  drawn: () => issue({ alias: 'Drawn', cardDesign: 'blue', cardLimitDaily: Math.random() < 0.5 ? 100 : 200 }),
  /** The time in the body. */
  time: () => issue({ alias: `At ${Date.now()}`, cardDesign: new Date().toISOString() }),
  /** Parallel cards in random order. */
  parallel: () =>
    Promise.all(shuffled(['Rent', 'Food', 'Fun']).map((name) => issue({ alias: name, cardDesign: 'blue' }))),
  /** A fresh key for each attempt, which protects from nothing. */
  keys: () => issue({ alias: 'Keyed', cardDesign: 'blue' }, { headers: () => ({ 'idempotency-key': randomUUID() }) }),
  /** Works through a queue after other work. */
  async queue() {
    const queue = ['Rent', 'Food'].map((name) => ({ alias: `${name} ${randomUUID()}`, cardDesign: 'blue' }));
    await cards();
    for (const card of queue) await issue(card);
  },
};

await WAYS[way]().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
