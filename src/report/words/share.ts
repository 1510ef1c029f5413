import type { Report, Share } from '../../model/report.ts';
import { count, firstFew } from '../../text/words.ts';
import { documentedFields, operationParts } from './reasons.ts';

const MOST_LOST = 3;

/** How much of the contract a run covered; null for a report without coverage. */
export function shareOf({
  coverage: { operations },
  checks,
}: {
  readonly coverage: Pick<Report['coverage'], 'operations'>;
  readonly checks: Report['checks'];
}): Share | null {
  if (operations.length === 0) return null;
  const { answered, unanswered, notLocated } = operationParts(operations);
  const skipped = checks.flatMap(({ why, operationId }) => (why?.kind === 'skipped' ? [operationId] : []));
  return {
    operations: { called: answered.length + unanswered.length, of: operations.length },
    fields: documentedFields(operations),
    skipped: new Set(skipped).size,
    notLocated: notLocated.length,
  };
}

/** `9 of 45 operations called, 17 of 53 documented fields seen (22 not located)`; with a smaller share, what is missing. */
export function shareText(report: Pick<Report, 'coverage' | 'checks' | 'since'>): string {
  const share = shareOf(report);
  if (share === null) return '';
  const { operations, fields, skipped, notLocated } = share;
  const apart = [
    ...(notLocated === 0 ? [] : [`${notLocated} not located`]),
    ...(skipped === 0 ? [] : [`${skipped} skipped`]),
  ];
  const covered = [
    `${operations.called} of ${count(operations.of, 'operation')} called`,
    ...(fields.of === 0 ? [] : [`${fields.seen} of ${count(fields.of, 'documented field')} seen`]),
  ];
  return [covered.join(', ') + (apart.length === 0 ? '' : ` (${apart.join(', ')})`), ...lossIn(report)].join('; ');
}

function lossIn({ since, coverage }: Pick<Report, 'coverage' | 'since'>): string[] {
  if (since?.lost === undefined) return [];
  const { operations } = since.lost;
  const empty = new Set(
    coverage.operations.flatMap((each) =>
      each.fields.every(({ of }) => of === 0) && each.goodAnswers ? [each.operationId] : [],
    ),
  );
  const named = operations.map((id) => (empty.has(id) ? `${id} had no items` : id));
  return [`less than on ${since.previous.slice(0, 10)}: ${firstFew(named, MOST_LOST)}`];
}

/** Where a parameter comes from that the configuration does not give. */
export function originText(from: string | null): string {
  return `from ${from ?? 'an example of the document'}`;
}
