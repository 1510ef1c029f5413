import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { JsonObject } from '../../contract/contract.ts';
import { type AskPrism, openPrism } from './prism.ts';

interface Question {
  readonly asked: Parameters<AskPrism>;
  readonly port: MessagePort;
}

const ask = await openPrism(workerData as JsonObject);
parentPort?.on('message', async ({ asked, port }: Question) => {
  port.postMessage(await ask(...asked));
  port.close();
});
