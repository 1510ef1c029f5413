import type { IncomingMessage } from 'node:http';
import type { Contract, Effect, Operation } from '../contract/contract.ts';
import type { Reached } from '../contract/paths.ts';
import { createdBy } from '../egress/created.ts';
import { createPolicy, effectRefusal, type PolicySettings } from '../egress/policy.ts';
import type { Call } from '../model/call.ts';
import { reasonText } from '../model/reason.ts';
import { createHostRule, isLoopbackOrigin } from '../net/host.ts';
import { rawValues } from './headers.ts';
import type { ProxyOptions } from './options.ts';
import { type ProxyProblem, problem } from './problem.ts';

type EntryCheckOptions = Pick<ProxyOptions, 'allowedHosts' | 'allowedOrigins'>;

/**
 * Decides who may use the proxy. Refused are pages whose name was rebound to a loopback address, pages of other origins, and requests
 * for another host than the target. Returns path and query as they were sent, or the problem.
 *
 * @param host the address that is bound
 */
export function createEntryCheck(
  host: string,
  options: EntryCheckOptions,
): (request: IncomingMessage) => string | ProxyProblem {
  const wrongHost = createHostRule(host, options.allowedHosts);
  const origins = new Set(options.allowedOrigins);

  return (request) => {
    const given = rawValues(request.rawHeaders, 'host');
    if (given.length > 1) return problem(400, 'bad-request', 'there is more than one Host field');
    const absolute = /^https?:\/\/([^/?#]*)(.*)$/is.exec(request.url ?? '');
    const authority = absolute?.[1] ?? given[0];
    const target = absolute === null ? (request.url ?? '/') : withSlash(absolute[2] ?? '');
    if (authority !== undefined) {
      const wrong = wrongHost(authority);
      if (wrong === 'malformed') return problem(400, 'bad-request', 'the Host field is malformed');
      if (wrong === 'refused')
        return problem(421, 'host-refused', 'it answers loopback names and the hosts that it was told to');
    } else if (request.httpVersion !== '1.0') return problem(400, 'bad-request', 'the Host field is missing');
    if (!target.startsWith('/') && target !== '*') return problem(400, 'bad-request', 'the target is no path');
    const origin = request.headers.origin;
    if (origin !== undefined && !origins.has(origin) && !isLoopbackOrigin(origin)) {
      return problem(403, 'origin-refused', 'only pages of loopback origins, and of those that it was told to allow');
    }
    // A client that offers h2c (Java's does) goes on well without; one that wants a WebSocket does not.
    const protocols = rawValues(request.rawHeaders, 'upgrade').join(',').toLowerCase();
    if (protocols !== '' && !/^\s*(?:h2c|http\/2(?:\.0)?)\s*$/.test(protocols)) {
      return problem(501, 'no-upgrade', 'requests to change the protocol are not passed on');
    }
    return target;
  };
}

function withSlash(path: string): string {
  return path.startsWith('/') ? path : `/${path}`;
}

/** Header fields, and fields of a query or form, by which some servers take another method than the one of the request line. */
const OVERRIDES = ['x-http-method-override', 'x-http-method', 'x-method-override'];
const OVERRIDE_FIELDS = [...OVERRIDES, '_method'];
const FORM = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)/i;
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Holds requests back whose effect on the target is not allowed. */
export interface EffectsGate {
  /** Why a request is not sent; null where it may leave. */
  refusalOf(request: IncomingMessage, target: string, reached: Reached | null): string | null;
  /** Remembers what a creating call made: destructive calls may go there. */
  note(call: Call, operation: Operation): void;
}

function takesForm(operation: Operation | undefined): boolean {
  return operation?.requestBody?.content.some(({ type }) => FORM.test(type)) === true;
}

/** The effects policy of a run, asked for every request of the caller. What matches no operation counts as what its method usually does. */
export function createEffectsGate(contract: () => Contract, settings: PolicySettings): EffectsGate {
  const policy = createPolicy(contract, settings);

  function refusalOf(method: string, target: string, reached: Reached | null): string | null {
    const path = target.split('?', 1)[0] ?? '';
    if (reached === null) return strayRefusal(method, path);
    const { operation } = reached;
    const wanted = method === 'HEAD' ? 'GET' : method;
    const possible = policy.reach(path)?.filter((match) => match.operation.method === wanted);
    const all = possible && [operation, ...possible.map((match) => match.operation)];
    if (all?.every(({ effect }) => effect === 'read') === true) return null;
    const { operationId } = operation;
    const refusal = policy.refuse({ operationId, purpose: 'succeed', method: wanted, target });
    return refusal && reasonText(refusal);
  }

  function strayRefusal(method: string, path: string): string | null {
    if (SAFE.has(method)) return null;
    const effect: Effect = method === 'DELETE' ? 'destructive' : 'write';
    const refusal = effectRefusal(effect, settings);
    if (refusal !== null) return `${reasonText(refusal)} (no operation of the contract matches it)`;
    const ids = path.split('/');
    const mayGo = effect !== 'destructive' || settings.embedded || ids.some((id) => isExpendable(id));
    return mayGo
      ? null
      : 'destructive calls go only to ids that were created here or that the configuration lists under expendable';
  }

  /** A request that may be taken for one of another method needs what that one needs. What a form says is not known yet: it may say DELETE. */
  function overrideRefusal(
    { headers, method }: IncomingMessage,
    target: string,
    reached: Reached | null,
  ): string | null {
    const [path = '', ...query] = target.split('?');
    const asked = [...new URLSearchParams(query.join('?'))];
    const others = [
      ...OVERRIDES.flatMap((name) => headers[name] ?? []),
      ...asked.flatMap(([name, value]) => (OVERRIDE_FIELDS.includes(name.toLowerCase()) ? [value] : [])),
    ];
    for (const other of others) {
      const refusal = strayRefusal(other.trim().toUpperCase(), path);
      if (refusal !== null) return refusal;
    }
    const isForm = method === 'POST' && FORM.test(headers['content-type'] ?? '');
    if (!isForm || takesForm(reached?.operation)) return null;
    const refusal = strayRefusal('DELETE', path);
    return refusal === null ? null : `a form can name another method: ${refusal}`;
  }

  const isExpendable = (id: string): boolean => policy.created.has(id) || settings.expendable.includes(id);

  return {
    refusalOf(request, target, reached) {
      const method = request.method ?? 'GET';
      const refusal = refusalOf(method, target, reached);
      if (refusal !== null) return refusal;
      if (settings.embedded) return null;
      return overrideRefusal(request, target, reached);
    },
    note(call, operation) {
      const creation = createdBy(call, operation, { parameters: {}, host: settings.host });
      if (creation !== null && creation.id !== null) policy.noteCreated(creation.id);
    },
  };
}
