import type { ScenarioDefinition } from '../../../generated/mock/scenario.ts';
import { type Ends, NO_ENDS } from '../tokens/token-authority.ts';
import { type CommonWork, isStoreError } from './store.ts';

export interface CommonScenario {
  readonly id: string;
  readonly definition: ScenarioDefinition;
  readonly once: boolean;
}

/** What mocks that share a store have in common besides the records. */
export interface Common extends Record<string, unknown> {
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

/** The one record that holds it. */
const KIND = 'common';

export interface SharedState {
  /** True while something that was changed here is not yet known to the others. */
  readonly behind: boolean;
  /** Something changed here, which may be done again where another mock was faster. It is told to the others at once, or as soon as the store is back. */
  change(how: (common: Common) => Common): void;
  /** What was changed here is known to the others, and what they changed is known here. A store that does not answer leaves all as it was. */
  sync(): Promise<void>;
}

/** Keeps a mock in step with the others of its store. `adopt` gets what holds from now on, its own changes included. */
export function createShared(work: CommonWork, adopt: (common: Common) => void): SharedState {
  let adopted = NOTHING;
  const pending: ((common: Common) => Common)[] = [];
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  /** May run again where another mock was faster: the same is then done to what that one wrote. */
  const exchange = (changes: typeof pending): Promise<Common> =>
    work((draft) => {
      const held = (draft.get(KIND, KIND) ?? NOTHING) as Common;
      if (changes.length === 0) return held;
      const common = changes.reduce((before, how) => how(before), held);
      draft.put(KIND, KIND, common);
      return common;
    });

  const step = async (): Promise<void> => {
    let common: Common;
    try {
      do {
        const changes = [...pending];
        common = await exchange(changes);
        pending.splice(0, changes.length);
      } while (pending.length > 0);
    } catch (error) {
      // the store tells by its health that it does not take part
      if (!isStoreError(error)) throw error;
      return;
    }
    if (common === adopted) return;
    adopted = common;
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
