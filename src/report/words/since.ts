import type { Finding } from '../../model/finding.ts';
import type { Report } from '../../model/report.ts';

export type Newness = 'new' | 'known';

export type NewnessOf = (finding: Pick<Finding, 'fingerprint'>) => Newness | null;

export function newnessIn({ since }: Pick<Report, 'since'>): NewnessOf {
  if (since === undefined) return () => null;
  const fresh = new Set(since.new);
  return ({ fingerprint }) => (fresh.has(fingerprint) ? 'new' : 'known');
}
