import { once } from 'node:events';
import { MessageChannel, Worker } from 'node:worker_threads';
import { ToolError } from '../../errors.ts';
import { modulePath } from '../../package-root.ts';
import type { JsonObject } from '../../schema/json.ts';
import { findPrism, type Prism } from './prism.ts';

/** Milliseconds without a request after which the thread ends. */
const IDLE = 30_000;

type Answered = Awaited<ReturnType<Prism>>;

/**
 * Prism in a thread, which the first request starts. So no other request waits until Prism is loaded.
 * @throws ToolError `engine-missing` if Prism is not installed
 */
export function prismInThread(document: JsonObject, seed: number): Prism {
  findPrism(import.meta.url);
  let current: ReturnType<typeof start> | undefined;
  const idle = setTimeout(() => current?.thread.terminate(), IDLE).unref();
  const start = () => {
    const workerData = { document, seed };
    const thread = new Worker(modulePath('src/mock/pipeline/prism-thread'), { workerData, execArgv: [] });
    thread.unref();
    const ended = once(thread, 'exit').then(
      () => new Error('Prism ended without an answer'),
      // Prism could not be loaded: an error loses its class on the way from a thread
      ({ message }: Error) => new ToolError('engine-missing', message),
    );
    void ended.then(() => {
      current = undefined;
    });
    return { thread, ended };
  };
  return async ({ operation, parameters, call, body, preference }, ...wishes) => {
    current ??= start();
    const { thread, ended } = current;
    idle.refresh();
    const { port1: port, port2 } = new MessageChannel();
    const answered = new Promise<Answered | undefined>((resolve) => {
      port.once('message', resolve).once('close', () => resolve(undefined));
    });
    const { operationId, method, path } = operation;
    const { headers, query } = call;
    const sent = { operation: { operationId, method, path }, parameters, call: { headers, query, body: call.body } };
    thread.postMessage({ asked: [{ ...sent, body, preference }, ...wishes], port: port2 }, [port2]);
    const answer = await answered;
    if (answer === undefined) throw await ended;
    return 'status' in answer ? { ...answer, body: answer.body && Buffer.from(answer.body) } : answer;
  };
}
