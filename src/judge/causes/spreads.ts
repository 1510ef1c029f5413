import type { Contract } from '../../contract/contract.ts';
import type { Observation, Shown, Spread } from '../rule.ts';
import { numeric } from '../shape.ts';
import { kindAround } from './kinds.ts';

export function spreadOfAnswers({ expected, actual, identity }: Observation): readonly Spread[] {
  return [{ about: '', ...(identity ?? { expected, actual }), couldShow: () => true }];
}

/** Of what came of requests without a valid token; of those that were served, whatever the status. */
export function spreadOfRefusals({ expected, actual }: Observation): readonly Spread[] {
  const group = /^2\d\d$/.test(actual) ? '2XX' : actual;
  return [{ about: '', expected, actual: group, couldShow: ({ refused }) => refused }];
}

/** Of what is said of the value of a field: wherever such a value is wanted, else wherever a field has that name. */
export function spreadOfValue(seen: Observation, contract: Contract): readonly Spread[] {
  const kind = kindAround(contract, seen.source);
  const byName = spreadOfField(seen);
  if (kind === null) return byName;
  const actual = numeric(seen.actual);
  return [{ about: 'fields', expected: kind, actual, kind, couldShow: ({ kinds }) => kinds.has(kind) }, ...byName];
}

/** Of what is said of a field that the contract names: wherever a field has that name. Of an answer: wherever the contract knows its fields. */
export function spreadOfField({ pointer, expected, actual }: Observation): readonly Spread[] {
  if (pointer === '') return [{ about: '', expected, actual, couldShow: ({ named }) => named }];
  const about = nameIn(pointer);
  return about === null ? [] : [{ about, expected, actual, couldShow: ({ fields }) => fields.has(about) }];
}

/** Of a field that the contract does not name: in all objects, in every answer, or wherever there is what it stands in. */
export function spreadOfNewField({ pointer, expected, actual }: Observation): readonly Spread[] {
  const name = nameIn(pointer);
  if (name === null) return [];
  const around = pointer
    .split('/')
    .slice(1, -1)
    .findLast((segment) => segment !== '*');
  const couldShow = ({ fields, named }: Shown): boolean => (around === undefined ? named : fields.has(around));
  return [
    { about: `*/${name}`, expected, actual, couldShow: ({ json }) => json },
    { about: `${around ?? ''}/${name}`, expected, actual, couldShow },
  ];
}

/** The last name of a pointer; null of an answer, of an item and of a key of a map. */
function nameIn(pointer: string): string | null {
  const name = pointer.slice(pointer.lastIndexOf('/') + 1);
  return pointer === '' || name === '*' ? null : name;
}
