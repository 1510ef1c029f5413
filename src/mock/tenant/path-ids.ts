import { pathParameters } from '../../contract/paths.ts';
import type { Plan } from '../compile/plan.ts';
import { type Entities, idOf, kindOf } from '../state/entities.ts';
import type { TenantRecords } from '../state/records.ts';

type Ids = Readonly<Record<string, string>>;

/**
 * Ids of one record and its parents for the path of each operation. A name such as `id` means another kind in each path.
 *
 * @param preferred ids of the records to use, by path parameter, if they exist
 */
export function idsOnPaths(
  { operations: planned }: Pick<Plan, 'operations'>,
  { file, operations }: Entities,
  records: Pick<TenantRecords, 'get' | 'first'>,
  preferred: Ids,
): Readonly<Record<string, Ids>> {
  /** The values of a record in its path, in their order, by the shape of the path. */
  const values = new Map<string, readonly unknown[]>();
  for (const { operationId, path } of planned) {
    const form = operations[operationId];
    const kind = kindOf(form ?? {}) ?? '';
    const id = idOf(file.kinds[kind]);
    if (!form || id === undefined || form.create || form.list || values.has(shapeOf(path))) continue;
    const record = records.get(kind, preferred[id] ?? '') ?? records.first(kind, () => true);
    if (record)
      values.set(
        shapeOf(path),
        pathParameters(path).map((name) => record[form.names?.[name] ?? name]),
      );
  }
  return Object.fromEntries(
    planned.map(({ operationId, path }) => {
      const known = upToEach(path).findLast((part) => values.has(shapeOf(part))) ?? '';
      const its = values.get(shapeOf(known)) ?? [];
      const ids = pathParameters(known).map((name, at) => [name, its[at]]);
      return [
        operationId,
        Object.fromEntries(ids.flatMap(([name, id]) => (id === undefined ? [] : [[name, String(id)]]))),
      ];
    }),
  );
}

/** The part of a body that names an existing record, for each operation whose path does not name it. */
export function idsInBodies(
  { file, kinds, operations }: Entities,
  records: Pick<TenantRecords, 'get' | 'first'>,
  preferred: Ids,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(operations).flatMap(([operationId, form]) => {
      const kind = kindOf(form) ?? '';
      const id = idOf(file.kinds[kind]) ?? '';
      if (form.sentId === undefined) return [];
      const own = (records.get(kind, preferred[id] ?? '') ?? records.first(kind, () => true))?.[id];
      const names = [...(form.sentAt?.split('.') ?? []), form.sentId];
      const named: unknown = kinds[kind]?.isNumbered ? Number(own) : own;
      const body = names.reduceRight((inner, name) => ({ [name]: inner }), named);
      return own === undefined ? [] : [[operationId, body]];
    }),
  );
}

/** The parts of a path that end with a parameter. */
function upToEach(path: string): string[] {
  return [...path.matchAll(/\}/g)].map(({ index }) => path.slice(0, index + 1));
}

function shapeOf(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, '{}');
}
