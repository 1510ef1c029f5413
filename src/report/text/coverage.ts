import { PROVENANCES } from '../../contract/contract.ts';
import type { FieldCoverage, OperationCoverage, Report } from '../../model/report.ts';
import { plain } from '../../plain.ts';
import { partsOf, whyNotCalled } from '../reasons.ts';
import { count, wrap } from '../wrap.ts';
import type { Paint } from './paint.ts';

const MOST_ROWS = 8;

/** What was located, called and seen, in numbers; named is only what was not. The JSON report has each operation and field. */
export function coverageLines(report: Report, paint: Paint, width: number): string[] {
  const { operations } = report.coverage;
  if (operations.length === 0) return [];
  const { located, answered, unanswered, idle } = partsOf(operations);
  const by = PROVENANCES.filter((each) => each !== 'documented').flatMap((each) => {
    const own = located.filter((operation) => operation.located === each).length;
    return own === 0 ? [] : [`${own} ${each}`];
  });
  const unknown = namesOf(answered.filter(({ fields }) => fields.length === 0));
  return [
    `${located.length} of ${count(operations.length, 'operation')} located${by.length === 0 ? '' : ` (${by.join(', ')})`}, ${answered.length + unanswered.length} called`,
    ...fieldLine(located.flatMap(({ fields }) => fields)),
    ...unseenLines(answered, paint, width),
    ...named('called, but no field of the answer is known', unknown, paint, width),
    ...named('called, no good answer', namesOf(unanswered), paint, width),
    // where nothing answered, the head of the report says why
    ...(answered.length === 0
      ? []
      : [...whyNotCalled(idle, report.checks)].flatMap(([why, own]) =>
          named(`not called${why === '' ? '' : `, ${plain(why)}`}`, namesOf(own), paint, width),
        )),
    '',
  ];
}

function fieldLine(fields: readonly FieldCoverage[]): string[] {
  const parts = PROVENANCES.flatMap((provenance) => {
    const own = fields.filter((field) => field.provenance === provenance);
    return own.length === 0 ? [] : [`${own.filter(({ seen }) => seen > 0).length} of ${own.length} ${provenance}`];
  });
  return parts.length === 0 ? [] : [`fields seen: ${parts.join(', ')}`];
}

/** Known fields that no answer had; operations that miss the same stand in one row. */
function unseenLines(called: readonly OperationCoverage[], paint: Paint, width: number): string[] {
  const unseen = Map.groupBy(called, ({ fields }) =>
    fields.flatMap(({ pointer, seen }) => (seen === 0 ? [plain(pointer)] : [])).join(' '),
  );
  unseen.delete('');
  const rows = [...unseen].map(
    ([pointers, own]) => `${own.map(({ operationId }) => plain(operationId)).join(', ')}: ${pointers}`,
  );
  if (rows.length === 0) return [];
  const shown =
    rows.length > MOST_ROWS + 1
      ? [...rows.slice(0, MOST_ROWS), `and ${rows.length - MOST_ROWS} more (json report)`]
      : rows;
  return [
    'never seen:',
    ...shown.flatMap((row) =>
      wrap(row, width - 4).map((line, index) => `  ${index === 0 ? '' : '  '}${paint.dim(line)}`),
    ),
  ];
}

function namesOf(operations: readonly OperationCoverage[]): string[] {
  return operations.map(({ operationId }) => plain(operationId));
}

function named(what: string, ids: readonly string[], paint: Paint, width: number): string[] {
  if (ids.length === 0) return [];
  return [...wrap(`${what}:`, width), ...wrap(ids.join(', '), width - 2).map((line) => `  ${paint.dim(line)}`)];
}

/** Operations whose method and path nobody has told. */
export function notLocatedLines(operations: readonly OperationCoverage[], paint: Paint, width: number): string[] {
  const missing = operations
    .filter((operation) => operation.located === null)
    .map(({ operationId }) => plain(operationId));
  if (missing.length === 0) return [];
  return [
    `${count(missing.length, 'operation')} not located (known by name only, never called by guess):`,
    ...wrap(missing.join(', '), width - 2).map((line) => `  ${paint.dim(line)}`),
    '',
  ];
}
