import type { Operation, Provenance } from '../spec/contract.ts';
import type { Severity } from './finding.ts';
import type { Observation, RuleInfo } from './rule.ts';
import type { RuleId } from './rule-ids.ts';

/** What is documented and does not hold is an error, what was recorded a warning, what the mock assumes is worth knowing. */
const BY_PROVENANCE: Readonly<Record<Provenance, Severity>> = {
  documented: 'error',
  observed: 'warning',
  assumed: 'info',
};
const byProvenance = (provenance: Provenance): Severity => BY_PROVENANCE[provenance];
const assumedIsInfo = (severity: Severity) => (provenance: Provenance) =>
  provenance === 'assumed' ? 'info' : severity;
const always = (severity: Severity) => (): Severity => severity;

const name = (operation: Operation | undefined): string => operation?.summary ?? 'The answer';
const at = ({ pointer }: Observation): string => (pointer === '' ? 'the body' : pointer);

/** Title, reference, severity and message of every rule. A rule without a row does not compile. */
export const RULES: Readonly<Record<RuleId, RuleInfo>> = {
  'token-not-refused': {
    title: 'A request without a valid token is served',
    reference: 'API reference, Errors',
    severity: byProvenance,
    message: ({ actual }, operation) => `${name(operation)} answers ${actual} to a request without a valid token.`,
  },
  'token-refused-otherwise': {
    title: 'A missing token is not answered with 401',
    reference: 'API reference, Errors',
    severity: byProvenance,
    message: ({ actual }, operation) => `${name(operation)} answers ${actual} instead of 401 without a valid token.`,
  },
  'wrong-credentials-accepted': {
    title: 'A wrong password gets a token',
    reference: 'API reference, Authentication 2',
    severity: byProvenance,
    message: () => 'The token endpoint gives a token for a wrong password.',
  },
  'wrong-grant-accepted': {
    title: 'Another grant gets a token',
    reference: 'API reference, Authentication 1 and 2',
    severity: byProvenance,
    message: () => 'The token endpoint gives a token for a grant other than client_credentials.',
  },
  'token-not-jwt': {
    title: 'The access token is not a signed JWT',
    reference: 'API reference, Resources, Token response',
    severity: byProvenance,
    message: ({ actual }) => `The access token is documented as a signed JWT and is ${actual}.`,
  },
  'token-lifetime-not-positive': {
    title: 'The token has no lifetime left',
    reference: 'API reference, Resources, Token response',
    severity: byProvenance,
    message: ({ actual }) => `expires_in is documented as the remaining lifetime in seconds and is ${actual}.`,
  },
  'operation-withdrawn': {
    title: 'An operation is no longer there',
    reference: 'API reference, Endpoints',
    severity: (provenance, operation) => {
      if (provenance === 'assumed') return 'info';
      return operation?.deprecated === true ? 'warning' : 'error';
    },
    message: ({ actual }, operation) =>
      operation?.deprecated === true
        ? `The deprecated form ${operation.operationId} has been withdrawn: it answers ${actual}. Use ${operation.successor}.`
        : `${name(operation)} is documented and answers ${actual}.`,
  },
  'operation-failing': {
    title: 'One operation fails while others work',
    reference: 'API reference, Endpoints',
    severity: assumedIsInfo('error'),
    message: ({ actual }, operation) =>
      `${name(operation)} gives ${actual}, also when tried again; other operations work.`,
  },
  'status-changed': {
    title: 'Another status than recorded',
    reference: 'API reference, Endpoints',
    severity: byProvenance,
    message: ({ expected, actual }, operation) => `${name(operation)} answers ${actual}; so far it was ${expected}.`,
  },
  'method-not-refused': {
    title: 'An operation answers to the method of its other form',
    reference: 'API reference, Endpoints',
    severity: assumedIsInfo('warning'),
    message: ({ actual }, operation) => `${name(operation)} answers ${actual} to the method of its other form.`,
  },
  'content-type-contradicted': {
    title: 'Another content type',
    reference: 'API reference, Endpoints',
    severity: byProvenance,
    message: ({ expected, actual }, operation) => `${name(operation)} sends ${actual} instead of ${expected}.`,
  },
  'type-contradicted': {
    title: 'A field has another type',
    reference: 'API reference, Resources and their fields',
    severity: byProvenance,
    message: (observation) => `${at(observation)} is ${observation.actual}, not ${observation.expected}.`,
  },
  'format-contradicted': {
    title: 'A text is not in its format',
    reference: 'API reference, Resources and their fields',
    severity: byProvenance,
    message: (observation) => `${at(observation)} is not of the form ${observation.expected}.`,
  },
  'fields-moved': {
    title: 'Fields of an object stand elsewhere now',
    reference: 'API reference, Resources and their fields',
    severity: byProvenance,
    message: (observation) =>
      `${at(observation)} was built otherwise: ${observation.expected} → ${observation.actual}.`,
  },
  'object-replaced': {
    title: 'An object holds none of its fields',
    reference: 'API reference, Resources and their fields',
    severity: byProvenance,
    message: (observation) =>
      `${at(observation)} has none of its fields (${observation.expected}) and is ${observation.actual}.`,
  },
  'required-missing': {
    title: 'A required field is missing',
    reference: 'API reference, Resources and their fields',
    severity: byProvenance,
    message: (observation) => `${at(observation)} is missing.`,
  },
  'value-contradicted': {
    title: 'A value is outside of what is allowed',
    reference: 'API reference, Resources and their fields',
    severity: byProvenance,
    message: (observation) => `${at(observation)} has a value that is not ${observation.expected}.`,
  },
  'structure-contradicted': {
    title: 'A part fits none of its alternatives',
    reference: 'API reference, Resources and their fields',
    severity: byProvenance,
    message: (observation) => `${at(observation)} is ${observation.actual}, not ${observation.expected}.`,
  },
  'field-against-condition': {
    title: 'A field is there although its condition does not hold',
    reference: 'API reference, Resources and their fields',
    severity: byProvenance,
    message: (observation) =>
      `${at(observation)} is documented only for what is ${observation.about}, and this is known not to be.`,
  },
  'limit-not-enforced': {
    title: 'A value above the maximum is accepted',
    reference: 'API reference, Limits',
    severity: byProvenance,
    message: ({ actual }, operation) => `${name(operation)} answers ${actual} to a value above its maximum.`,
  },
  'precondition-not-enforced': {
    title: 'A request is served before its precondition is met',
    reference: 'API reference, Behavioural rules',
    severity: byProvenance,
    message: ({ actual }, operation) =>
      `${name(operation)} answers ${actual} though what it requires first was not done.`,
  },
  'deprecated-shape-differs': {
    title: 'A deprecated form has another shape than its successor',
    reference: 'API reference, Versioning 3',
    severity: assumedIsInfo('warning'),
    message: (observation, operation) =>
      `${at(observation)} is ${observation.actual} in the deprecated form and ${observation.expected} in ${operation?.successor ?? 'its successor'}.`,
  },
  'sunset-near': {
    title: 'An operation announces that it ends soon',
    reference: 'RFC 8594, 3',
    severity: assumedIsInfo('warning'),
    message: ({ actual }, operation) =>
      `${name(operation)} sends ${actual}.${operation?.successor == null ? '' : ` Use ${operation.successor}.`}`,
  },
  'body-presence-changed': {
    title: 'A body came or went',
    reference: 'API reference, Endpoints',
    severity: byProvenance,
    message: ({ expected, actual }, operation) => `${name(operation)} sends ${actual}; recorded was ${expected}.`,
  },
  'unrecorded-field': {
    title: 'A field that is new since the recording',
    reference: 'API reference, Resources and their fields',
    severity: byProvenance,
    message: (observation) => `${at(observation)} (${observation.actual}) was not there when the answer was recorded.`,
  },
  'undocumented-field': {
    title: 'A field that is not documented',
    reference: 'API reference, Resources and their fields',
    severity: always('info'),
    message: (observation) => `${at(observation)} (${observation.actual}) is new or undocumented.`,
  },
  'undocumented-status': {
    title: 'A status that is not documented',
    reference: 'API reference, Errors',
    severity: always('info'),
    message: ({ actual }, operation) => `${name(operation)} answers ${actual}, which is not documented.`,
  },
  'undocumented-content-type': {
    title: 'A content type that is not documented',
    reference: 'API reference, Endpoints',
    severity: always('info'),
    message: ({ actual }, operation) => `${name(operation)} sends ${actual}, which is not documented.`,
  },
  'unmatched-exchange': {
    title: 'A request that no operation of the contract matches',
    reference: 'API reference, Endpoints, Operations known by name only',
    severity: always('info'),
    message: ({ call, expected, actual }) =>
      `${call?.method} ${call?.path} is no operation of the contract and was ${actual.replace('answered', 'answered with')}; ${expected.startsWith('perhaps') ? `${expected}, known by name only` : 'nothing known by name only fits'}.`,
  },
  'tls-not-verified': {
    title: 'The certificate of the target was not checked',
    reference: 'RFC 6750, 5.3',
    severity: assumedIsInfo('warning'),
    message: () =>
      'NODE_TLS_REJECT_UNAUTHORIZED=0 switches the check of the certificate off: anybody may have answered.',
  },
  'contract-check-failed': {
    title: 'A check found its promise broken',
    reference: 'API reference',
    severity: always('error'),
    message: ({ expected, actual }) => `Expected ${expected}, got ${actual}.`,
  },
};
