import type { PlannedOperation } from '../compile/plan.ts';
import { mulberry32 } from '../state/random.ts';
import type { ScenarioRule } from './definition.ts';
import { createHeldToken, type HeldToken, type ScenarioTokens } from './held-token.ts';
import { createQuota, type QuotaCounter } from './quota.ts';

/** When in the life of a request a rule has its say. */
export type Stage = 'arrival' | 'token' | 'body' | 'answer';

/** A rule of an active scenario, with its counts. */
export interface ActiveRule {
  readonly rule: ScenarioRule;
  readonly stage: Stage;
  concerns(operation: PlannedOperation, parameters: Readonly<Record<string, string>>): boolean;
  /** Counts a request that the rule concerns, and says whether its effects come. `token` is the Authorization field. */
  strikes(token: string | undefined): boolean;
  /** Milliseconds that the answer is to wait. */
  wait(): number;
  /** What is left of the quota of a token, of this request on. */
  readonly quota: QuotaCounter | undefined;
  /** What the token endpoint gave out before. */
  readonly held: HeldToken | undefined;
}

export function createActiveRule(rule: ScenarioRule, seed: number, name: string, tokens: ScenarioTokens): ActiveRule {
  const named = rule.operations && new Set(rule.operations);
  const random = createRandom(seed, name);
  let seen = 0;
  let struck = 0;
  let condemned: string | undefined;

  const due = (): boolean => {
    seen += 1;
    if (seen <= (rule.after ?? 0) || struck >= (rule.times ?? Number.POSITIVE_INFINITY)) return false;
    if (rule.probability !== undefined && random() >= rule.probability) return false;
    struck += 1;
    return true;
  };

  return {
    rule,
    quota: rule.quota && createQuota(rule.quota, tokens.now),
    held: rule.issue && createHeldToken(tokens),
    stage: stageOf(rule),
    concerns(operation, parameters) {
      const byName = named ? named.has('*') || named.has(operation.operationId) : operation.auth !== 'issues';
      if (!byName || (rule.deprecated !== undefined && rule.deprecated !== operation.deprecated)) return false;
      return Object.entries(rule.parameters ?? {}).every(([key, value]) => parameters[key] === value);
    },
    strikes(token) {
      if (rule.token?.which !== 'first') return due();
      if (condemned === undefined && due()) condemned = token ?? '';
      return condemned === (token ?? '');
    },
    wait() {
      const { delay } = rule;
      if (typeof delay !== 'object') return delay ?? 0;
      const [least, most] = delay.between;
      return least + random() * (most - least);
    },
  };
}

function stageOf({
  token,
  quota,
  answer,
  withdraw,
  change,
  rewrite,
  fault,
  delay,
  expired,
  issue,
}: ScenarioRule): Stage {
  if (expired !== undefined || issue) return 'answer';
  if (token || quota) return 'token';
  if (answer) return answer.at ?? 'arrival';
  if (withdraw !== undefined || (delay !== undefined && !change && !rewrite && !fault)) return 'arrival';
  return 'answer';
}

/** Numbers from 0 up to 1, the same for the same seed and name (by its FNV-1a hash). */
function createRandom(seed: number, name: string): () => number {
  let state = 0x811c9dc5 ^ (seed >>> 0);
  for (let index = 0; index < name.length; index += 1) state = Math.imul(state ^ name.charCodeAt(index), 0x01000193);
  const next = mulberry32(state);
  return () => next() / 4_294_967_296;
}
