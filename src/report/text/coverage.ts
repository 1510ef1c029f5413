import { PROVENANCES } from '../../contract/contract.ts';
import type { FieldCoverage, OperationCoverage, Report } from '../../model/report.ts';
import { plain } from '../../plain.ts';
import { partsOf, whyNotCalled } from '../words/reasons.ts';
import { count, hanging, wrap } from '../wrap.ts';
import type { Page } from './page.ts';

const MOST_ROWS = 8;

/** Operations whose method and path nobody has told. */
export function notLocatedLines(operations: readonly OperationCoverage[], page: Page): string[] {
  const { notLocated } = partsOf(operations);
  const title = `${count(notLocated.length, 'operation')} not located (known by name only, never called by guess)`;
  return notLocated.length === 0 ? [] : [...named(title, notLocated, page), ''];
}

/** What was located, called and seen, in numbers; named is only what was not. The JSON report has each operation and field. */
export function coverageLines(report: Report, page: Page): string[] {
  const { operations } = report.coverage;
  if (operations.length === 0) return [];
  const { located, answered, unanswered, idle } = partsOf(operations);
  const by = PROVENANCES.filter((each) => each !== 'documented').flatMap((each) => {
    const own = located.filter((operation) => operation.located === each).length;
    return own === 0 ? [] : [`${own} ${each}`];
  });
  const unknown = answered.filter(({ fields }) => fields.length === 0);
  return [
    `${located.length} of ${count(operations.length, 'operation')} located${by.length === 0 ? '' : ` (${by.join(', ')})`}, ${answered.length + unanswered.length} called`,
    ...fieldLine(located.flatMap(({ fields }) => fields)),
    ...unseenLines(answered, page),
    ...named('called, but no field of the answer is known', unknown, page),
    ...named('called, no good answer', unanswered, page),
    // where nothing answered, the head of the report says why
    ...(answered.length === 0
      ? []
      : [...whyNotCalled(idle, report.checks)].flatMap(([why, own]) =>
          named(`not called${why === '' ? '' : `, ${plain(why)}`}`, own, page),
        )),
    '',
  ];
}

function fieldLine(fields: readonly FieldCoverage[]): string[] {
  const parts = PROVENANCES.flatMap((provenance) => {
    const own = fields.filter((field) => field.provenance === provenance);
    return own.length === 0 ? [] : [`${own.filter((field) => field.seen > 0).length} of ${own.length} ${provenance}`];
  });
  return parts.length === 0 ? [] : [`fields seen: ${parts.join(', ')}`];
}

/** Known fields that no answer had; operations that miss the same stand in one row. */
function unseenLines(called: readonly OperationCoverage[], { width, dim }: Page): string[] {
  const unseen = Map.groupBy(called, ({ fields }) =>
    fields
      .filter((field) => field.seen === 0)
      .map(({ pointer }) => plain(pointer))
      .join(' '),
  );
  unseen.delete('');
  if (unseen.size === 0) return [];
  const rows = [...unseen].map(([pointers, own]) => `${namesOf(own)}: ${pointers}`);
  const shown =
    rows.length > MOST_ROWS + 1
      ? [...rows.slice(0, MOST_ROWS), `and ${rows.length - MOST_ROWS} more (json report)`]
      : rows;
  const lines = shown.flatMap((row) => hanging(row, width));
  return ['never seen:', ...lines.map((line) => line.replace(/\S.*/, dim))];
}

function namesOf(operations: readonly OperationCoverage[]): string {
  return operations.map(({ operationId }) => plain(operationId)).join(', ');
}

function named(what: string, operations: readonly OperationCoverage[], { width, dim }: Page): string[] {
  if (operations.length === 0) return [];
  return [...wrap(`${what}:`, width), ...wrap(namesOf(operations), width - 2).map((line) => `  ${dim(line)}`)];
}
