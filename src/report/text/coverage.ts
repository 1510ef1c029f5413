import { PROVENANCES } from '../../spec/contract.ts';
import { plain } from '../plain.ts';
import type { DeprecationWatch, FieldCoverage, OperationCoverage } from '../report.ts';
import { count, wrap } from '../wrap.ts';
import type { Paint } from './paint.ts';

/** What was located, called and seen, a line per operation that was called or could have been. */
export function coverageLines(operations: readonly OperationCoverage[], paint: Paint, width: number): string[] {
  const located = operations.filter((operation) => operation.located !== null);
  const fields = located.flatMap((operation) => operation.fields);
  const exercised = located.filter((operation) => operation.exercised);
  if (operations.length === 0) return [];
  const name = Math.max(...operations.map(({ operationId }) => operationId.length));
  return [
    `${located.length} of ${count(operations.length, 'operation')} located, ${exercised.length} called; ` +
      `${seenOf(fields)} of ${count(fields.length, 'known field')} seen`,
    ...located.map(({ operationId, located: by, exercised: called, fields: own }) => {
      const label = plain(operationId).padEnd(name);
      const how = (by === 'documented' ? '' : `${by} path, `) + (called ? fieldSummary(own) : 'not called');
      const unseen = called ? neverSeen(own, width - name - how.length - 8) : '';
      const line = `  ${label}  ${how}${unseen}`;
      return called ? line : paint.dim(line);
    }),
    '',
  ];
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

function fieldSummary(fields: readonly FieldCoverage[]): string {
  if (fields.length === 0) return 'called; no field of its answer is known';
  const parts = PROVENANCES.flatMap((provenance) => {
    const own = fields.filter((field) => field.provenance === provenance);
    return own.length === 0 ? [] : [`${seenOf(own)} of ${own.length} ${provenance}`];
  });
  return `${parts.join(', ')} fields seen`;
}

function neverSeen(fields: readonly FieldCoverage[], room: number): string {
  const unseen = fields.filter(({ seen }) => seen === 0).map(({ pointer }) => plain(pointer));
  if (unseen.length === 0) return '';
  const text = `; never: ${unseen.join(' ')}`;
  return text.length <= room ? text : '';
}

function seenOf(fields: readonly FieldCoverage[]): number {
  return fields.filter(({ seen }) => seen > 0).length;
}
