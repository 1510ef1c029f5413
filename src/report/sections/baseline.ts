import type { Report } from '../../model/report.ts';
import { type Block, type Section, table, text } from '../blocks.ts';
import { ruleTitle } from '../links.ts';
import { subjectOf } from '../summary.ts';
import { findingGroup } from './findings.ts';

export function acceptedSection(report: Report, root: string | undefined): Section {
  const blocks = report.accepted.map(({ finding, reason, owner, expires }): Block => {
    const by = owner === null ? '' : ` by ${owner}`;
    return {
      kind: 'group',
      title: `${ruleTitle(finding)} (${subjectOf(finding)}), until ${expires}`,
      open: false,
      blocks: [text(`Accepted until ${expires}${by}: ${reason}`), findingGroup(finding, report, root)],
    };
  });
  return { id: 'accepted', title: 'Accepted by the baseline', number: blocks.length, blocks };
}

export function staleSection({ stale }: Report): Section {
  const rows = stale.map(({ fingerprint, why }) => [{ code: fingerprint }, why]);
  const blocks = table(['Fingerprint', 'Why'], rows);
  return { id: 'stale', title: 'Stale in the baseline', number: stale.length, blocks };
}
