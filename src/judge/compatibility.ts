import type { Compatibility } from '../model/finding.ts';

const BREAKING: readonly string[] = [
  ...['operation-withdrawn', 'status-changed', 'content-type-contradicted', 'body-presence-changed'],
  ...['type-contradicted', 'format-contradicted', 'value-contradicted', 'structure-contradicted', 'required-missing'],
  ...['fields-moved', 'fields-renamed', 'object-replaced', 'request-narrowed', 'answer-widened'],
];
const ADDITIVE: readonly string[] = [
  ...['unrecorded-field', 'undocumented-field', 'field-against-condition', 'contents-new'],
  // a request that was rejected before is now accepted
  ...['limit-not-enforced', 'precondition-not-enforced', 'request-widened'],
];

export function compatibilityOf(rule: string): Compatibility {
  if (BREAKING.includes(rule)) return 'breaking';
  return ADDITIVE.includes(rule) ? 'additive' : 'unknown';
}
