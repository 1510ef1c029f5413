import type { Observation, Shown, Spread } from '../rule.ts';

/** Of what is said of answers as a whole. */
export function spreadOfAnswers({ expected, actual, identity }: Observation): Spread {
  return { about: '', ...(identity ?? { expected, actual }), couldShow: () => true };
}

/** Of what is said of a field that the contract names: wherever a field has that name. */
export function spreadOfField({ pointer, expected, actual }: Observation): Spread | null {
  const about = nameIn(pointer);
  return about === null ? null : { about, expected, actual, couldShow: ({ fields }) => fields.has(about) };
}

/** Of a field that the contract does not name: in every answer, or wherever there is what it stands in. */
export function spreadOfNewField({ pointer, expected, actual }: Observation): Spread | null {
  const name = nameIn(pointer);
  if (name === null) return null;
  const around = pointer
    .split('/')
    .slice(1, -1)
    .findLast((segment) => segment !== '*');
  const couldShow = ({ fields, named }: Shown): boolean => (around === undefined ? named : fields.has(around));
  return { about: `${around ?? ''}/${name}`, expected, actual, couldShow };
}

/** The last name of a pointer; null of an answer, of an item and of a key of a map. */
function nameIn(pointer: string): string | null {
  const name = pointer.slice(pointer.lastIndexOf('/') + 1);
  return pointer === '' || name === '*' ? null : name;
}
