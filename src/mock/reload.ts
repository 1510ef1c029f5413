import { ToolError } from '../errors.ts';
import type { MockOptions, MockStatus } from './mock.ts';
import { loadMockContract, loadServed, type Served } from './served.ts';

export interface Reloader {
  reload(): Promise<MockStatus>;
  status(): MockStatus;
}

/**
 * Reads a contract again and hands it on if it can be served; what cannot leaves things as they are and is kept as the problem.
 * `also` reads what else the mock was made of, and throws before it changes anything.
 * One reading runs at a time; those who ask meanwhile share the one that follows it, since the files may have changed since it began.
 */
export function createReloader(
  options: MockOptions,
  serve: (fresh: Served) => void,
  also: (fresh: Served | undefined) => Promise<void> = async () => {},
): Reloader {
  let status: MockStatus = { contract: 'current', reloads: 0, problem: null };
  let running: Promise<MockStatus> | undefined;
  let next: Promise<MockStatus> | undefined;

  const read = async (): Promise<MockStatus> => {
    try {
      const fresh = options.contract ? undefined : await load();
      await also(fresh);
      if (fresh) serve(fresh);
      status = { contract: 'current', reloads: status.reloads + 1, problem: null };
    } catch (error) {
      status = { ...status, contract: 'stale', problem: problemOf(error) };
    }
    return status;
  };

  const load = async (): Promise<Served> => loadServed({ ...options, contract: await loadMockContract(options) }, true);

  const start = (): Promise<MockStatus> => {
    running = read().finally(() => {
      running = undefined;
    });
    return running;
  };

  return {
    reload() {
      if (!running) return start();
      next ??= running.then(() => {
        next = undefined;
        return start();
      });
      return next;
    },
    status: () => status,
  };
}

function problemOf(error: unknown): NonNullable<MockStatus['problem']> {
  if (!(error instanceof ToolError)) {
    const message = error instanceof Error ? error.message : String(error);
    return { message, file: null, line: null, column: null, description: message };
  }
  const { file = null, line = null, column = null } = error.place ?? {};
  return { message: error.message, file, line, column, description: error.describe() };
}
