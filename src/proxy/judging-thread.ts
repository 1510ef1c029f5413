import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Contract } from '../contract/contract.ts';
import { withDeclaredReads } from '../contract/effects.ts';
import { loadContract } from '../contract/load.ts';
import { loadMockContract } from '../mock/compile/mock-contract.ts';
import { createRedactor } from '../redact/redact.ts';
import { asMock, guardsOf, isOfMock, type Target } from '../run/target.ts';
import { locate } from './calls.ts';
import { createJudging } from './judging.ts';
import { type Beginning, type JudgingReply, type JudgingRequest, sizeOf } from './judging-queue.ts';
import { learnSecrets } from './secrets.ts';

/** The thread that judges a proxy's exchanges. It loads the contract again and learns secrets from the exchanges. */
const { opened, options, secrets, secretNames, startedAt, sentIds } = workerData as Beginning;
const port = parentPort as MessagePort;
const send = (reply: JudgingReply): void => port.postMessage(reply);

const { folder, overlays = [], effects } = options;
const load = { ...(folder && { folder }), overlays };
const declared = async (contract: Promise<Contract>): Promise<Contract> => withDeclaredReads(await contract, effects);
let target: Target = {
  ...opened,
  contract: await declared(opened.embedded ? loadMockContract(load) : loadContract(load)),
  assumptions: opened.embedded ? null : declared(loadContract({ ...load, assumed: true })),
  mock: null,
  [Symbol.asyncDispose]: async () => {},
};
target.assumptions?.catch(() => {});
/** If the target turns out to be a mock, the mock's assumptions also apply. */
let known: Promise<Target> | undefined;
const { redactor } = guardsOf(target, { ...options, redactor: createRedactor({ secrets }) }, () => false);
redactor.learnNames(secretNames);
const judging = createJudging({
  options: { ...options, onEvent: (event) => send({ kind: 'event', event }) },
  target: async () => (await known) ?? target,
  redact: redactor.text,
  onJudged: (judged) => send({ kind: 'judged', exchanges: judged.length, bytes: sum(judged.map(sizeOf)) }),
  ...{ startedAt, sentIds },
});

port.on('message', async (request: JudgingRequest) => {
  if (request.kind === 'report') return send({ kind: 'report', report: await judging.report(request.endedAt) });
  const { exchange, isJudged } = request;
  if (target.kind !== 'mock' && isJudged && isOfMock(exchange)) known ??= becomeMock();
  learnSecrets(exchange, redactor);
  const reached = locate(target.contract, exchange.request.method, exchange.request.target);
  if (reached !== null) redactor.learnFrom(reached.pathParameters);
  if (isJudged) judging.add(exchange);
});

async function becomeMock(): Promise<Target> {
  target = await asMock(target, options);
  return target;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
