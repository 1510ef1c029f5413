import { weakest } from '../spec/basis.ts';
import type { Contract, Json, Provenance } from '../spec/contract.ts';
import { joinPointer } from '../spec/pointer.ts';
import { assumptionsFile } from './assumptions.ts';
import type { Engine } from './engine.ts';
import type { MockOptions } from './mock.ts';
import type { Plan, PlannedOperation, Validators } from './plan.ts';
import { isObject, provenanceShown } from './shown.ts';

/** A contract that is served: what was compiled of it, and what is loaded on first need. */
export interface Served {
  readonly plan: Plan;
  readonly validators: Validators;
  contract(): Promise<Contract>;
  engine(): Promise<Engine>;
  /** What an answer that Prism made rests on. */
  provenanceOf(operation: PlannedOperation, status: number, body: unknown): Promise<Provenance>;
}

/**
 * The package's own contract with its assumptions comes prepared, so that neither YAML nor Ajv nor Prism is loaded;
 * a contract that is given, or one with overlays, is compiled here.
 */
export async function loadServed(options: MockOptions): Promise<Served> {
  const seed = options.seed ?? 1;
  const prepared = options.contract === undefined && (options.overlays ?? []).length === 0;
  if (prepared) {
    const [{ plan }, { validators }] = await Promise.all([
      import('./generated/plan.ts'),
      import('./generated/validators.ts'),
    ]);
    return served(
      { plan, validators },
      once(() => loadWith(options)),
      seed,
    );
  }
  const contract = options.contract ?? (await loadWith(options));
  const { compileContract } = await import('./compile.ts');
  return served(await compileContract(contract), () => Promise.resolve(contract), seed);
}

/** The mock's contract: the spec, the assumptions, then the overlays given. */
async function loadWith(options: MockOptions): Promise<Contract> {
  const { loadContract } = await import('../spec/load.ts');
  const overlays = [assumptionsFile, ...(options.overlays ?? [])];
  const contract = await loadContract({ overlays });
  if (overlays.length === 1) return contract;
  const { taughtExamples } = await import('./taught.ts');
  const taught = taughtExamples(contract, options.seed ?? 1);
  return taught === null ? contract : loadContract({ overlays: [...overlays, taught] });
}

function served(
  compiled: { readonly plan: Plan; readonly validators: Validators },
  contract: () => Promise<Contract>,
  seed: number,
): Served {
  const engine = once(async () => {
    const [{ createPrismEngine }, { document }] = await Promise.all([import('./prism.ts'), contract()]);
    return createPrismEngine(document, seed);
  });
  return {
    ...compiled,
    contract,
    engine,
    provenanceOf: async (operation, status, body) => provenanceMade(await contract(), operation, status, body),
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
