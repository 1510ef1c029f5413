import { spreadOfField } from '../causes/spreads.ts';
import { BY_PROVENANCE, nameOf, type Observation, type OutsideRule, placeOf } from '../rule.ts';

/** Rules of `diff` of two documents, by their schemas. */

const COMMON = {
  of: 'elsewhere',
  judges: ['diff'],
  spreads: spreadOfField,
} satisfies Partial<OutsideRule>;

const UNKNOWN = { documented: 'warning', observed: 'warning', assumed: 'info' } as const;

const change = ({ expected, actual }: Observation): string => `changed from ${expected} to ${actual}`;
const changed = (seen: Observation): string => `the request's ${seen.pointer} ${change(seen)}`;

export const requestNarrowed: OutsideRule = {
  ...COMMON,
  id: 'request-narrowed',
  title: 'A request that was accepted is no longer accepted',
  severity: BY_PROVENANCE,
  message: (seen, operation) => `${nameOf(operation)} accepts less: ${changed(seen)}.`,
};

export const requestWidened: OutsideRule = {
  ...COMMON,
  id: 'request-widened',
  title: 'More requests are accepted',
  severity: 'info',
  message: (seen, operation) => `${nameOf(operation)} accepts more: ${changed(seen)}.`,
};

export const requestChanged: OutsideRule = {
  ...COMMON,
  id: 'request-changed',
  title: 'It is unknown whether all requests are still accepted',
  severity: UNKNOWN,
  message: (seen, operation) => `${nameOf(operation)} may accept less: ${changed(seen)}. Compare the two schemas.`,
};

export const answerWidened: OutsideRule = {
  ...COMMON,
  id: 'answer-widened',
  title: 'An answer may have values that it could not have before',
  severity: BY_PROVENANCE,
  message: (seen, operation) => `${nameOf(operation)} answers more: ${placeOf(seen)} ${change(seen)}.`,
};

export const answerChanged: OutsideRule = {
  ...COMMON,
  id: 'answer-changed',
  title: 'It is unknown whether an answer may have new values',
  severity: UNKNOWN,
  message: (seen, operation) =>
    `${nameOf(operation)} may answer more: ${placeOf(seen)} ${change(seen)}. Compare the two schemas.`,
};
