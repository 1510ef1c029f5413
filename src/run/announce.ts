import type { Operation } from '../contract/contract.ts';
import type { CallRequest } from '../egress/caller.ts';
import type { HeaderFields } from '../model/exchange.ts';
import type { CheckKind } from '../model/report.ts';
import { bodyFor } from './bodies.ts';
import { acceptOf, destinationOf, jsonTypeOf, type Values } from './request.ts';
import type { Session } from './session.ts';
import type { CallSpec, CheckSpec } from './suite.ts';

/** A call as it will be made: nothing of it is left to whoever asks for it. */
export interface AnnouncedCall extends Omit<CallRequest, 'checkId'> {
  /** Path template. */
  readonly path: string;
  readonly times: number;
}

/** A check with its calls; the gateway makes these and no others. */
export interface AnnouncedCheck {
  readonly id: string;
  readonly operationId: string | null;
  readonly kind: CheckKind;
  readonly calls: readonly AnnouncedCall[];
  /** Why it is not run; else null. Then its calls are not all there. */
  readonly skip: string | null;
}

/**
 * Makes calls of what checks say of them; every reason not to make one is found here.
 *
 * @param known values that a body may name
 * @throws Error where a check names no operation of the contract.
 */
export function createAnnouncer(
  { target: run, policy, nothing }: Pick<Session, 'target' | 'policy' | 'nothing'>,
  known: Values,
): (spec: CheckSpec) => AnnouncedCheck {
  const { contract } = run;
  const { embedded, probe } = policy.settings;
  const kinds: Readonly<Record<CheckKind, string | null>> = {
    any: null,
    probe: embedded || probe ? null : 'needs --probe',
    'mock-only': embedded ? null : 'runs against the embedded mock only',
  };

  function operationOf(id: string | undefined, check: string): Operation {
    const operation = contract.operation(id ?? '');
    if (operation === undefined) throw new Error(`check ${check} names no operation of the contract: ${id}`);
    return operation;
  }

  /** A call, or why it is not made. */
  function callOf(operation: Operation, spec: CallSpec): AnnouncedCall | string {
    const { operationId, path, effect, auth } = operation;
    if (nothing !== null) return nothing;
    const refusal = policy.refusalOf(operation);
    if (refusal !== null) return refusal;
    const { target, headers, parameters, missing } = destinationOf(operation, run.parameters, spec.parameters);
    if (missing.length > 0) return `missing parameter ${missing.join(', ')}`;
    if (target === null || path === null) return 'a parameter cannot stand in a path';
    const { purpose = 'succeed', method = operation.method ?? 'GET', times = 1 } = spec;
    const [type, body] = bodyOf(operation, spec);
    const accept: HeaderFields = [['accept', acceptOf(contract, operation)]];
    return (
      policy.refuse({ operationId, purpose, method, target }) ?? {
        operationId,
        effect,
        purpose,
        auth: spec.auth ?? ({ issues: 'client', bearer: 'token', none: 'none' } as const)[auth],
        method,
        path,
        target,
        headers: [...accept, ...headers, ...(type === null ? [] : [['content-type', type] as const])],
        body,
        parameters,
        times,
      }
    );
  }

  function bodyOf(operation: Operation, { form, json }: CallSpec): [string | null, Uint8Array | null] {
    if (form !== undefined) return ['application/x-www-form-urlencoded', Buffer.from(`${new URLSearchParams(form)}`)];
    const own = bodyFor(contract, operation, known);
    const value = json === undefined ? own : json === null ? undefined : { ...(own as object | undefined), ...json };
    return value === undefined ? [null, null] : [jsonTypeOf(operation), Buffer.from(JSON.stringify(value))];
  }

  return (spec) => {
    const { id, operationId, kind = 'any' } = spec;
    const asked = (spec.calls ?? [{}]).map((call) => [operationOf(call.operationId ?? operationId, id), call] as const);
    const about = operationId === undefined ? [] : [operationOf(operationId, id)];
    const lost = [...about, ...asked.map(([operation]) => operation)].some(({ path }) => path === null);
    const calls = lost || kinds[kind] !== null ? [] : asked.map(([operation, call]) => callOf(operation, call));
    // Most telling reason first: an operation that nobody can find needs no flag.
    const why = [
      lost ? 'not located: the reference shows neither method nor path' : null,
      kinds[kind],
      ...calls.filter((call) => typeof call === 'string'),
      spec.skip ?? null,
    ];
    return {
      id,
      operationId: operationId ?? null,
      kind,
      calls: calls.filter((call) => typeof call !== 'string'),
      skip: why.find((reason) => reason !== null) ?? null,
    };
  };
}
