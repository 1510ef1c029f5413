import type { Contract, Effect, Operation } from '../contract/contract.ts';
import { createReach, pathParameters, type Reach } from '../contract/paths.ts';
import type { Purpose } from '../model/call.ts';

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
  refusalOf(operation: Operation): string | null;
  /** Why this very request is not sent; null where it may leave. */
  refuse(departure: Departure): string | null;
  /** Ids that a creating call of this run returned. */
  noteCreated(id: string): void;
  readonly created: ReadonlySet<string>;
  /** Every operation that a path could reach; null where it cannot be decoded. */
  readonly reach: Reach;
}

/** Why an effect is not allowed, or null. */
export function effectRefusal(effect: Effect, settings: PolicySettings): string | null {
  if (settings.embedded || effect === 'read') return null;
  if (STRENGTH[settings.allow] < STRENGTH[effect]) return `${effect} calls need --allow ${effect}`;
  return namesHost(settings.writesAllowedOn, settings.host)
    ? null
    : `${effect} calls need ${settings.host} in the configuration's writesAllowedOn`;
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
  const expendable = new Set(settings.expendable);
  const reaches = new WeakMap<Contract, Reach>();

  function reach(target: string): ReturnType<Reach> {
    const current = contract();
    const known = reaches.get(current) ?? createReach(current.operations);
    reaches.set(current, known);
    return known(target);
  }

  function guessRefusal(operation: Operation): string | null {
    if (operation.located !== 'assumed' || settings.mock) return null;
    return 'not located: a path that is only assumed is never called on a URL';
  }

  function targetRefusal(operation: Operation, parameters: Readonly<Record<string, string>>): string | null {
    if (operation.effect !== 'destructive' || settings.embedded) return null;
    const name = pathParameters(operation.path ?? '').at(-1);
    const id = name === undefined ? undefined : parameters[name];
    if (id !== undefined && (created.has(id) || expendable.has(id))) return null;
    return `destructive calls go only to ids that this run created or that the configuration lists under expendable${
      name === undefined ? '' : ` (${name})`
    }`;
  }

  return {
    settings,
    created,
    reach,
    noteCreated(id) {
      created.add(id);
    },
    refusalOf: (operation) => guessRefusal(operation) ?? effectRefusal(operation.effect, settings),
    refuse(departure) {
      const matches = reach(departure.target);
      if (matches === null) return 'the path holds a bad percent-escape';
      if (departure.purpose === 'refuse-method') {
        if (!settings.embedded && !settings.probe) return 'undocumented methods need --probe';
        // A path of this API can be that of several operations; the probe is harmless only if all of them read.
        if (
          !['GET', 'POST'].includes(departure.method) ||
          matches.some(({ operation }) => operation.effect !== 'read')
        ) {
          return 'undocumented methods are probed on reading operations only';
        }
        return matches.length === 0 ? 'no operation of the contract has this path' : null;
      }
      const reached = matches.filter(({ operation }) => operation.method === departure.method);
      const named = reached.find(({ operation }) => operation.operationId === departure.operationId);
      if (named === undefined) return `the request is not one of ${departure.operationId}`;
      const guess = guessRefusal(named.operation);
      if (guess !== null) return guess;
      const probing = ['refuse-credentials', 'refuse-grant'].includes(departure.purpose);
      if (probing && !settings.embedded && !settings.probe) return 'wrong credentials and grants need --probe';
      for (const { operation, pathParameters: parameters } of reached) {
        const refusal = effectRefusal(operation.effect, settings) ?? targetRefusal(operation, parameters);
        if (refusal !== null) return refusal;
      }
      return null;
    },
  };
}
