import type { Contract } from '../../contract/contract.ts';
import { ownFolder } from '../../contract/folder.ts';
import { ToolError } from '../../errors.ts';
import type { MockOptions, MockStatus } from '../mock.ts';
import type { Engine } from '../pipeline/prism.ts';
import type { Parts, Plan, PlannedExample, PlannedOperation, Validators } from './plan.ts';
import type { LabelledAnswer, MadeAnswer } from './provenance.ts';

/** A contract that is served: what was compiled of it, and what is loaded on first need. */
export interface Served {
  readonly plan: Plan;
  readonly validators: Validators;
  readonly parts: Parts;
  contract(): Promise<Contract>;
  engine(): Promise<Engine>;
  /** Examples of a media type of an answer that has none. */
  madeUp(operation: PlannedOperation, type: string): Promise<readonly PlannedExample[]>;
  /** What of an answer that Prism made is shown, and what that rests on. */
  labelled(operation: PlannedOperation, made: MadeAnswer): Promise<LabelledAnswer>;
}

/**
 * The package's own contract with its assumptions comes prepared, so that neither YAML nor Ajv nor Prism is loaded;
 * a contract that is given, or one with overlays, is compiled here.
 * @param again The files may have changed since they were compiled ahead.
 */
export async function loadServed(options: MockOptions, again = false): Promise<Served> {
  const { seed = 1 } = options;
  const contract = once(async () => options.contract ?? loadMockContract(options));
  const engine = once(async () => {
    const [{ createPrismEngine }, { document }] = await Promise.all([import('../pipeline/prism.ts'), contract()]);
    return createPrismEngine(document, seed);
  });
  const prepared = isPrepared(options) && !again;
  return {
    ...(prepared ? await readPrepared() : await compile(await contract(), again, seed)),
    contract,
    engine,
    async madeUp(operation, type) {
      const [made, loaded] = await Promise.all([import('./made-up.ts'), contract()]);
      return made.madeUp(loaded, operation, type, seed);
    },
    async labelled(operation, made) {
      const [{ labelled }, loaded] = await Promise.all([import('./provenance.ts'), contract()]);
      return labelled(loaded, operation, made, seed);
    },
  };
}

type Constant = Pick<Served, 'plan' | 'validators' | 'parts'>;

async function readPrepared(): Promise<Constant> {
  const [{ plan }, { validators }, { parts }] = await Promise.all([
    import('../../../generated/mock/plan.ts'),
    import('../../../generated/mock/validators.ts'),
    import('../../../generated/mock/parts.ts'),
  ]);
  return { plan, validators, parts };
}

async function compile(contract: Contract, again: boolean, seed: number): Promise<Constant> {
  const [{ compileContract }, { partsOf }] = await Promise.all([import('./compile.ts'), import('./parts.ts')]);
  const parts = await partsOf(contract, again);
  return { ...(await compileContract(contract, seed)), parts };
}

/** True where what is served was compiled ahead. */
export function isPrepared({ contract, folder = ownFolder, overlays = [] }: MockOptions): boolean {
  return contract === undefined && folder.isOwn && overlays.length === 0;
}

/** The mock's contract: the spec, the assumptions, then the overlays given, and examples in the shapes that recordings among them show. */
export async function loadMockContract(options: MockOptions): Promise<Contract> {
  const { loadContract } = await import('../../contract/load.ts');
  const { folder = ownFolder, overlays = [], signal } = options;
  const load = { folder, assumed: true, ...(signal && { signal }) };
  const contract = await loadContract({ ...load, overlays });
  if (overlays.length === 0) return contract;
  const { recordedExamples } = await import('./recorded-examples.ts');
  const examples = recordedExamples(contract, options.seed ?? 1);
  return examples === null ? contract : loadContract({ ...load, overlays: [...overlays, examples] });
}

/** What is loaded once; a failure is not kept, so that the next caller may be luckier. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}

export interface Reloader {
  reload(): Promise<MockStatus>;
  status(): MockStatus;
}

/**
 * Reads a contract again and hands it on if it can be served; what cannot leaves things as they are and is kept as the problem.
 * One reading runs at a time; those who ask meanwhile share the one that follows it, since the files may have changed since it began.
 *
 * @param take gets the fresh contract (undefined where it was given as an object), and throws before it changes anything
 */
export function createReloader(options: MockOptions, take: (fresh: Served | undefined) => Promise<void>): Reloader {
  let status: MockStatus = { contract: 'current', reloads: 0, problem: null };
  let running: Promise<MockStatus> | undefined;
  let next: Promise<MockStatus> | undefined;

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
    if (running) {
      next ??= running.then(() => {
        next = undefined;
        return reload();
      });
      return next;
    }
    running = read().finally(() => {
      running = undefined;
    });
    return running;
  };

  return { reload, status: () => status };
}

function problemOf(error: unknown): NonNullable<MockStatus['problem']> {
  if (!(error instanceof ToolError)) {
    const message = error instanceof Error ? error.message : String(error);
    return { message, file: null, line: null, column: null, description: message };
  }
  const { file = null, line = null, column = null } = error.place ?? {};
  return { message: error.message, file, line, column, description: error.describe() };
}
