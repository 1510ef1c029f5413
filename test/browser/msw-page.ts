import { setupWorker } from 'msw/browser';
import { handlers } from '../../src/mock/msw/handlers.ts';
import { startMock } from '../../src/mock/start-mock.ts';

/** The modules of the test page, as a frontend's bundler would bundle them. */
export interface Tools {
  readonly setupWorker: typeof setupWorker;
  readonly handlers: typeof handlers;
  readonly startMock: typeof startMock;
  readonly origin: string;
}

const { location } = globalThis as unknown as { location: { origin: string } };
const page: Tools = { setupWorker, handlers, startMock, origin: location.origin };
Object.assign(globalThis, { page });
