import type { Case } from './rule.ts';
import { defaultLifetime, GIVEN_UP, marginsOf } from './times.ts';
import { choices, type Sent, type Token, type Traffic } from './traffic.ts';

/** A token that was used after its expiry. */
export interface ExpiredUse {
  readonly token: Token;
  readonly issue: Sent;
  readonly expiresAt: number;
  readonly expiresIn: number;
  readonly uses: readonly Sent[];
  /** True where the token lived shorter than by default, and the default lifetime had not passed. */
  readonly withinDefault: boolean;
}

/** Every token that was used after its expiry, though no token request for a new one was under way or had failed. */
export function findExpiredUses({
  traffic,
  tolerance,
  contract,
  readAt,
}: Pick<Case, 'traffic' | 'tolerance' | 'contract' | 'readAt'>): ExpiredUse[] {
  const byDefault = defaultLifetime(contract);
  const { longest } = marginsOf(contract);
  const chosenAt = choices(traffic);
  return [...traffic.tokens.values()].flatMap((token) => {
    const issue = token.issues.at(-1);
    const { expiresAt, expiresIn } = token;
    // a token without any life left may be tried once, there is nothing to keep
    if (issue === undefined || expiresAt === null || expiresIn === null || expiresIn <= 0) return [];
    const uses = token.uses.filter(
      (use) =>
        chosenAt(use) > expiresAt + tolerance &&
        // a token request that is under way is not in the journal yet
        (readAt === null || readAt - use.start > GIVEN_UP) &&
        !isTrying(traffic, use, Math.max(issue.end, expiresAt - longest)),
    );
    const [first] = uses;
    if (first === undefined) return [];
    const withinDefault =
      byDefault !== null &&
      expiresIn < byDefault.from &&
      first.start <= issue.end + byDefault.seconds * 1000 + tolerance;
    return [{ token, issue, expiresAt, expiresIn, uses, withinDefault }];
  });
}

/** A token request that failed or is under way: the caller has nothing better. */
function isTrying({ tokenRequests }: Traffic, use: Sent, since: number): boolean {
  return tokenRequests.some(({ start, end, status }) => {
    const failed = status === null || status >= 300;
    return start >= since && start <= use.start && (failed || end >= use.start);
  });
}
