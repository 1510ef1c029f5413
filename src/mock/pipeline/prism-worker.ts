import { once } from 'node:events';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { JsonObject } from '../../contract/contract.ts';
import { type ErrorCode, ToolError } from '../../errors.ts';
import { modulePath } from '../../package-root.ts';
import { type AskPrism, findPrism } from './prism.ts';

type Answered = Awaited<ReturnType<AskPrism>>;

/** Milliseconds without a request after which the thread ends. */
const IDLE = 30_000;

/**
 * Prism in a thread, which the first request starts. So no other request waits until Prism is loaded.
 * @throws ToolError `engine-missing` if Prism is not installed
 */
export function prismInThread(document: JsonObject): AskPrism {
  findPrism(import.meta.url);
  let current: ReturnType<typeof start> | undefined;
  const idle = setTimeout(() => current?.thread.terminate(), IDLE).unref();
  const start = () => {
    const thread = new Worker(modulePath('src/mock/pipeline/prism-thread'), { workerData: document, execArgv: [] });
    thread.unref();
    const ended = once(thread, 'exit').then(
      () => new Error('Prism ended without an answer'),
      (error: Error & { readonly code?: ErrorCode; readonly hint?: string }) =>
        // an error loses its class on the way from a thread
        error.code === 'engine-missing' ? new ToolError(error.code, error.message, { hint: error.hint }) : error,
    );
    void ended.then(() => {
      current = undefined;
    });
    return { thread, ended };
  };
  return async (...asked) => {
    const { thread, ended } = (current ??= start());
    idle.refresh();
    const { port1, port2 } = new MessageChannel();
    const answered = new Promise<Answered | undefined>((resolve) => {
      port1.once('message', resolve).once('close', () => resolve(undefined));
    });
    thread.postMessage({ asked, port: port2 }, [port2]);
    return (await answered) ?? Promise.reject(await ended);
  };
}
