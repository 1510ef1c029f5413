import { spreadOfField } from '../causes/spreads.ts';
import { BY_PROVENANCE, nameOf, type Observation, type OutsideRule } from '../rule.ts';

const COMMON = {
  of: 'elsewhere',
  reference: 'API reference, Endpoints',
  judges: ['diff'],
  spreads: spreadOfField,
} satisfies Partial<OutsideRule>;

const changed = ({ pointer, expected, actual }: Observation): string =>
  `the request's ${pointer} changed from ${expected} to ${actual}`;

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
  severity: { documented: 'warning', observed: 'warning', assumed: 'info' },
  message: (seen, operation) => `${nameOf(operation)} may accept less: ${changed(seen)}. Compare the two schemas.`,
};
