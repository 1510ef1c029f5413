import { randomBytes } from 'node:crypto';
import type { SharedClock } from '../clock.ts';
import type { Answer } from '../message/answer.ts';
import type { ScenarioNews, Scenarios } from '../scenarios/scenarios.ts';
import { type End, type TokenAuthority, withEnd } from '../tokens/token-authority.ts';
import { createShared } from './shared.ts';
import type { CommonWork } from './store.ts';

/** The part of a mock in what those of its store have in common: tokens, active scenarios, clock. */
export interface Membership {
  readonly ended: (end: End) => void;
  readonly news: ScenarioNews;
  /** Takes over what holds among the others; from then on the mock follows them. `hasKey`: its tokens are signed with a key of its own. */
  join(parts: Joined): Promise<void>;
  sync(): Promise<void>;
  /** Serves in step: what the others did before a request counts for it, and what it did counts for them before it is answered. */
  around<In extends unknown[]>(serve: (...call: In) => Answer | Promise<Answer>): (...call: In) => Promise<Answer>;
}

interface Joined {
  readonly tokens: TokenAuthority;
  readonly scenarios: Scenarios;
  readonly hasKey: boolean;
}

export function createMembership(work: CommonWork, clock: SharedClock): Membership {
  let parts: Joined | undefined;
  let key: string | null = null;
  let resets: number | undefined;

  const shared = createShared(work, (common) => {
    if (!parts) return;
    const { tokens, scenarios, hasKey } = parts;
    // all that was there is gone: the mocks agree on the key that one of them has
    if (common.key === null && !hasKey) offerKey();
    const isOther = !hasKey && common.key !== null && common.key !== key;
    if (isOther) key = common.key;
    tokens.adopt(common.ends, isOther && key !== null ? Buffer.from(key, 'base64') : undefined);
    clock.adopt(common.offset);
    if (resets !== undefined && common.resets !== resets) scenarios.resetByAnother();
    resets = common.resets;
    scenarios.adopt(common.scenarios);
  });

  const offerKey = (): void => {
    const offered = key ?? randomBytes(32).toString('base64');
    shared.change((common) => (common.key === null ? { ...common, key: offered } : common));
  };

  return {
    ended: (end) => shared.change((common) => ({ ...common, ends: withEnd(common.ends, end, clock.now()) })),
    news: {
      activated: (scenario) =>
        // where the answer of the store was lost, the same is told twice
        shared.change((common) => ({
          ...common,
          scenarios: [...common.scenarios.filter(({ id }) => id !== scenario.id), scenario],
        })),
      deactivated: (gone) =>
        shared.change((common) => ({ ...common, scenarios: common.scenarios.filter(({ id }) => id !== gone) })),
      reset: () => shared.change((common) => ({ ...common, scenarios: [], resets: common.resets + 1 })),
    },
    async join(joining) {
      parts = joining;
      clock.onMove = (offset) => shared.change((common) => ({ ...common, offset }));
      if (!joining.hasKey) offerKey();
      await shared.sync();
    },
    sync: shared.sync,
    around:
      (serve) =>
      async (...call) => {
        await shared.sync();
        const answer = await serve(...call);
        if (shared.behind) await shared.sync();
        return answer;
      },
  };
}
