import type { Operation } from '../contract/contract.ts';
import { bodyOf } from '../judge/request-example.ts';
import { type Auth, type CallRequest, isForgery, type Purpose } from '../model/call.ts';
import { isSendable } from '../model/exchange.ts';
import type { Reason } from '../model/reason.ts';
import type { CheckKind } from '../model/report.ts';
import type { Json } from '../schema/json.ts';
import { patched } from '../schema/merge-patch.ts';
import { acceptOf, bodyFor, destinationOf, type Values } from './request.ts';
import { FORM, type RequestBody, writeBody } from './request-body.ts';
import type { Session } from './session.ts';

/** A call as a check describes it. Omitted members are as in a good call of the check's operation. */
export interface CallSpec {
  readonly operationId?: string;
  readonly auth?: Auth;
  readonly purpose?: Purpose;
  readonly method?: string;
  /** Path, query or header parameters that override the run's. */
  readonly parameters?: Values;
  /** Members to add to the run's JSON body for the operation, or to replace in it; null for no body. */
  readonly json?: Readonly<Record<string, Json>> | null;
  readonly form?: Values;
  readonly times?: number;
}

export interface PlannedCheck {
  /** Stable and dotted: area, kind of check, operation. */
  readonly id: string;
  readonly operationId?: string | undefined;
  /** Default: one good call of the operation. */
  readonly calls?: readonly CallSpec[];
  readonly skip?: Reason | null;
}

export interface AnnouncedCall extends Omit<CallRequest, 'checkId'> {
  readonly path: string;
  readonly times: number;
}

export interface AnnouncedCheck {
  readonly id: string;
  readonly operationId: string | null;
  readonly kind: CheckKind;
  /** Complete unless the check is skipped. */
  readonly calls: readonly AnnouncedCall[];
  readonly skip: Reason | null;
}

const PROBES: readonly Purpose[] = ['refuse-credentials', 'refuse-grant', 'refuse-method'];

/** The purposes of the calls decide on which targets a check runs. */
function kindOf(calls: readonly CallSpec[]): CheckKind {
  if (calls.some(({ purpose }) => purpose === 'provoke-client')) return 'mock-only';
  const isProbe = ({ purpose = 'succeed', auth = 'token' }: CallSpec): boolean =>
    PROBES.includes(purpose) || isForgery(auth);
  return calls.some(isProbe) ? 'probe' : 'any';
}

/**
 * Turns planned checks into calls. Finds every reason not to make a call.
 *
 * @param known values that a body may name
 * @throws Error if a check names no operation of the contract
 */
export function createAnnouncer(
  { target: run, policy, nothing, inputs }: Pick<Session, 'target' | 'policy' | 'nothing' | 'inputs'>,
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

  function callOf(operation: Operation, spec: CallSpec): AnnouncedCall | Reason {
    const { operationId, path, effect, auth } = operation;
    const { purpose = 'succeed', method = operation.method ?? 'GET', times = 1 } = spec;
    if (purpose === 'succeed' && onlyRedirects(operation)) return { kind: 'only-redirects' };
    const { target, headers, parameters, missing } = destinationOf(operation, run.parameters, {
      ...run.filled(operation),
      ...spec.parameters,
    });
    if (missing.length > 0) return inputs.whyLacking(operation, missing);
    if (target === null || path === null) return { kind: 'bad-parameter' };
    const unsendable = headers.find(([, value]) => !isSendable(value));
    if (unsendable !== undefined) return { kind: 'bad-header', name: unsendable[0] };
    const body = sentBody(operation, spec);
    return (
      policy.refuse({ operationId, purpose, method, target, headers, body: body?.bytes ?? null }) ?? {
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

  function sentBody(operation: Operation, { form, json }: CallSpec): RequestBody | null {
    if (form !== undefined) return { type: FORM, bytes: Buffer.from(`${new URLSearchParams(form)}`) };
    const media = bodyOf(operation) ?? { type: 'application/json', pointer: '' };
    const made = bodyFor(contract, operation, known, embedded);
    const named = run.bodies[operation.operationId];
    const own = made === undefined || named === undefined ? made : (patched(made, named) as Json);
    const value = json === undefined ? own : json === null ? undefined : { ...(own as object | undefined), ...json };
    return value === undefined ? null : writeBody(contract, media, value);
  }

  return ({ id, operationId, calls: specs = [{}], skip = null }) => {
    const kind = kindOf(specs);
    // a skipped check may have found no operation to call
    const found = operationId === undefined && skip !== null ? [] : specs;
    const asked = found.map((spec) => [operationOf(spec.operationId ?? operationId, id), spec] as const);
    const about = operationId === undefined ? [] : [operationOf(operationId, id)];
    const operations = [...about, ...asked.map(([operation]) => operation)];
    // Most useful reason first: an operation without a known path needs no flag.
    const before: Reason | null = operations.some(({ path }) => path === null)
      ? { kind: 'not-located' }
      : (kinds[kind] ?? operations.map((one) => nothing ?? policy.refusalOf(one)).find((one) => one !== null) ?? null);
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

function onlyRedirects({ responses }: Operation): boolean {
  const shows = (form: RegExp): boolean => responses.some(({ status }) => form.test(status));
  return shows(/^3/) && !shows(/^(?:2|default)/);
}
