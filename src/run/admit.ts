import type { Operation } from '../contract/contract.ts';
import { fillPath, pathParameters, type Reached } from '../contract/paths.ts';
import { withQuery } from '../egress/egress.ts';
import { bodyNamesMethod, methodsNamed } from '../egress/override.ts';
import type { Auth, CallRequest, Purpose } from '../model/call.ts';
import { header } from '../model/exchange.ts';
import type { Reason } from '../model/reason.ts';
import type { AnnouncedCheck } from './announce.ts';
import { RUN_HEADERS } from './protocol.ts';
import { acceptOf, destinationOf } from './request.ts';
import type { Session } from './session.ts';
import type { Target } from './target.ts';

/** Its target is without the segment of the check. */
export type SuiteRequest = Pick<CallRequest, 'method' | 'target' | 'headers' | 'body'>;

export interface Admitted {
  readonly call: CallRequest;
  /** The path template. */
  readonly path: string;
  /** True if the engine lists this request of the check. */
  readonly isListed: boolean;
}

/** Fields that are not forwarded: connection fields, and fields between the suite and the way out. */
const DROPPED: ReadonlySet<string> = new Set([
  ...['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding', 'user-agent', 'expect', 'te'],
  ...Object.values(RUN_HEADERS),
]);

/**
 * Decides which operation a request of the suite calls, for which purpose, and whether it may be sent. Adds missing
 * fields that every request of the operation needs: `accept`, required header fields and query parameters. Returns a
 * reason to skip the check, or as text a mistake in the request, which fails the check, if it may not be sent.
 */
export function admit(
  check: AnnouncedCheck,
  request: SuiteRequest,
  { target: { contract, parameters, filled }, policy, nothing }: Pick<Session, 'target' | 'policy' | 'nothing'>,
): Admitted | Reason | string {
  const { method, headers, body } = request;
  const { path, missing: unfilled } = pathOf(request, policy, filled);
  if (unfilled.length > 0) return { kind: 'missing-parameter', names: unfilled };
  if (path === null) return { kind: 'bad-parameter' };
  const [, query] = request.target.split('?');
  const asked = query === undefined ? path : `${path}?${query}`;
  const values = header(headers, RUN_HEADERS.values)?.split('/').map(decodeURIComponent) ?? [];
  if (values.some((value) => !path.split('/').some((segment) => segment === value))) {
    return 'a path parameter must fill one segment: encode it with encodeURIComponent';
  }
  const matches = policy.reach(path);
  if (matches === null) return { kind: 'bad-path' };
  const announced = check.calls.find((call) => call.method === method && call.target === asked);
  const wanted = method === 'HEAD' ? 'GET' : method;
  const found =
    announced === undefined
      ? (matches.find(({ operation }) => operation.method === wanted) ?? matches[0])
      : matches.find(({ operation }) => operation.operationId === announced.operationId);
  if (found === undefined) {
    // The engine lists the check, so an overlay must have moved the operation.
    if (check.calls.length > 0) return { kind: 'unknown-path' };
    return `no operation of the contract has the path ${path}`;
  }
  const { operation } = found;
  const authorization = header(headers, 'authorization');
  const auth = announced?.auth ?? authOf(operation, authorization, body);
  if (authorization && operation.effect !== 'read' && announced === undefined) {
    return 'only a read is sent with an authorization field of its own';
  }
  const namesMethod =
    methodsNamed(headers, asked).length > 0 || (operation.effect === 'read' && body !== null && bodyNamesMethod(body));
  if (namesMethod && announced === undefined) return 'a request must not name a second method';
  const purpose = announced?.purpose ?? purposeOf(request, found, auth);
  if (operation.method !== wanted && purpose === 'succeed' && check.calls.length === 0) {
    return `no operation of the contract is ${method} ${path}`;
  }
  const refusal = nothing ?? policy.refusalOf(operation);
  if (refusal !== null) return refusal;
  const all = destinationOf(operation, parameters, { ...filled(operation), ...found.pathParameters });
  const given = new URLSearchParams(query);
  const missing = all.missing.filter((name) => !given.has(name) && header(headers, name.toLowerCase()) === undefined);
  if (missing.length > 0) return { kind: 'missing-parameter', names: missing };
  const target = withQuery(asked, all.target?.split('?')[1]?.split('&') ?? []);
  const { operationId, effect } = operation;
  const held = policy.refuse({ operationId, purpose, method: wanted, target });
  if (held !== null) return held;
  const kept = headers.filter(([name, value]) => !DROPPED.has(name) && !(name === 'authorization' && value === ''));
  const accept = header(kept, 'accept') === undefined ? [['accept', acceptOf(contract, operation)] as const] : [];
  return {
    isListed: announced !== undefined,
    path: operation.path ?? '',
    call: {
      checkId: check.id,
      operationId,
      effect,
      purpose,
      auth,
      method,
      target,
      headers: [...accept, ...all.headers.filter(([name]) => header(headers, name) === undefined), ...kept],
      body,
      parameters: found.pathParameters,
    },
  };
}

const OPEN_SEGMENT = /(?<=\/)(?:\{|%7B)([^{}%/]+)(?:\}|%7D)(?=\/|$)/gi;

/** The path of a request, with the values that the run found for its operation. `missing` names the unknown values. */
function pathOf({ method, target }: SuiteRequest, policy: Session['policy'], filled: Target['filled']) {
  const template = (target.split('?')[0] ?? '').replace(OPEN_SEGMENT, '{$1}');
  const names = pathParameters(template);
  if (names.length === 0) return { path: template, missing: [] };
  const found = policy.reach(template)?.find(({ operation }) => operation.method === method);
  const values = found === undefined ? {} : filled(found.operation);
  return { path: fillPath(template, values), missing: names.filter((name) => !Object.hasOwn(values, name)) };
}

/** An empty field means no token. Other credentials are sent unchanged. */
function authOf({ auth }: Operation, authorization: string | undefined, body: Uint8Array | null): Auth {
  if (auth === 'none' || authorization === '') return 'none';
  if (auth === 'bearer') return authorization === undefined ? 'token' : 'garbage';
  const form = new URLSearchParams(Buffer.from(body ?? []).toString());
  if (form.has('client_secret')) return 'none';
  return authorization === undefined ? 'client' : 'wrong-client';
}

const REASONS: Readonly<Record<string, Purpose>> = { limit: 'refuse-limit', precondition: 'refuse-precondition' };

/** The asserted status and the token determine the purpose of a request. */
function purposeOf({ method, headers }: SuiteRequest, { operation }: Reached, auth: Auth): Purpose {
  const [asserted, reason = ''] = header(headers, RUN_HEADERS.asserted)?.split(' ') ?? [];
  const stated = REASONS[reason];
  if (stated !== undefined) return stated;
  const wantsRefusal = asserted !== undefined && !asserted.startsWith('2');
  const isWithout = operation.auth === 'bearer' && (auth === 'none' || auth === 'garbage');
  if (isWithout && (asserted === undefined || ['401', 'refused'].includes(asserted))) return 'refuse-token';
  if (!wantsRefusal) return 'succeed';
  if (operation.auth === 'issues') return auth === 'client' ? 'refuse-grant' : 'refuse-credentials';
  return operation.method === (method === 'HEAD' ? 'GET' : method) ? 'refuse-asserted' : 'refuse-method';
}
