import type { Contract, Json, Provenance } from '../../contract/contract.ts';
import { ownFolder } from '../../contract/folder.ts';
import { weakest } from '../../contract/provenance.ts';
import { isObject } from '../../contract/schema-facts.ts';
import { ToolError } from '../../errors.ts';
import { joinPointer } from '../../pointer.ts';
import type { MockOptions, MockStatus } from '../mock.ts';
import type { Engine } from '../pipeline/prefer.ts';
import { isJson } from '../pipeline/validate-body.ts';
import type { Parts } from './parts.ts';
import type { Plan, PlannedOperation, Validators } from './plan.ts';
import { provenanceShown, recordedMedia } from './provenance.ts';

/** A contract that is served: what was compiled of it, and what is loaded on first need. */
export interface Served {
  readonly plan: Plan;
  readonly validators: Validators;
  readonly parts: Parts;
  contract(): Promise<Contract>;
  engine(): Promise<Engine>;
  /** What an answer that Prism made rests on. */
  provenanceOf(operation: PlannedOperation, status: number, body: unknown): Promise<Provenance>;
  /** What of a body that Prism made is shown: where the answer was recorded, nothing that is merely assumed. */
  shownOf(operation: PlannedOperation, status: number, body: unknown): Promise<unknown>;
}

/**
 * The package's own contract with its assumptions comes prepared, so that neither YAML nor Ajv nor Prism is loaded;
 * a contract that is given, or one with overlays, is compiled here.
 * @param again The files may have changed since they were compiled ahead.
 */
export async function loadServed(options: MockOptions, again = false): Promise<Served> {
  const seed = options.seed ?? 1;
  if (isPrepared(options) && !again) {
    const [{ plan }, { validators }, { parts }] = await Promise.all([
      import('../../../generated/mock/plan.ts'),
      import('../../../generated/mock/validators.ts'),
      import('../../../generated/mock/parts.ts'),
    ]);
    return served(
      { plan, validators, parts },
      once(() => loadMockContract(options)),
      seed,
    );
  }
  const contract = options.contract ?? (await loadMockContract(options));
  const [{ compileContract }, { partsOf }] = await Promise.all([import('./compile.ts'), import('./parts.ts')]);
  const parts = await partsOf(contract, again);
  return served({ ...(await compileContract(contract)), parts }, () => Promise.resolve(contract), seed);
}

/** True where what is served was compiled ahead. */
export function isPrepared({ contract, folder = ownFolder, overlays = [] }: MockOptions): boolean {
  return contract === undefined && folder.isOwn && overlays.length === 0;
}

/** The mock's contract: the spec, the assumptions, then the overlays given, and what recordings among them teach. */
export async function loadMockContract(options: MockOptions): Promise<Contract> {
  const { loadContract } = await import('../../contract/load.ts');
  const { folder = ownFolder, overlays = [] } = options;
  const contract = await loadContract({ folder, assumed: true, overlays });
  if (overlays.length === 0) return contract;
  const { taughtExamples } = await import('./recorded-examples.ts');
  const taught = taughtExamples(contract, options.seed ?? 1);
  return taught === null ? contract : loadContract({ folder, assumed: true, overlays: [...overlays, taught] });
}

function served(
  compiled: Pick<Served, 'plan' | 'validators' | 'parts'>,
  contract: () => Promise<Contract>,
  seed: number,
): Served {
  const engine = once(async () => {
    const [{ createPrismEngine }, { document }] = await Promise.all([import('../pipeline/prism.ts'), contract()]);
    return createPrismEngine(document, seed);
  });
  return {
    ...compiled,
    contract,
    engine,
    provenanceOf: async (operation, status, body) => provenanceMade(await contract(), operation, status, body),
    shownOf: async (operation, status, body) => shownMade(await contract(), operation, status, body, seed),
  };
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

async function shownMade(
  contract: Contract,
  { operationId }: PlannedOperation,
  status: number,
  body: unknown,
  seed: number,
): Promise<unknown> {
  const operation = contract.operation(operationId);
  if (operation === undefined || typeof body !== 'object' || body === null) return body;
  const recorded = recordedMedia(contract, operation).find(
    ({ status: code, media }) => code === String(status) && isJson(media.type) && media.schema !== undefined,
  );
  if (recorded === undefined) return body;
  const schema = joinPointer(recorded.media.pointer, 'schema');
  const { completeExample } = await import('../../contract/sample.ts');
  return completeExample(contract, schema, body as Json, { seed, known: true });
}

function provenanceMade(contract: Contract, planned: PlannedOperation, status: number, body: unknown): Provenance {
  const { responses } = contract.operation(planned.operationId) ?? { responses: [] };
  const named = responses.find((response) => response.status === String(status));
  const ranged = responses.find((response) => response.status === `${String(status)[0]}XX`);
  const response = named ?? ranged;
  if (!response) return 'assumed';
  const own = weakest(planned.located, contract.provenanceOf(response.pointer));
  if (body === undefined) return own;
  const [media] = response.content;
  const pointer = media ? joinPointer(media.pointer, 'schema') : null;
  const known = pointer !== null && isObject(contract.at(pointer));
  return weakest(own, provenanceShown(contract, body as Json, known ? pointer : null));
}

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
