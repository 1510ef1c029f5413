import type { Operation } from '../contract/contract.ts';
import type { CallRequest } from '../model/call.ts';
import { isSendable } from '../model/exchange.ts';
import type { Reason } from '../model/reason.ts';
import type { CheckKind } from '../model/report.ts';
import type { CallSpec, CheckSpec } from './protocol.ts';
import { acceptOf, bodyFor, destinationOf, jsonTypeOf, type Values } from './request.ts';
import type { Session } from './session.ts';

/** A call as it will be made. The suite can ask for it and change nothing. */
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
  /** Complete unless the check is skipped. */
  readonly calls: readonly AnnouncedCall[];
  /** Why it is not run, or null. */
  readonly skip: Reason | null;
}

/** What the engine says of a check: its reason to skip it is data. */
export type PlannedCheck = Omit<CheckSpec, 'skip'> & { readonly skip?: Reason | null };

/**
 * Makes calls of what checks say of them; every reason not to make one is found here.
 *
 * @param known values that a body may name
 * @throws Error where a check names no operation of the contract.
 */
export function createAnnouncer(
  { target: run, policy, nothing }: Pick<Session, 'target' | 'policy' | 'nothing'>,
  known: Values,
): (check: PlannedCheck) => AnnouncedCheck {
  const { contract } = run;
  const { embedded, probe } = policy.settings;
  const kinds: Readonly<Record<CheckKind, Reason | null>> = {
    any: null,
    probe: embedded || probe ? null : { kind: 'needs-probe' },
    'mock-only': embedded ? null : { kind: 'mock-only' },
  };

  function operationOf(id: string | undefined, check: string): Operation {
    const operation = contract.operation(id ?? '');
    if (operation === undefined) throw new Error(`check ${check} names no operation of the contract: ${id}`);
    return operation;
  }

  /** A call, or why it is not made. */
  function callOf(operation: Operation, spec: CallSpec): AnnouncedCall | Reason {
    const { operationId, path, effect, auth } = operation;
    const refusal = nothing ?? policy.refusalOf(operation);
    if (refusal !== null) return refusal;
    const { target, headers, parameters, missing } = destinationOf(operation, run.parameters, spec.parameters);
    if (missing.length > 0) return { kind: 'missing-parameter', names: missing };
    if (target === null || path === null) return { kind: 'bad-parameter' };
    const unsendable = headers.find(([, value]) => !isSendable(value));
    if (unsendable !== undefined) return { kind: 'bad-header', name: unsendable[0] };
    const { purpose = 'succeed', method = operation.method ?? 'GET', times = 1 } = spec;
    const body = bodyOf(operation, spec);
    return (
      policy.refuse({ operationId, purpose, method, target }) ?? {
        operationId,
        effect,
        purpose,
        auth: spec.auth ?? ({ issues: 'client', bearer: 'token', none: 'none' } as const)[auth],
        method,
        path,
        target,
        headers: [
          ['accept', acceptOf(contract, operation)],
          ...headers,
          ...(body ? [['content-type', body.type] as const] : []),
        ],
        body: body?.bytes ?? null,
        parameters,
        times,
      }
    );
  }

  function bodyOf(operation: Operation, { form, json }: CallSpec): { type: string; bytes: Uint8Array } | null {
    if (form !== undefined) {
      return { type: 'application/x-www-form-urlencoded', bytes: Buffer.from(`${new URLSearchParams(form)}`) };
    }
    const own = bodyFor(contract, operation, known);
    const value = json === undefined ? own : json === null ? undefined : { ...(own as object | undefined), ...json };
    return value === undefined ? null : { type: jsonTypeOf(operation), bytes: Buffer.from(JSON.stringify(value)) };
  }

  return ({ id, operationId, kind = 'any', calls: specs = [{}], skip = null }) => {
    const asked = specs.map((spec) => [operationOf(spec.operationId ?? operationId, id), spec] as const);
    const about = operationId === undefined ? [] : [operationOf(operationId, id)];
    const isLost = [...about, ...asked.map(([operation]) => operation)].some(({ path }) => path === null);
    // Most telling reason first: an operation that nobody can find needs no flag.
    const before: Reason | null = isLost ? { kind: 'not-located' } : kinds[kind];
    const made = before === null ? asked.map(([operation, spec]) => callOf(operation, spec)) : [];
    return {
      id,
      operationId: operationId ?? null,
      kind,
      calls: made.filter((call): call is AnnouncedCall => !('kind' in call)),
      skip: before ?? made.find((call): call is Reason => 'kind' in call) ?? skip,
    };
  };
}
