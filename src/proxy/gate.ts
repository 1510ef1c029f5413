import type { IncomingMessage } from 'node:http';
import type { Contract, Effect, Operation } from '../contract/contract.ts';
import { createdBy } from '../egress/created.ts';
import { createPolicy, effectRefusal, type PolicySettings } from '../egress/policy.ts';
import type { Call } from '../model/call.ts';
import type { Spot } from './places.ts';

/** Header fields, and fields of a query or form, by which some servers take another method than the one of the request line. */
const OVERRIDES = ['x-http-method-override', 'x-http-method', 'x-method-override'];
const OVERRIDE_FIELDS = [...OVERRIDES, '_method'];
const FORM = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)/i;
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Holds requests back whose effect on the target is not allowed. */
export interface Gate {
  /** Why a request is not sent; null where it may leave. */
  refusalOf(request: IncomingMessage, target: string, spot: Spot | null): string | null;
  /** Remembers what a creating call made: destructive calls may go there. */
  note(call: Call, operation: Operation): void;
}

function takesForm(operation: Operation | undefined): boolean {
  return operation?.requestBody?.content.some(({ type }) => FORM.test(type)) === true;
}

/** The effects policy of a run, asked for every request of the caller. What matches no operation counts as what its method usually does. */
export function createGate(contract: () => Contract, settings: PolicySettings): Gate {
  const policy = createPolicy(contract, settings);

  function refusalOf(method: string, target: string, spot: Spot | null): string | null {
    const path = target.split('?', 1)[0] ?? '';
    if (spot === null) return strayRefusal(method, path);
    const { operation } = spot;
    const wanted = method === 'HEAD' ? 'GET' : method;
    const reached = policy.reach(path)?.filter((match) => match.operation.method === wanted);
    const all = reached && [operation, ...reached.map((match) => match.operation)];
    if (all?.every(({ effect }) => effect === 'read') === true) return null;
    return policy.refuse({ operationId: operation.operationId, purpose: 'succeed', method: wanted, target });
  }

  function strayRefusal(method: string, path: string): string | null {
    if (SAFE.has(method)) return null;
    const effect: Effect = method === 'DELETE' ? 'destructive' : 'write';
    const refusal = effectRefusal(effect, settings);
    if (refusal !== null) return `${refusal} (no operation of the contract matches it)`;
    const ids = path.split('/');
    const mayGo = effect !== 'destructive' || settings.embedded || ids.some((id) => isExpendable(id));
    return mayGo
      ? null
      : 'destructive calls go only to ids that were created here or that the configuration lists under expendable';
  }

  /** A request that may be taken for one of another method needs what that one needs. What a form says is not known yet: it may say DELETE. */
  function overrideRefusal({ headers, method }: IncomingMessage, target: string, spot: Spot | null): string | null {
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
    if (!isForm || takesForm(spot?.operation)) return null;
    const refusal = strayRefusal('DELETE', path);
    return refusal === null ? null : `a form can name another method: ${refusal}`;
  }

  const isExpendable = (id: string): boolean => policy.created.has(id) || settings.expendable.includes(id);

  return {
    refusalOf(request, target, spot) {
      const method = request.method ?? 'GET';
      const refusal = refusalOf(method, target, spot);
      if (refusal !== null) return refusal;
      if (settings.embedded) return null;
      return overrideRefusal(request, target, spot);
    },
    note(call, operation) {
      const creation = createdBy(call, operation, { parameters: {}, host: settings.host });
      if (creation !== null && creation.id !== null) policy.noteCreated(creation.id);
    },
  };
}
