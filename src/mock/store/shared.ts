import type { ScenarioDefinition } from '../../../generated/mock/scenario.ts';
import { type Ends, NO_ENDS } from '../tokens/token-authority.ts';
import { type Cell, isStoreError } from './store.ts';

export interface CommonScenario {
  readonly id: string;
  readonly definition: ScenarioDefinition;
  readonly once: boolean;
}

/** What mocks that share a store have in common besides the records. */
export interface Common {
  /** Signs their tokens, in base64; null until the first of them has given one. */
  readonly key: string | null;
  readonly ends: Ends;
  /** Milliseconds that the clock was moved by. */
  readonly offset: number;
  readonly scenarios: readonly CommonScenario[];
  /** How often all of it was put back to the start. */
  readonly resets: number;
}

const NOTHING: Common = { key: null, ends: NO_ENDS, offset: 0, scenarios: [], resets: 0 };

export interface SharedState {
  /** True while something that was changed here is not yet known to the others. */
  readonly behind: boolean;
  /** Something changed here, which may be done again where another mock was faster. It is told to the others at once, or as soon as the store is back. */
  change(how: (common: Common) => Common): void;
  /** What was changed here is known to the others, and what they changed is known here. A store that does not answer leaves all as it was. */
  sync(): Promise<void>;
}

/** Keeps a mock in step with the others of its store. `adopt` gets what holds from now on, its own changes included. */
export function createShared(cell: Cell, adopt: (common: Common) => void): SharedState {
  let known = { version: '0', common: NOTHING };
  let adopted = NOTHING;
  const pending: ((common: Common) => Common)[] = [];
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  const write = async (): Promise<void> => {
    const count = pending.length;
    const common = pending.reduce((before, how) => how(before), known.common);
    const version = await cell.write(known.version, JSON.stringify(common));
    // where another mock was faster, the same is done to what it wrote
    if (version === null) return;
    known = { version, common };
    pending.splice(0, count);
  };

  const step = async (): Promise<void> => {
    try {
      do {
        const found = await cell.read(known.version);
        if (found) known = { version: found.version, common: commonOf(found.text) };
        if (pending.length > 0) await write();
      } while (pending.length > 0);
    } catch (error) {
      // the store tells by its health that it does not take part
      if (!isStoreError(error)) throw error;
      return;
    }
    if (known.common === adopted) return;
    adopted = known.common;
    adopt(adopted);
  };

  const sync = (): Promise<void> => {
    // one that runs may have read already: those who come now share the one after it
    next ??= last
      .catch(() => {})
      .then(() => {
        next = undefined;
        last = step();
        return last;
      });
    return next;
  };

  return {
    get behind() {
      return pending.length > 0;
    },
    change(how) {
      pending.push(how);
      sync().catch(() => {});
    },
    sync,
  };
}

/** What another program wrote there is as good as nothing. */
function commonOf(text: string): Common {
  try {
    const common = { ...NOTHING, ...(JSON.parse(text) as Partial<Common>) };
    const { key, ends, offset, scenarios, resets } = common;
    const hold =
      (key === null || typeof key === 'string') &&
      Array.isArray(ends.generations) &&
      typeof ends.tokens === 'object' &&
      scenarios.every(({ id, definition }) => typeof id === 'string' && typeof definition === 'object') &&
      Number.isFinite(offset) &&
      Number.isFinite(resets);
    return hold ? common : NOTHING;
  } catch {
    return NOTHING;
  }
}
