import type { EntitiesFile } from '../../../generated/mock/entities.ts';
import { memberAt } from '../../contract/conditions.ts';
import type { Hooks } from './hooks.ts';
import type { Asked, Kinds } from './kinds.ts';
import type { Draft, Value } from './records.ts';
import { compileForms, type Make } from './values.ts';

export type Transitions = ReturnType<typeof compileTransitions>;

const NOTHING: Value = {};

/** Timed changes (`becomes` with `then`) to records and the records they name. Saved at the tenant's next request. */
export function compileTransitions({ kinds: described }: EntitiesFile, kinds: Kinds, hooks: Hooks) {
  const touched = new Set<string>();
  const all = Object.entries(described).flatMap(([name, { becomes }]) => {
    const kind = kinds.get(name);
    if (!kind || becomes?.then === undefined) return [];
    const { at, then, ...values } = becomes;
    touched.add(name);
    const others = kind.references.flatMap(({ field, of }): { field: string; of: string; makes: Makes }[] => {
      const forms = Object.hasOwn(then, field) ? then[field] : undefined;
      if (!forms) return [];
      touched.add(of);
      return [{ field, of, makes: compileForms(forms, hooks) }];
    });
    const isDone = (record: Value): boolean =>
      Object.entries(values).every(([field, value]) => record[field] === value);
    return [
      {
        kind,
        /** Due time in milliseconds since the epoch; infinite if no change is pending. */
        timeOf(record: Value): number {
          const time = isDone(record) ? Number.NaN : Date.parse(String(memberAt(record, at)));
          return Number.isNaN(time) ? Number.POSITIVE_INFINITY : time;
        },
        settle(draft: Draft, asked: Asked, record: Value): void {
          const making = kind.change(draft, asked, record, NOTHING);
          for (const { field, of, makes } of others) {
            const id = String(record[field]);
            const named = draft.get(of, id);
            if (named)
              draft.put(of, id, { ...named, ...Object.fromEntries(makes.map(([to, make]) => [to, make(making)])) });
          }
          draft.put(kind.name, String(record[kind.id]), { ...record, ...values });
        },
      },
    ];
  });
  return {
    /** Kinds whose records may be out of date before `settle`. */
    kinds: touched as ReadonlySet<string>,
    /**
     * Applies every change that is due by the time of the request, the earliest first.
     * @param withUnsaved also changes of records that the draft has made
     */
    settle(draft: Draft, asked: Asked, withUnsaved = false): void {
      for (const { kind, timeOf, settle } of all) {
        if (!withUnsaved && draft.before.nextDue(kind.name, timeOf) > asked.now) continue;
        const due = draft.list(kind.name).filter((record) => timeOf(record) <= asked.now);
        due.sort((a, b) => timeOf(a) - timeOf(b));
        for (const record of due) settle(draft, asked, record);
        if (due.length === 0) draft.before.forgetDue(kind.name);
      }
    },
    /** Applies the pending change of a record that a new record will displace, so that the change is not lost. */
    makeRoom(draft: Draft, asked: Asked, name: string): void {
      const one = all.find(({ kind }) => kind.name === name);
      const leaving = one && draft.before.surplus(name);
      const record = leaving === undefined ? undefined : draft.get(name, leaving);
      if (one && record && one.timeOf(record) !== Number.POSITIVE_INFINITY) one.settle(draft, asked, record);
    },
  };
}

type Makes = readonly (readonly [field: string, make: Make])[];
