import { ToolError } from '../../errors.ts';
import type { PlannedOperation } from '../compile/plan.ts';
import type { LabelledAnswer, MadeAnswer } from '../compile/provenance.ts';
import type { MockOptions, MockStatus } from '../mock.ts';
import { type CompiledContract, compiledContract } from './compiled-contract.ts';
import type { Prism } from './prism.ts';

export interface Served extends CompiledContract {
  prism(): Promise<Prism>;
  labelled(operation: PlannedOperation, made: MadeAnswer): Promise<LabelledAnswer>;
}

/** @param again The files may have changed since they were read. */
export async function loadServed(options: MockOptions, again = false): Promise<Served> {
  const { seed = 1 } = options;
  const compiled = await compiledContract(options, again);
  const { contract } = compiled;
  const prism = once(async () => {
    const { document } = await contract();
    if (options.engine === 'prism') return (await import('./prism.ts')).createPrism(document, seed);
    return (await import('./prism-worker.ts')).prismInThread(document, seed);
  });
  // the mock must not start without its engine
  if (options.engine === 'prism') await prism();
  return {
    ...compiled,
    prism,
    async labelled(operation, made) {
      const [{ labelled }, loaded] = await Promise.all([import('../compile/provenance.ts'), contract()]);
      return labelled(loaded, operation, made, seed);
    },
  };
}

/** Loads a value once. A failure is not cached, so the next caller tries again. */
export function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}

/**
 * Reads a contract again and passes it on if it can be served. Otherwise nothing changes, and the status names the
 * problem. One read runs at a time.
 * @param take receives the new contract, or undefined if the caller passed an object. It throws before it changes
 * anything.
 */
export function createReloader(options: MockOptions, take: (fresh: Served | undefined) => Promise<void>) {
  let status: MockStatus = { contract: 'current', reloads: 0, problem: null };
  let last = Promise.resolve(status);

  const read = async (): Promise<MockStatus> => {
    try {
      await take(options.contract ? undefined : await loadServed(options, true));
      status = { contract: 'current', reloads: status.reloads + 1, problem: null };
    } catch (error) {
      status = { ...status, contract: 'stale', problem: problemOf(error) };
    }
    return status;
  };

  const reload = (): Promise<MockStatus> => {
    last = last.then(read);
    return last;
  };

  return { reload, status: (): MockStatus => status };
}

function problemOf(error: unknown): NonNullable<MockStatus['problem']> {
  if (!(error instanceof ToolError)) {
    const message = error instanceof Error ? error.message : String(error);
    return { message, file: null, line: null, column: null, description: message };
  }
  const { file = null, line = null, column = null } = error.place ?? {};
  return { message: error.message, file, line, column, description: error.describe() };
}
