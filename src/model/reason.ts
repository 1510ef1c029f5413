import type { Effect } from '../contract/contract.ts';

/** Why a call was not made or not judged: a kind with facts and one text. Code decides only by the kind. */
const TEXTS = {
  'no-credentials': ({ names }: { readonly names: readonly string[] }): string =>
    `no credentials: set ${names.join(' and ')}`,
  'not-located': (): string => 'not located: the reference shows neither method nor path',
  'only-assumed': (): string => 'not located: a path that is only assumed is never called on a URL',
  'needs-probe': ({ what }: { readonly what?: string }): string => `${what ? `${what} need` : 'needs'} --probe`,
  'mock-only': (): string => 'runs against the embedded mock only',
  'needs-allow': ({ effect }: { readonly effect: Effect }): string => `${effect} calls need --allow ${effect}`,
  'host-not-listed': ({ effect, host }: { readonly effect: Effect; readonly host: string }): string =>
    `${effect} calls need ${hostInYaml(host)} in the configuration's writesAllowedOn`,
  'not-expendable': ({ parameter }: { readonly parameter: string | undefined }): string =>
    `destructive calls go only to ids that this run created or that the configuration lists under expendable${
      parameter === undefined ? '' : ` (${parameter})`
    }`,
  'missing-parameter': ({ names }: { readonly names: readonly string[] }): string =>
    `missing parameter ${names.join(', ')}`,
  /** A located read without a value that it needs. The list should show the value. */
  'lacks-input': ({ names, list, isEmpty = false, outage }: Lack): string =>
    outage ??
    (list === undefined
      ? `missing parameter ${names.join(', ')}`
      : `missing parameter ${names.join(', ')}: ${list}, which should show it, ${isEmpty ? 'is empty' : 'gave no list'}`),
  'empty-list': ({ names, list }: { readonly names: readonly string[]; readonly list: string }): string =>
    `no ${names.join(', ')} to read: ${list} is empty`,
  'bad-parameter': (): string => 'a parameter does not fit into a path',
  'bad-header': ({ name }: { readonly name: string }): string => `${name} cannot be sent as it is in a header field`,
  'bad-path': (): string => 'the path holds a bad percent-escape',
  'probe-of-more-than-reads': (): string => 'undocumented methods are probed on reading operations only',
  'names-method': (): string => 'the request names a second method (_method) that this run may not send',
  'unknown-path': (): string => 'no operation of the contract has this path',
  'another-operation': ({ operationId }: { readonly operationId: string }): string =>
    `the request is not one of ${operationId}`,
  'only-redirects': (): string => 'the document shows only redirects, and redirects are not followed',
  'opaque-token': (): string => 'the token is no signed JWT',
  'ready-token': (): string => 'a ready token is used in place of the token endpoint',
  'no-read': (): string => 'no operation reads with a token',
  'no-tokens': (): string => 'not in this contract: no operation issues tokens',
  'needs-condition': ({ fact, condition }: { readonly fact: string; readonly condition: string }): string =>
    `needs ${fact}: false in the configuration: only a record that is not ${condition} can show it`,
  'no-condition': ({ condition }: { readonly condition: string }): string =>
    `contract.yaml has no fact to identify a record that is not ${condition}`,
  'needs-currency': ({ group, members }: { readonly group: string; readonly members: readonly string[] }): string =>
    `needs ${group} (${members.join(', ')}) in the configuration, because the reference has no field for it`,
  'no-currency': (): string => 'contract.yaml does not name the currency of limits',
  'other-currency': ({ group, currency }: { readonly group: string; readonly currency: unknown }): string =>
    `the configured ${group} is in ${currency}`,
  /** A service without any successful operation. The empty name means the whole target. */
  'service-out': ({ service, answers, names, said = '' }: Outage): string => {
    const perhaps = names.length === 0 ? '' : `, or rejects ${names.join(', ')}`;
    const isStatus = answers.every((answer) => /^\d+$/.test(answer));
    return isStatus
      ? `${subject(service)} answers ${answers.join(', ')} to everything${perhaps}${quoted(said)}`
      : `${subject(service)} is out${perhaps}: no operation of it succeeds (${answers.join(', ')})${quoted(said)}`;
  },
  /** A notice or a refusal, while other operations of the service answer: the evidence is balanced. */
  unsettled: ({ service, answer, operations, said = '' }: Unsettled): string => {
    if (answer === '401') return '401 with a fresh token: is the client entitled to this operation?';
    const who = operations > 1 ? `${operations} operations answer` : 'it answers';
    return `${who} ${answer}${quoted(said)}, while other operations of ${subject(service)} answer well: an outage behind a gateway, or a change`;
  },
  'not-confirmed': ({ answer, how }: Unconfirmed): string => `${answer}, once; ${ONCE[how]}`,
  'look-at': ({ status, names }: { readonly status: number; readonly names: readonly string[] }): string =>
    `answered ${status}; look at ${names.length === 0 ? 'the request' : names.join(', ')}`,
  'no-tokens-issued': ({ answer }: { readonly answer: string }): string => `the token endpoint is out: ${answer}`,
  /** `variable` holds the ready token. */
  'token-not-accepted': ({ service, variable }: { readonly service: string; readonly variable?: string }): string => {
    if (variable !== undefined)
      return `${subject(service)} does not accept the token in ${variable}: it may have expired, and a run cannot renew it`;
    return service === ''
      ? 'the credentials or the token are not accepted'
      : `${subject(service)} accepts no token: check the permissions of the client`;
  },
  'foreign-answer': ({ service, operations, said = '' }: ForeignBody): string =>
    `${subject(service)} is out: ${operations} operations of different kinds return the same answer, which does not belong to them${quoted(said)}`,
  'ids-gone': ({ names, lists }: { readonly names: readonly string[]; readonly lists: readonly string[] }): string => {
    const [them, verb] = [names.length === 1 ? 'it' : 'them', lists.length === 1 ? 'does' : 'do'];
    const why = lists.length === 0 ? `no other answer knows ${them}` : `${lists.join(', ')} ${verb} not show ${them}`;
    return `the target no longer knows ${names.join(', ')}: 404, and ${why}; was the sandbox reset? Put ids that exist into the configuration`;
  },
  'body-unknown': ({ operationId, status, fields, names }: BodyUnknown): string => {
    const sent =
      fields === null
        ? 'and the request had no body, because the contract shows no body'
        : `and the body that was sent had ${fields.length === 0 ? 'no field' : `only ${fields.join(', ')}`}, because the contract shows no values`;
    const perhaps = names.length === 0 ? '' : `, or look at ${names.join(', ')}`;
    return `${operationId} answered ${status}, ${sent}: put a good one as the example of its requestBody into an overlay (docs/verify.md)${perhaps}`;
  },
  /** Nothing was sent, or the transport failed. The cause is that of the network or of this process. */
  'not-answered': ({ cause }: { readonly cause: string }): string => cause,
  'asked-to-wait': ({ answers }: { readonly answers: string }): string => `it ${answers}`,
  /** The answer says nothing about the operation. */
  'answer-unusable': ({ flaw }: { readonly flaw: string }): string => flaw,
  'body-limit': ({ limit }: { readonly limit: string }): string => `the body ${limit}`,
  redirected: ({ status, host }: { readonly status: number; readonly host: string }): string =>
    `it redirects${host === '' ? '' : ` to ${host}`} (${status}); redirects are not followed`,
  /** An answer to a bad request that proves neither a rejection nor its absence. */
  'rejection-unproven': ({ actual, doubt }: Unproven): string => `answered ${actual}${DOUBTS[doubt]}`,
  'nothing-to-compare': (): string => 'nothing to compare: the answer has no documented field',
  skipped: ({ reason, until }: { readonly reason: string; readonly until: string }): string =>
    `skipped by the configuration until ${until}: ${reason}`,
  stated: ({ text }: { readonly text: string }): string => text,
};

const ONCE = {
  asked: 'it could not be asked again',
  written: 'it is not sent again, and no read of the run confirms it',
  failed: 'the call is not repeated',
};

const DOUBTS = {
  'not-served': ', and no good request was served',
  'not-served-later': ', and no good request was served afterwards',
  'html-to-all': ', but good requests were answered with HTML as well',
  'notice-to-all': ' with a notice that good requests get as well',
  'other-reason': ', possibly for another reason',
  'fresh-token': ' with a fresh token',
  html: '',
  incomplete: ', and the body is incomplete',
};

interface Unproven {
  /** A status, perhaps with the kind of body. */
  readonly actual: string;
  readonly doubt: keyof typeof DOUBTS;
}

interface Lack {
  readonly names: readonly string[];
  readonly list?: string;
  readonly isEmpty?: boolean;
  /** Why no answer could show the value. */
  readonly outage?: string;
}

interface Unconfirmed {
  readonly answer: string;
  readonly how: keyof typeof ONCE;
}

interface Unsettled {
  readonly service: string;
  readonly answer: string;
  /** How many operations answer alike. */
  readonly operations: number;
  readonly said?: string;
}

interface BodyUnknown {
  readonly operationId: string;
  readonly status: number;
  readonly fields: readonly string[] | null;
  readonly names: readonly string[];
}

interface ForeignBody {
  readonly service: string;
  readonly operations: number;
  readonly said?: string;
}

interface Outage {
  readonly service: string;
  readonly answers: readonly string[];
  /** Parameters that may be wrong if the service is up. */
  readonly names: readonly string[];
  readonly said?: string;
}

function quoted(said: string): string {
  return said === '' ? '' : ` (“${said}”)`;
}

function subject(service: string): string {
  return service === '' ? 'the target' : `the service ${service}`;
}

/** A host for the configuration. In YAML, the brackets of an IPv6 address would make a list. */
export function hostInYaml(host: string): string {
  return host.startsWith('[') ? `"${host}"` : host;
}

type FactsOf<Text> = Text extends (facts: infer Facts) => string ? Facts : never;

export type Reason = {
  [Kind in keyof typeof TEXTS]: { readonly kind: Kind } & FactsOf<(typeof TEXTS)[Kind]>;
}[keyof typeof TEXTS];

export function reasonText(reason: Reason): string {
  return TEXTS[reason.kind](reason as never);
}

const OF_ONE_CALL: ReadonlySet<Reason['kind']> = new Set([
  'stated',
  'look-at',
  'not-confirmed',
  'no-tokens-issued',
  'not-answered',
  'asked-to-wait',
  'answer-unusable',
  'body-limit',
  'redirected',
  'rejection-unproven',
]);

/** Whether a reason is not shared by other calls, and does not name its operation. */
export function isOfOneCall({ kind }: Reason): boolean {
  return OF_ONE_CALL.has(kind);
}
