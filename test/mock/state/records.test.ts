import { array, assert, constantFrom, nat, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { Draft, MOST_CREATED, TenantRecords, type Value } from '../../../src/mock/state/records.ts';

const KIND = 'thing';
const seed = { [KIND]: new Map([['seed-1', { id: 'seed-1', note: 'of the seed' }]]) };

function change(records: TenantRecords, work: (draft: Draft) => void): void {
  const draft = new Draft(records);
  work(draft);
  records.apply(draft.changes);
}

/** As many created records as objects, and as many as bytes. */
function full(): { records: TenantRecords; model: Map<string, Value> } {
  const records = new TenantRecords(() => seed);
  const model = new Map<string, Value>(seed[KIND]);
  for (let index = 0; index < MOST_CREATED; index += 1) {
    const value = { id: `made-${index}`, note: `ä ${index}` };
    change(records, (draft) => draft.put(KIND, value.id, value));
    model.set(value.id, value);
  }
  return { records, model };
}

const { records, model } = full();

test('every created record is read back, in the order of creation', () => {
  const draft = new Draft(records);
  expect(draft.list(KIND)).toEqual([...model.values()]);
  for (const at of [0, 1, MOST_CREATED / 2 - 1, MOST_CREATED / 2, MOST_CREATED - 1])
    expect(draft.get(KIND, `made-${at}`)).toEqual(model.get(`made-${at}`));
  expect(draft.first(KIND, ({ note }) => note === `ä ${MOST_CREATED - 1}`)).toEqual(
    model.get(`made-${MOST_CREATED - 1}`),
  );
});

test('changed records keep their place, and removed ones are gone, however many there are', () => {
  const step = record({ at: nat(MOST_CREATED - 1), how: constantFrom('change', 'remove') });
  assert(
    property(array(step, { minLength: 1, maxLength: 20 }), (steps) => {
      for (const { at, how } of steps) {
        const id = `made-${at}`;
        const before = model.get(id);
        if (how === 'remove') {
          change(records, (draft) => draft.remove(KIND, id));
          model.delete(id);
        } else if (before) {
          const after = { ...before, note: `${String(before.note)}!` };
          change(records, (draft) => draft.put(KIND, id, after));
          model.set(id, after);
        }
        expect(records.get(KIND, id)).toEqual(model.get(id));
      }
      expect(new Draft(records).list(KIND)).toEqual([...model.values()]);
    }),
    { numRuns: 20 },
  );
});
