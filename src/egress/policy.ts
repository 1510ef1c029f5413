import type { Contract, Effect, Operation } from '../contract/contract.ts';
import { createReach, pathParameters, type Reach } from '../contract/paths.ts';
import type { Purpose } from '../model/call.ts';
import type { Reason } from '../model/reason.ts';

/** Effects in their order. */
export const STRENGTH: Readonly<Record<Effect, number>> = { read: 0, write: 1, destructive: 2 };

/** What a run may send ("What may be sent" in the README). */
export interface PolicySettings {
  /** The strongest effect that was asked for. */
  readonly allow: Effect;
  /** Host (with port where it has one) of the target. */
  readonly host: string;
  /** Hosts on which anything but a read may be sent. */
  readonly writesAllowedOn: readonly string[];
  /** Ids that destructive calls may go to, beside those that the run created. */
  readonly expendable: readonly string[];
  /** Whether probes (wrong credentials, undocumented methods) may be sent. */
  readonly probe: boolean;
  /** The embedded mock: everything may be sent. */
  readonly embedded: boolean;
  /** A mock, here or elsewhere: paths that are only assumed may be called. Elsewhere nothing is called by guess. */
  readonly mock: boolean;
}

/** A request as it is about to leave. */
export interface Departure {
  readonly operationId: string;
  readonly purpose: Purpose;
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly target: string;
}

export interface Policy {
  readonly settings: PolicySettings;
  /** Why calls of this operation are not sent at all; null where its effect is allowed. */
  refusalOf(operation: Operation): Reason | null;
  /** Why this very request is not sent; null where it may leave. */
  refuse(departure: Departure): Reason | null;
  /** Ids that a creating call of this run returned. */
  noteCreated(id: string): void;
  readonly created: ReadonlySet<string>;
  /** Every operation that a path could reach; null where it cannot be decoded. */
  readonly reach: Reach;
}

/** Why an effect is not allowed, or null. */
export function effectRefusal(effect: Effect, settings: PolicySettings): Reason | null {
  if (settings.embedded || effect === 'read') return null;
  if (STRENGTH[settings.allow] < STRENGTH[effect]) return { kind: 'needs-allow', effect };
  const { host } = settings;
  return namesHost(settings.writesAllowedOn, host) ? null : { kind: 'host-not-listed', effect, host };
}

/** True where a list of hosts has this one, with or without its port. */
export function namesHost(list: readonly string[], given: string): boolean {
  const host = given.toLowerCase();
  const bare = host.replace(/:\d+$/, '');
  return list.some((name) => [host, bare].includes(name.toLowerCase()));
}

/** Holds every request of a run to the effects policy. Asked where requests leave the process, not where they are made up. */
export function createPolicy(contract: () => Contract, settings: PolicySettings): Policy {
  const created = new Set<string>();
  const reaches = new WeakMap<Contract, Reach>();
  const mayProbe = settings.embedded || settings.probe;

  function reach(target: string): ReturnType<Reach> {
    const current = contract();
    const known = reaches.get(current) ?? createReach(current.operations);
    reaches.set(current, known);
    return known(target);
  }

  function guessRefusal(operation: Operation): Reason | null {
    return operation.located === 'assumed' && !settings.mock ? { kind: 'only-assumed' } : null;
  }

  function idRefusal(operation: Operation, parameters: Readonly<Record<string, string>>): Reason | null {
    if (operation.effect !== 'destructive' || settings.embedded) return null;
    const parameter = pathParameters(operation.path ?? '').at(-1);
    const id = parameters[parameter ?? ''];
    return id !== undefined && (created.has(id) || settings.expendable.includes(id))
      ? null
      : { kind: 'not-expendable', parameter };
  }

  return {
    settings,
    created,
    reach,
    noteCreated: (id) => void created.add(id),
    refusalOf: (operation) => guessRefusal(operation) ?? effectRefusal(operation.effect, settings),
    refuse({ operationId, purpose, method, target }) {
      const matches = reach(target);
      if (matches === null) return { kind: 'bad-path' };
      if (purpose === 'refuse-method') {
        if (!mayProbe) return { kind: 'needs-probe', what: 'undocumented methods' };
        // A path of this API can be that of several operations; the probe is harmless only if all of them read.
        const isHarmless =
          ['GET', 'POST'].includes(method) && matches.every(({ operation }) => operation.effect === 'read');
        if (!isHarmless) return { kind: 'probe-of-more-than-reads' };
        return matches.length === 0 ? { kind: 'unknown-path' } : null;
      }
      const reached = matches.filter(({ operation }) => operation.method === method);
      const named = reached.find(({ operation }) => operation.operationId === operationId);
      if (named === undefined) return { kind: 'another-operation', operationId };
      const guess = guessRefusal(named.operation);
      if (guess !== null) return guess;
      if (!mayProbe && (purpose === 'refuse-credentials' || purpose === 'refuse-grant')) {
        return { kind: 'needs-probe', what: 'wrong credentials and grants' };
      }
      for (const { operation, pathParameters: parameters } of reached) {
        const refusal = effectRefusal(operation.effect, settings) ?? idRefusal(operation, parameters);
        if (refusal !== null) return refusal;
      }
      return null;
    },
  };
}
