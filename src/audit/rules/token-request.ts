import type { TokenFacts } from '../../contract/contract.ts';
import { isSensitiveKey } from '../../redact/keys.ts';
import { count } from '../../text/words.ts';
import { type AuditRule, judgeEach, type RuleObservation } from '../rule.ts';
import { requestHeader, type Sent, sentQueryNames } from '../traffic.ts';

const FORM = 'application/x-www-form-urlencoded';

type Fault = Pick<RuleObservation, 'expected' | 'actual'>;

export const tokenRequestMalformed: AuditRule<'token-request-malformed'> = {
  id: 'token-request-malformed',
  title: 'A token request that is not as documented',
  part: 'grant',
  severity: 'error',
  message: ({ expected, actual }) =>
    `The caller requested a token with ${actual}. The reference documents ${expected}.`,
  needs: 'a token request',
  evidence: (occasions, kept) => `${count(occasions, 'token request')}, ${kept} as documented`,
  judge({ traffic, showsTokens, contract }) {
    const wanted = contract.token?.clientAuthentication ?? 'basic';
    return judgeEach(traffic.tokenRequests, (sent) => faultsOf(sent, showsTokens, wanted));
  },
};

function faultsOf(sent: Sent, showsTokens: boolean, wanted: TokenFacts['clientAuthentication']): Fault[] {
  const { entry, carries } = sent;
  if (entry.method !== 'POST') return [{ expected: 'POST', actual: entry.method }];
  const faults: Fault[] = [];
  const fields = entry.request.body?.kind === 'form' ? entry.request.body.fields : [];
  const inForm = fields.some(([name]) => isCredential(name));
  const names = sentQueryNames(entry.path);
  const inQuery = names.some(isCredential);
  if (wanted === 'form') {
    const expected = 'client_id and client_secret in the form';
    if (carries === 'basic') faults.push({ expected, actual: 'HTTP Basic' });
    else if (!inForm && !inQuery && entry.request.body?.kind === 'form')
      faults.push({ expected, actual: 'no credentials' });
  } else if (carries !== 'basic' && inForm) faults.push({ expected: 'HTTP Basic', actual: 'credentials in the form' });
  // credentials in the query are the business of secret-in-query
  else if (carries !== 'basic' && !inQuery && showsTokens) {
    faults.push({
      expected: 'HTTP Basic',
      actual: carries === 'none' ? 'no Authorization' : 'another Authorization scheme',
    });
  }
  const grant = grantFault(sent, fields, names);
  return grant === null ? faults : [...faults, grant];
}

function isCredential(name: string): boolean {
  return /^client_(?:id|secret)$/i.test(name) || isSensitiveKey(name);
}

function grantFault(
  { entry }: Sent,
  fields: readonly (readonly [string, string])[],
  names: readonly string[],
): Fault | null {
  const expected = 'grant_type=client_credentials in a form';
  if (names.includes('grant_type')) return { expected, actual: 'grant_type in the query' };
  const type = requestHeader(entry, 'content-type')?.split(';')[0]?.trim().toLowerCase();
  const { body } = entry.request;
  if (type !== FORM)
    return {
      expected: `Content-Type ${FORM}`,
      actual: type === undefined ? 'no Content-Type' : `Content-Type ${type}`,
    };
  if (body !== null && body.kind !== 'form') return null;
  const grants = fields.filter(([name]) => name === 'grant_type').map(([, value]) => value);
  if (grants.length === 0) return { expected, actual: 'no grant_type' };
  if (grants.length > 1) return { expected, actual: 'grant_type twice' };
  return grants[0] === 'client_credentials' ? null : { expected, actual: 'another grant_type' };
}
