import { join } from 'node:path';
import { packageRoot } from '../package-root.ts';
import { ASSUMED_PARAMETERS } from './assumed-ids.ts';
import type { MockOptions } from './mock.ts';
import type { Payload } from './payload.ts';
import { DEFAULT_PROFILE, type Profile } from './profile.ts';
import { recordsOf, renamed, type Seed } from './seed.ts';
import { isPrepared, type Served } from './served.ts';
import { SEEDED } from './state/kinds.ts';
import { withState } from './state/payload-with-state.ts';
import type { Base } from './state/records.ts';
import { createShapes } from './state/shapes.ts';
import { createState } from './state/state.ts';
import { openStore } from './store/open-store.ts';

/** The seed that the package's prepared one was made of: a start does without reading it, a change of it is served all the same. */
const SEED_FILE = join(packageRoot, 'mocks', 'seed.yaml');

/** What a mock remembers, and the tenant that it plays: what outlives a change of the contract. */
export interface Memory {
  readonly profile: () => Profile;
  /** The payloads of a contract, with state having its say. */
  withState(payload: Payload, served: Served): Payload;
  /** The records of a customer, by kind; absent where nothing is remembered. */
  readonly read?: (customerId: string) => unknown;
  /** Every customer starts again with the seed. */
  reset(): Promise<void>;
  /** Reads seed and profile again; what was sent stays. What does not hold throws, and leaves all as it was. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Reads profile and seed and opens the store.
 * @throws ToolError as {@link readProfile}, {@link readSeed} and {@link openStore} do.
 */
export async function createMemory(options: MockOptions, clock: () => number): Promise<Memory> {
  let profile = await loadProfile(options);
  let seed = await loadSeed(options);
  let base: Base = recordsOf(seed);
  const store = options.stateless ? undefined : await openStore(options.store, () => base);
  const state = store && {
    store,
    seed: () => seed,
    profile: () => profile,
    number: options.seed ?? 1,
    clock,
    usersNeedingQuestions: options.usersNeedingQuestions,
  };
  return {
    ...(store && {
      read: (customerId: string) =>
        store.transact(customerId, (draft) => Object.fromEntries(SEEDED.map((kind) => [kind, draft.list(kind)]))),
    }),
    profile: () => profile,
    withState(payload, served) {
      if (!state) return payload;
      const fit = isPrepared(options) ? undefined : createShapes(served.contract, state.number);
      return withState(payload, createState(state, served.plan.operations, fit));
    },
    async reset() {
      await store?.reset();
    },
    async reload() {
      const [newProfile, newSeed] = [
        await loadProfile(options),
        await loadSeed({ ...options, seedData: options.seedData ?? SEED_FILE }),
      ];
      profile = newProfile;
      seed = newSeed;
      base = recordsOf(seed);
    },
    async close() {
      await store?.close();
    },
  };
}

async function loadProfile({ profile }: MockOptions): Promise<Profile> {
  if (profile === undefined) return DEFAULT_PROFILE;
  if (typeof profile !== 'string') return { ...DEFAULT_PROFILE, ...profile };
  const { readProfile } = await import('./profile-file.ts');
  return readProfile(profile);
}

async function loadSeed({ seedData, seedIds = {} }: MockOptions): Promise<Seed> {
  const ids = new Map<string, string>();
  for (const [name, id] of Object.entries(seedIds)) {
    const role = ASSUMED_PARAMETERS[name];
    if (role !== undefined && role !== id && name !== 'customerId' && name !== 'currency') ids.set(role, id);
  }
  return renamed(await seedOf(seedData), ids);
}

async function seedOf(seedData: MockOptions['seedData']): Promise<Seed> {
  if (seedData === undefined) return (await import('../../generated/mock/seed.ts')).seed;
  if (typeof seedData !== 'string') return seedData;
  const { readSeed } = await import('./seed-file.ts');
  return readSeed(seedData);
}
