/** Real programs with one bad habit each, selected by name on the command line. */
import { setTimeout as sleep } from 'node:timers/promises';
import { base, basic, card, createHolder, fetchToken, password, run, username } from './program.mjs';

const get = (token, url = card) => fetch(url, { headers: { authorization: `Bearer ${token}` } });
const tokens = createHolder(fetchToken);

/** A correct caller with one part to change. */
function caller({ holder = tokens, send = get } = {}) {
  return async () => {
    const token = await holder.get();
    const first = await send(token);
    if (first.status !== 401) return first;
    holder.drop(token);
    return send(await holder.get());
  };
}

const askWith =
  (headers, body, query = '') =>
  async () => {
    const url = `${base}/iam/oauth/token${query}`;
    const response = await fetch(url, { method: 'POST', headers, body });
    if (!response.ok) throw new Error(`the token endpoint answered ${response.status}`);
    const answer = await response.json();
    return { value: answer.access_token, expiresIn: answer.expires_in };
  };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

const habits = {
  'token-per-request': () => async () => {
    const { value } = await fetchToken();
    const first = await get(value);
    return first.status === 401 ? get((await fetchToken()).value) : first;
  },
  'no-retry': () => async () => {
    const token = await tokens.get();
    const answer = await get(token);
    if (answer.status === 401) tokens.drop(token);
  },
  'gives-up': () => async () => {
    if ((await get(await tokens.get())).status === 401) process.exit(1);
  },
  'retries-with-the-dead-token': () => async () => {
    const token = await tokens.get();
    const first = await get(token);
    return first.status === 401 ? get(token) : first;
  },
  'retries-thrice': () => async () => {
    for (let attempt = 0; attempt < 4; attempt++) {
      const token = await tokens.get();
      const answer = await get(token);
      if (answer.status !== 401) return answer;
      tokens.drop(token);
    }
  },
  'refreshes-for-ever': () => async () => {
    for (;;) {
      const token = await tokens.get();
      const answer = await get(token);
      if (answer.status !== 401) return answer;
      tokens.drop(token);
    }
  },
  'no-single-flight': () => {
    let held;
    const fresh = async () => {
      const { value, expiresIn } = await fetchToken();
      held = { value, until: Date.now() + expiresIn * 900 };
      return value;
    };
    const holder = {
      get: async () => (held && Date.now() < held.until ? held.value : fresh()),
      drop: (value) => {
        if (held?.value === value) held = undefined;
      },
    };
    return caller({ holder });
  },
  'refreshes-for-each-late-401': () => {
    let held = createHolder(fetchToken);
    // any rejected token makes it drop the current one
    const drop = () => {
      held = createHolder(fetchToken);
    };
    return caller({ holder: { get: () => held.get(), drop } });
  },
  'ignores-expires-in': () =>
    caller({ holder: createHolder(async () => ({ ...(await fetchToken()), expiresIn: 3600 })) }),
  'reads-exp': () => {
    const request = async () => {
      const { value } = await fetchToken();
      const { exp } = JSON.parse(Buffer.from(value.split('.')[1], 'base64url'));
      return { value, expiresIn: exp - Date.now() / 1000 };
    };
    return caller({ holder: createHolder(request) });
  },
  'prints-its-token': () => async () => {
    const token = await tokens.get();
    console.log(`GET ${card} with ${token}`);
    return get(token);
  },
  'sends-undefined': () =>
    caller({ send: (token) => get(token, `${base}/wallet/api/customers/c1/cards/${undefined}`) }),
  'credentials-in-the-form': () => {
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: username,
      client_secret: password,
    });
    return caller({ holder: createHolder(askWith(form, String(body))) });
  },
  'grant-in-the-query': () =>
    caller({ holder: createHolder(askWith({ authorization: basic }, undefined, '?grant_type=client_credentials')) }),
  'token-in-the-query': () => async () => fetch(`${card}?access_token=${await tokens.get()}`),
  'bearer-undefined': () => async () => {
    const token = await tokens.get().catch(() => undefined);
    const first = await get(token);
    if (first.status !== 401 || token === undefined) return first;
    tokens.drop(token);
    return get(await tokens.get());
  },
  'hammers-the-token-endpoint': () => {
    const holder = createHolder(async () => {
      for (let attempt = 0; ; attempt++) {
        try {
          return await fetchToken();
        } catch (error) {
          if (attempt > 20) throw error;
          await sleep(5);
        }
      }
    });
    return caller({ holder });
  },
  'no-margin': () => {
    let held;
    return caller({
      holder: {
        async get() {
          if (held && Date.now() < held.until) return held.value;
          const { value, expiresIn } = await fetchToken();
          held = { value, until: Date.now() + expiresIn * 1000 };
          return value;
        },
        drop: (value) => {
          if (held?.value === value) held = undefined;
        },
      },
    });
  },
  'renews-on-401-only': () =>
    caller({ holder: createHolder(async () => ({ ...(await fetchToken()), expiresIn: 86_400 })) }),
  'renews-on-403': () => {
    const again = caller();
    return async () => {
      const answer = await again();
      if (answer.status !== 403) return answer;
      tokens.drop(await tokens.get());
      return again();
    };
  },
  'renews-on-429': () => {
    const again = caller();
    return async () => {
      const answer = await again();
      if (answer.status !== 429) return answer;
      tokens.drop(await tokens.get());
      await tokens.get();
      await sleep(1000 * Number(answer.headers.get('retry-after')));
      return again();
    };
  },
  'tight-loop-on-429': () => {
    const again = caller();
    return async () => {
      for (let attempt = 0; attempt < 100; attempt++) {
        const answer = await again();
        if (answer.status !== 429) return answer;
      }
    };
  },
  'repeats-a-403': () => {
    const again = caller();
    return async () => {
      for (let attempt = 0; attempt < 4; attempt++) {
        const answer = await again();
        if (answer.status !== 403) return answer;
        await sleep(120 * 2 ** attempt);
      }
    };
  },
  'resends-a-write-without-an-answer': () =>
    caller({
      async send(token) {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        const issue = (limit) =>
          fetch(`${base}/wallet/api/customers/c1/cards`, {
            ...{ method: 'POST', headers, body: JSON.stringify({ alias: 'a' }) },
            signal: AbortSignal.timeout(limit),
          });
        return issue(400).catch(() => issue(10_000));
      },
    }),
  'hammers-for-a-longer-life': () => {
    let held;
    const left = () => (held ? held.until - Date.now() : 0);
    const holder = {
      async get() {
        for (let attempt = 0; attempt < 40 && left() < 1_000; attempt++) {
          const { value, expiresIn } = await fetchToken();
          held = { value, until: Date.now() + expiresIn * 900 };
        }
        return held.value;
      },
      drop: () => {
        held = undefined;
      },
    };
    return caller({ holder });
  },
  'token-for-each-part': () => {
    const parts = [];
    // each worker of a pool has its own token
    return () => {
      const own = createHolder(fetchToken);
      parts.push(own);
      return caller({ holder: own })();
    };
  },
  'credentials-in-the-query': () =>
    caller({
      holder: createHolder(
        askWith(form, 'grant_type=client_credentials', `?client_id=${username}&client_secret=${password}`),
      ),
    }),
  'asks-in-json': () =>
    caller({
      holder: createHolder(
        askWith(
          { authorization: basic, 'content-type': 'application/json' },
          JSON.stringify({ grant_type: 'client_credentials' }),
        ),
      ),
    }),
  'asks-by-get': () => async () => {
    await fetch(`${base}/iam/oauth/token`, { headers: { authorization: basic } });
  },
  'basic-for-calls': () => async () => fetch(card, { headers: { authorization: basic } }),
  'token-in-the-path': () => caller({ send: (token) => get(token, `${base}/wallet/api/customers/c1/cards/${token}`) }),
  'secret-in-the-query': () => caller({ send: (token) => get(token, `${card}?iban=DE02120300000000202051`) }),
  'another-method': () =>
    caller({ send: (token) => fetch(card, { method: 'PATCH', headers: { authorization: `Bearer ${token}` } }) }),
  'limit-as-text': () =>
    caller({
      send: (token) =>
        fetch(`${base}/wallet/api/customers/c1/cards`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ cardLimitDaily: '1000' }),
        }),
    }),
  'broken-json': () =>
    caller({
      send: (token) =>
        fetch(`${base}/wallet/api/customers/c1/cards`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: '{"cardLimitDaily": ',
        }),
    }),
  'deprecated-fees': () =>
    caller({ send: (token) => get(token, `${base}/iam/api/customers/c1/client/k1/card/fees/EUR`) }),
};

await run(habits[process.argv[2] ?? '']());
