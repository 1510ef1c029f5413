import { setupWorker } from 'msw/browser';
import { handlers } from '../../src/mock/msw/handlers.ts';

/** What an application has that shows the page of the mock behind its service worker. */
export interface Tools {
  readonly setupWorker: typeof setupWorker;
  readonly handlers: typeof handlers;
}

Object.assign(globalThis, { tools: { setupWorker, handlers } satisfies Tools });
