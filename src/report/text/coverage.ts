import { PROVENANCES } from '../../spec/contract.ts';
import { plain } from '../plain.ts';
import type { DeprecationWatch, FieldCoverage, OperationCoverage } from '../report.ts';
import { count, wrap } from '../wrap.ts';
import type { Paint } from './paint.ts';

const MOST_ROWS = 8;

/** What was located, called and seen, in numbers; named is only what was not. The JSON report has each operation and field. */
export function coverageLines(operations: readonly OperationCoverage[], paint: Paint, width: number): string[] {
  if (operations.length === 0) return [];
  const located = operations.filter((operation) => operation.located !== null);
  const called = located.filter(({ exercised }) => exercised);
  const silent = located.filter(({ exercised }) => !exercised).map(({ operationId }) => plain(operationId));
  const by = PROVENANCES.filter((each) => each !== 'documented').flatMap((each) => {
    const own = located.filter((operation) => operation.located === each).length;
    return own === 0 ? [] : [`${own} ${each}`];
  });
  const unknown = called.filter(({ fields }) => fields.length === 0).map(({ operationId }) => plain(operationId));
  return [
    `${located.length} of ${count(operations.length, 'operation')} located${by.length === 0 ? '' : ` (${by.join(', ')})`}, ${called.length} called`,
    ...fieldLine(located.flatMap(({ fields }) => fields)),
    ...unseenLines(called, paint, width),
    ...named('called, but no field of the answer is known', unknown, paint, width),
    ...named('not called', called.length === 0 ? [] : silent, paint, width),
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

function named(what: string, ids: readonly string[], paint: Paint, width: number): string[] {
  if (ids.length === 0) return [];
  return [`${what}:`, ...wrap(ids.join(', '), width - 2).map((line) => `  ${paint.dim(line)}`)];
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

/** The deprecated forms and what is known of each. */
export function deprecationLines(watches: readonly DeprecationWatch[]): string[] {
  if (watches.length === 0) return [];
  const unknown = watches.filter(({ alive }) => alive === null);
  if (unknown.length === watches.length) {
    return [`  not known whether they live: ${unknown.map(({ operationId }) => plain(operationId)).join(', ')}`, ''];
  }
  return [
    ...watches.map(({ operationId, successor, alive, sameShape, deprecation, sunset }) => {
      const facts = [
        alive === null ? 'not known whether it lives' : alive ? 'alive' : 'withdrawn',
        ...(sameShape === null ? [] : [sameShape ? 'same shape' : 'another shape']),
        ...(alive === true
          ? [deprecation === null ? 'no Deprecation header' : `deprecated ${since(deprecation)}`]
          : []),
        ...(sunset === null ? [] : [`Sunset ${sunset}`]),
      ];
      return plain(`  ${operationId} → ${successor}: ${facts.join(', ')}`);
    }),
    '',
  ];
}

/** RFC 9745: `@` and seconds since the epoch; anything else is shown as it is. */
function since(deprecation: string): string {
  const [, seconds] = /^@(\d{1,11})$/.exec(deprecation) ?? [];
  return seconds === undefined ? deprecation : `since ${new Date(Number(seconds) * 1000).toISOString().slice(0, 10)}`;
}
