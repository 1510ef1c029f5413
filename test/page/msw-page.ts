import { setupWorker } from 'msw/browser';
import { handlers } from '../../src/mock/msw/handlers.ts';

/** The tools of an application that shows the mock's page behind its service worker. */
export interface Tools {
  readonly setupWorker: typeof setupWorker;
  readonly handlers: typeof handlers;
}

Object.assign(globalThis, { tools: { setupWorker, handlers } satisfies Tools });
