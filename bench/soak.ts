/**
 * Many requests against one mock that create and remove records: `npm run bench:soak`, or with `-- --requests 100000`.
 * Fails if an answer is lost, memory grows, or a handle stays open. The load comes from a thread with its own heap.
 */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { startMock } from '../src/mock/start-mock.ts';

const CONNECTIONS = 20;
const LARGE = { count: 300, bytes: 900_000 };
const CARDS = '/wallet/api/customers/cust-1001/cards';
const NEW_CARD = JSON.stringify({
  cardProgramme: 'business-debit',
  cardDesign: 'plain',
  cardLimitDaily: 5000,
  currency: 'GBP',
});
/** Largest growth of the heap from the second to the last quarter, both after garbage collection. */
const MOST_GROWTH = 1.1;

interface Load {
  readonly url: string;
  readonly requests: number;
  readonly large: boolean;
}

/** Results of a load: answers by status, and requests without an answer. */
interface Answers {
  readonly statuses: Readonly<Record<number, number>>;
  readonly lost: number;
  /** Created without an id, so they could not be removed. */
  readonly unnamed: number;
}

if (isMainThread) await soak();
else parentPort?.postMessage(await drive(workerData as Load));

async function soak(): Promise<void> {
  const { values } = parseArgs({ options: { requests: { type: 'string', default: '1000000' } } });
  const requests = Number(values.requests);
  if (!Number.isSafeInteger(requests) || requests < 1000) throw new Error('--requests: a whole number from 1000 on');
  const collect = collector();
  // from its first use on, the stream is also a handle
  console.log(`${requests} requests over ${CONNECTIONS} connections`);
  const openBefore = process.getActiveResourcesInfo();
  const mock = await startMock({ anyToken: true });
  const problems: string[] = [];
  const heaps: number[] = [];
  const started = performance.now();
  for (let quarter = 0; quarter < 4; quarter += 1) {
    check(await loaded({ url: mock.url, requests: Math.floor(requests / 4), large: false }), [200, 201, 204], problems);
    heaps.push(await collect());
    console.log(`${(quarter + 1) * 25} %: ${heaps.at(-1)?.toFixed(1)} MB after collection`);
  }
  const perSecond = requests / ((performance.now() - started) / 1000);
  check(await loaded({ url: mock.url, requests: 3 * LARGE.count, large: true }), [200, 201, 204], problems);
  const afterLarge = await collect();
  console.log(`${LARGE.count} bodies of ${LARGE.bytes / 1000} kB: ${afterLarge.toFixed(1)} MB after collection`);
  const [, second = 0, , last = 0] = heaps;
  for (const heap of [last, afterLarge]) {
    if (heap > second * MOST_GROWTH) problems.push(`the heap grew from ${second.toFixed(1)} to ${heap.toFixed(1)} MB`);
  }
  await mock.close();
  await wait(100);
  const openAfter = process.getActiveResourcesInfo();
  if (openAfter.length > openBefore.length) problems.push(`open before: ${openBefore}; after: ${openAfter}`);
  console.log(
    `${requests} requests, ${Math.round(perSecond)} per second, then ${LARGE.count} bodies of ${LARGE.bytes / 1000} kB`,
  );
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

/** Collects garbage until the heap stops shrinking. Resolves to the remaining MB. */
function collector(): () => Promise<number> {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  return async () => {
    for (let round = 0; round < 3; round += 1) {
      await wait(20);
      gc();
    }
    return process.memoryUsage().heapUsed / 2 ** 20;
  };
}

async function loaded(load: Load): Promise<Answers> {
  const worker = new Worker(new URL(import.meta.url), { workerData: load });
  const [[answers]] = (await Promise.all([once(worker, 'message'), once(worker, 'exit')])) as [[Answers], unknown];
  return answers;
}

function check({ statuses, lost, unnamed }: Answers, wanted: readonly number[], problems: string[]): void {
  if (lost > 0) problems.push(`${lost} requests had no answer`);
  if (unnamed > 0) problems.push(`${unnamed} records were created without an id`);
  for (const [status, count] of Object.entries(statuses)) {
    if (!wanted.includes(Number(status))) problems.push(`${count} answers of status ${status}`);
  }
}

/** Runs in the thread. All connections share the requests. */
async function drive({ url, requests, large }: Load): Promise<Answers> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const statuses: Record<number, number> = {};
  let [left, lost, unnamed] = [requests, 0, 0];
  const body = large ? JSON.stringify({ alias: 'x'.repeat(LARGE.bytes) }) : NEW_CARD;
  const send = async (method: string, path: string, text?: string): Promise<string> => {
    left -= 1;
    try {
      const { status, answer } = await ask(agent, `${url}${path}`, method, text);
      statuses[status] = (statuses[status] ?? 0) + 1;
      return answer;
    } catch {
      lost += 1;
      return '{}';
    }
  };
  const one = async () => {
    while (left > 0) {
      const { cardId } = JSON.parse((await send('POST', CARDS, body)) || '{}') as { cardId?: string };
      if (cardId === undefined) {
        unnamed += 1;
        continue;
      }
      await send('GET', `${CARDS}/${cardId}`);
      await send('DELETE', `${CARDS}/${cardId}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, one));
  agent.destroy();
  return { statuses, lost, unnamed };
}

function ask(agent: Agent, url: string, method: string, body = ''): Promise<{ status: number; answer: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; answer: string }>();
  const headers = {
    authorization: 'Bearer any',
    ...(body && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  };
  const outgoing = request(url, { agent, method, headers, timeout: 30_000 }, (incoming) => {
    let answer = '';
    incoming.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
    });
    incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, answer })).on('error', reject);
  });
  outgoing.on('timeout', () => outgoing.destroy(new Error('no answer in 30 seconds'))).on('error', reject);
  outgoing.end(body);
  return promise;
}
