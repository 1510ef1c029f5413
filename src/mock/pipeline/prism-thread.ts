import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { JsonObject } from '../../schema/json.ts';
import { createPrism, type Prism } from './prism.ts';

interface Question {
  readonly asked: Parameters<Prism>;
  readonly port: MessagePort;
}

const { document, seed } = workerData as { readonly document: JsonObject; readonly seed: number };
const prism = await createPrism(document, seed);
parentPort?.on('message', async ({ asked: [{ call, ...request }, ...wishes], port }: Question) => {
  const body = call.body && Buffer.from(call.body);
  port.postMessage(await prism({ ...request, call: { ...call, body } }, ...wishes));
  port.close();
});
