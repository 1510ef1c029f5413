import { Agent, request } from 'node:http';
import { base, basic, card, createHolder, run } from './program.mjs';

const agent = new Agent({ keepAlive: true });

function send(url, options, body) {
  return new Promise((resolve, reject) => {
    const asked = request(url, { ...options, agent }, (answer) => {
      const chunks = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => resolve({ status: answer.statusCode, text: Buffer.concat(chunks).toString() }));
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

const tokens = createHolder(async () => {
  const headers = { authorization: basic, 'content-type': 'application/x-www-form-urlencoded' };
  const { status, text } = await send(
    `${base}/iam/oauth/token`,
    { method: 'POST', headers },
    'grant_type=client_credentials',
  );
  if (status !== 200) throw new Error(`the token endpoint answered ${status}`);
  const { access_token: value, expires_in: expiresIn } = JSON.parse(text);
  return { value, expiresIn };
});

await run(async () => {
  const token = await tokens.get();
  const get = (value) => send(card, { headers: { authorization: `Bearer ${value}` } });
  const first = await get(token);
  if (first.status !== 401) return first;
  tokens.drop(token);
  return get(await tokens.get());
});
agent.destroy();
