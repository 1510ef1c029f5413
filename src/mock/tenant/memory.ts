import type { Roles } from '../../../generated/mock/entities.ts';
import type { Tenant } from '../../contract/contract.ts';
import type { Payload } from '../compile/request.ts';
import { field } from '../message/call.ts';
import type { MockOptions } from '../mock.ts';
import { repeatingMembers } from '../state/repeated-members.ts';
import { createReshape } from '../state/reshape.ts';
import { type Remembered, type StateOptions, withState } from '../state/state.ts';
import { openStore } from '../store/open-store.ts';
import { createInitialRecords, type InitialRecords } from './initial-records.ts';
import { namedFile } from './named-file.ts';
import type { ContractParts, Parts } from './parts.ts';
import { type Profile, profileOver, readProfile } from './profile.ts';
import { folderSeed } from './read-parts.ts';
import { heldSeed } from './read-seed.ts';
import { renamed, type Seed } from './seed.ts';

export type Memory = Awaited<ReturnType<typeof createMemory>>;

/**
 * The state of a mock and the profile it plays. They outlive a change of the contract.
 * @throws ToolError like {@link readProfile}, {@link folderSeed} and {@link openStore}.
 */
export async function createMemory(options: MockOptions, first: Parts, clock: () => number) {
  let profile = await loadProfile(options, first);
  const now = clock();
  const startsOf = (given: Seed, parts: Parts, played: Profile): InitialRecords =>
    createInitialRecords(given, parts, { number: options.seed ?? 1, now, profile: played });
  let starts = startsOf(await loadSeed(options, first), first, profile);
  // a stateless mock still applies the rules of the contract, with state in memory
  const where = options.stateless ? undefined : options.store;
  const store = await openStore(where, (tenant) => starts.base(tenant), options.onStoreProblem);
  const state: StateOptions = {
    ...{ store, clock, number: options.seed ?? 1, rulesOnly: options.stateless ?? false },
    seed: (tenant: string) => starts.seed(tenant),
    profile: () => profile,
  };
  return {
    /** For access outside the contract's operations; undefined without state. */
    remembered: options.stateless ? undefined : state,
    signingKey: store.signingKey,
    get storeProblem() {
      return store.problem;
    },
    profile: () => profile,
    starts: () => starts,
    withState(payload: Payload, { whole, parts, plan }: ContractParts): Payload {
      const tenantOf = tenantIn(plan.tenant, parts.entities.file.roles);
      const remembered = { plan, entities: parts.entities, hooks: parts.hooks, tenantOf };
      if (whole === undefined) return withState(payload, state, { ...remembered, reshape: undefined });
      const reshape = createReshape(whole, state.number);
      return withState(repeatingMembers(payload, whole), state, { ...remembered, reshape });
    },
    reset: () => store.reset(),
    /** Reads seed and profile again and keeps the state. Throws if a file is invalid, and then changes nothing. */
    async reload(parts: Parts): Promise<void> {
      const [newProfile, newSeed] = await Promise.all([loadProfile(options, parts), loadSeed(options, parts)]);
      starts = startsOf(newSeed, parts, newProfile);
      profile = newProfile;
    },
    close: () => store.close(),
  };
}

/** The tenant of a request. A request without a tenant gets the tenant of the roles. */
function tenantIn(tenant: Tenant | null, roles: Roles = {}): Remembered['tenantOf'] {
  if (tenant === null) return () => '';
  const { name, in: place } = tenant;
  const usual = roles.parameters?.[name] ?? '';
  if (place === 'path') return (_, parameters) => parameters[name] ?? usual;
  if (place === 'query') return ({ query }) => new URLSearchParams(query).get(name) ?? usual;
  return (call) => field(call, name.toLowerCase()) ?? usual;
}

async function loadProfile({ profile }: MockOptions, { profile: usual, folder, entities }: Parts): Promise<Profile> {
  if (profile === undefined) return usual;
  if (typeof profile !== 'string') return profileOver(usual, profile);
  return readProfile(profile, usual, folder, entities.file.words);
}

async function loadSeed(options: MockOptions, { seed, folder, entities }: Parts): Promise<Seed> {
  const { seedData = seed, seedIds = {} } = options;
  return renamed(await givenSeed(seedData), entities.file, seedIds);

  async function givenSeed(data: string | Seed): Promise<Seed> {
    // the contract's seed was validated when it was read
    if (data === seed) return data;
    if (typeof data === 'string') {
      const file = await namedFile('seed', data, folder.seeds, { default: folder.seed });
      return folderSeed({ ...folder, seed: file }, entities);
    }
    return heldSeed(data, entities, folder, async (pointer) => ({ file: 'seedData', pointer }));
  }
}
