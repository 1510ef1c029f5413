import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { createJournalWriter } from '../journal/write.ts';
import { createRedactor } from '../redact/redact.ts';
import { asMock, guardsOf, openTarget, type Target } from '../run/target.ts';
import { createJudging } from './judging.ts';
import { type Beginning, type JudgingReply, type JudgingRequest, sizeOf } from './judging-queue.ts';

/** The thread that records and judges a proxy's exchanges. It loads the contract again. */
const { opened, options, journal, secrets, secretNames, startedAt, sentIds } = workerData as Beginning;
const port = parentPort as MessagePort;
const send = (reply: JudgingReply): void => port.postMessage(reply);

const loaded = await openTarget({ ...options, target: opened.baseUrl });
const target: Target = { ...(opened.embedded ? await asMock(loaded, options) : loaded), ...opened };
const { redactor } = guardsOf(target, { redactor: createRedactor({ secrets }) }, () => false);
redactor.learnNames(secretNames);
const shapes = journal === 'shapes' ? { shapes: loaded.contract } : {};
let lines: string[] = [];
const judging = createJudging({
  ...{ options, target, redactor, startedAt, sentIds },
  journal: journal && createJournalWriter((line) => lines.push(line), { redactor, ...shapes }),
  onEvent: (event) => send({ kind: 'event', event }),
  onDone: (done) => send({ kind: 'done', exchanges: done.length, bytes: sum(done.map(sizeOf)) }),
});

port.on('message', async (request: JudgingRequest) => {
  if (request.kind === 'report') return send({ kind: 'report', report: await judging.report(request.endedAt) });
  for (const passed of request.batch) judging.take(passed);
  if (lines.length > 0) send({ kind: 'lines', lines: lines.join('') });
  lines = [];
});

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
