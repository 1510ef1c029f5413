import { type Contract, EFFECTS, type Effect, type Operation } from '../contract/contract.ts';
import { SAFE } from '../contract/effects.ts';
import { createReach, pathParameters, type Reach } from '../contract/paths.ts';
import type { CallRequest } from '../model/call.ts';
import type { Reason } from '../model/reason.ts';
import { remembered } from '../schema/schema-document.ts';
import { createCreations } from './created.ts';
import { bodyNamesMethod, methodsNamed } from './override.ts';

/** Settings for the requests that a run may send (see "What may be sent" in the README). */
export interface PolicySettings {
  readonly allow: Effect;
  /** Host of the target, with its port if it has one. */
  readonly host: string;
  readonly writesAllowedOn: readonly string[];
  readonly expendable: readonly string[];
  readonly probe: boolean;
  /** True if a ready token replaces the token endpoint, which is then never called. */
  readonly tokenReady?: boolean;
  readonly embedded: boolean;
  /** True for any mock: assumed paths may be called. On other targets, paths are never guessed. */
  readonly mock: boolean;
}

/** Why calls of this effect are not allowed, or null. A POST configured as a read needs its host in the list. */
export function effectRefusal(
  { effect, lowered = false }: { readonly effect: Effect; readonly lowered?: boolean },
  { allow, embedded, host, writesAllowedOn }: PolicySettings,
): Reason | null {
  if (embedded || (effect === 'read' && !lowered)) return null;
  if (EFFECTS.indexOf(allow) < EFFECTS.indexOf(effect)) return { kind: 'needs-allow', effect };
  if (namesHost(writesAllowedOn, host)) return null;
  return { kind: 'host-not-listed', effect: lowered ? 'write' : effect, host };
}

/** Whether a list of hosts contains this host, with or without the port, or the brackets of an IPv6 address. */
export function namesHost(list: readonly string[], given: string): boolean {
  const host = given.toLowerCase();
  const bare = host.replace(/:\d+$/, '');
  const forms = [host, bare, bare.replace(/^\[|\]$/g, '')];
  return list.some((name) => forms.includes(name.toLowerCase()));
}

type Departure = Pick<CallRequest, 'operationId' | 'purpose' | 'method' | 'target'> &
  Partial<Pick<CallRequest, 'headers' | 'body'>>;

export const reachOf: (contract: Contract) => Reach = remembered(({ operations }) => createReach(operations));

export type Policy = ReturnType<typeof createPolicy>;

/** Checks every request of a run against the effects policy, at the point where the request leaves the process. */
export function createPolicy(contract: () => Contract, settings: PolicySettings) {
  const creations = createCreations(contract);
  const mayProbe = settings.embedded || settings.probe;

  const reach: Reach = (target) => reachOf(contract())(target);

  function guessRefusal(operation: Operation): Reason | null {
    return operation.located === 'assumed' && !settings.mock ? { kind: 'only-assumed' } : null;
  }

  function idRefusal(operation: Operation, parameters: Readonly<Record<string, string>>): Reason | null {
    if (operation.effect !== 'destructive' || settings.embedded) return null;
    const parameter = pathParameters(operation.path ?? '').at(-1);
    const id = parameters[parameter ?? ''];
    return id !== undefined && isExpendable(id) ? null : { kind: 'not-expendable', parameter };
  }

  function tokenRefusal({ auth }: Operation): Reason | null {
    return auth === 'issues' && settings.tokenReady === true ? { kind: 'ready-token' } : null;
  }

  const isExpendable = (id: string): boolean => creations.has(id) || settings.expendable.includes(id);

  /** Why a request that matches no operation is not sent. Its method determines its effect. */
  function refuseStray(method: string, target: string): Reason | null {
    if (SAFE.has(method)) return null;
    const effect = method === 'DELETE' ? 'destructive' : 'write';
    const refusal = effectRefusal({ effect }, settings);
    if (refusal !== null || effect === 'write' || settings.embedded) return refusal;
    const ids = target.split('?', 1)[0]?.split('/') ?? [];
    return ids.some(isExpendable) ? null : { kind: 'not-expendable', parameter: undefined };
  }

  /** A server may follow the method that a parameter, a field or a body names. */
  function methodRefusal({ target, headers = [], body = null }: Departure): Reason | null {
    const others = methodsNamed(headers, target);
    if (body !== null && bodyNamesMethod(body)) others.push('DELETE');
    return others.some((method) => refuseStray(method, target) !== null) ? { kind: 'names-method' } : null;
  }

  return {
    settings,
    /** Records that the run created. Destructive calls may use them. */
    creations,
    /** Every operation that a path could reach; null if the path cannot be decoded. */
    reach,
    refuseStray,
    /** Why calls of this operation are never sent; null if they are allowed. */
    refusalOf: (operation: Operation): Reason | null =>
      guessRefusal(operation) ?? tokenRefusal(operation) ?? effectRefusal(operation, settings),
    /** Why this request is not sent; null if it may be sent. */
    refuse(departure: Departure): Reason | null {
      const { operationId, purpose, method, target } = departure;
      const matches = reach(target);
      if (matches === null) return { kind: 'bad-path' };
      const second = methodRefusal(departure);
      if (second !== null) return second;
      if (purpose === 'refuse-method') {
        if (!mayProbe) return { kind: 'needs-probe', what: 'undocumented methods' };
        // Several operations may share a path of this API. The probe is harmless only if all of them read.
        const mayPost =
          effectRefusal({ effect: 'write' }, settings) === null || matches.some(({ operation }) => operation.probed);
        const isHarmless =
          (method === 'GET' || (method === 'POST' && mayPost)) &&
          matches.every(({ operation }) => operation.effect === 'read' && effectRefusal(operation, settings) === null);
        if (!isHarmless) return { kind: 'probe-of-more-than-reads' };
        return matches.length === 0 ? { kind: 'unknown-path' } : null;
      }
      const reached = matches.filter(({ operation }) => operation.method === method);
      const named = reached.find(({ operation }) => operation.operationId === operationId);
      if (named === undefined) return { kind: 'another-operation', operationId };
      const guess = guessRefusal(named.operation) ?? tokenRefusal(named.operation);
      if (guess !== null) return guess;
      if (!mayProbe && (purpose === 'refuse-credentials' || purpose === 'refuse-grant')) {
        return { kind: 'needs-probe', what: 'wrong credentials and grants' };
      }
      for (const { operation, pathParameters: parameters } of reached) {
        const refusal = effectRefusal(operation, settings) ?? idRefusal(operation, parameters);
        if (refusal !== null) return refusal;
      }
      return null;
    },
  };
}
