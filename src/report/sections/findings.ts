import type { Finding } from '../../model/finding.ts';
import type { Report } from '../../model/report.ts';
import { count } from '../../text/words.ts';
import {
  type Block,
  type BlockGroup,
  type Inline,
  type LabelledLine,
  list,
  pageTable,
  pairs,
  type Section,
  text,
} from '../blocks.ts';
import { pageName, rulePage, ruleTitle, shownAt } from '../links.ts';
import { type Newness, newnessIn } from '../since.ts';
import { byOperation, requestOf, subjectOf } from '../summary.ts';
import { basisText } from '../words/basis.ts';
import { infoLines, partInfos } from '../words/infos.ts';
import { ticketTime } from '../words/tickets.ts';

const MOST_EXCHANGES = 5;
const MOST_OPEN = 60;

export function findingsSection(report: Report, root: string | undefined): Section {
  const newness = newnessIn(report);
  const { loud } = partInfos(report.findings);
  const blocks = byOperation(loud, newness).flatMap((group): Block[] => {
    const [first] = group;
    if (first === undefined) return [];
    const call = requestOf(first);
    const title = [subjectOf(first), ...(call === '' ? [] : ['  ', { code: call }])];
    const open = loud.length <= MOST_OPEN;
    return [
      { kind: 'group', title, open, blocks: group.map((each) => findingGroup(each, report, root, newness(each))) },
    ];
  });
  return { id: 'findings', title: 'Findings', number: loud.length, blocks };
}

export function findingGroup(
  finding: Finding,
  { tool }: Pick<Report, 'tool'>,
  root: string | undefined,
  newness: Newness | null = null,
): BlockGroup {
  const { severity, rule, pointer, message, expected, actual, location, reference, ticket } = finding;
  const { compatibility = 'unknown' } = finding;
  const { file, line, column } = shownAt(finding, root);
  const title: Inline[] = [
    { chip: severity, tone: severity },
    ' ',
    { code: rule },
    ...(pointer === '' ? [] : [' at ', { code: pointer }]),
    ` (${basisText(finding)}${compatibility === 'unknown' ? '' : `, ${compatibility}`})`,
    ...(newness === 'new' ? [' ', { chip: 'new', tone: 'plain' } as const] : []),
  ];
  const page = { link: `docs/rules/${pageName(finding)}.md`, to: rulePage(finding, tool.version) };
  const facts: LabelledLine[] = [
    ['expected', expected === '' ? '' : { code: expected }],
    ['actual', actual === '' ? '' : { code: actual }],
    [
      'contract',
      location === null ? reference : [{ code: `${file}:${line}:${column}` }, reference && `, ${reference}`],
    ],
    ['rule', [`${ruleTitle(finding)}: `, page]],
    ['seen', seenLine(finding)],
    ['at', ticket === undefined ? '' : ticketTime(ticket)],
  ];
  const command: Block[] = ticket?.curl ? [{ kind: 'command', command: ticket.curl }] : [];
  const id = `f-${finding.fingerprint}`;
  return { kind: 'group', title, tone: severity, id, blocks: [text(message), pairs(facts), ...command] };
}

function seenLine({ occurrences, exchanges, fingerprint, firstSeen, lastConfirmed }: Finding): Inline[] {
  const numbers = exchanges.slice(0, MOST_EXCHANGES).join(', ');
  const more = exchanges.length > MOST_EXCHANGES ? ', …' : '';
  const parts = [
    count(occurrences, 'time'),
    ...(exchanges.length === 0 ? [] : [`exchange${exchanges.length === 1 ? '' : 's'} ${numbers}${more}`]),
    ...(firstSeen === undefined ? [] : [`first on ${firstSeen.slice(0, 10)}`]),
    ...(lastConfirmed === undefined ? [] : [`last confirmed on ${lastConfirmed.slice(0, 10)}`]),
  ];
  return [`${parts.join(', ')}, fingerprint `, { code: fingerprint }];
}

export function infosSection({ findings }: Report): Section {
  const { infos } = partInfos(findings);
  const rows = infos.map((each) => [
    { code: each.fingerprint },
    { code: each.rule },
    { code: `${each.operationId ?? ''} ${each.pointer}`.trim() },
    { code: each.expected },
    { code: each.actual },
  ]);
  const each = pageTable('Each of them', ['Fingerprint', 'Rule', 'Place', 'Expected', 'Actual'], rows);
  const blocks = infos.length === 0 ? [] : [...list(infoLines(infos)), each];
  return { id: 'infos', title: 'Worth knowing', number: infos.length, blocks };
}
