import { memberAt } from '../../contract/conditions.ts';
import { parseJson } from '../../text/decode.ts';
import type { RecordedExchange } from '../http/recorder.ts';
import { idOf, kindOf, referencesOf } from '../state/entities.ts';
import type { ContractParts } from '../tenant/parts.ts';

export interface EventForm {
  /** Its name, for example `order-shipped`. */
  readonly event: string;
  readonly kind: string;
  /** Names of the ids in the payload: the tenant's, the parent's and the record's own. */
  readonly ids: readonly string[];
}

/** The ids of an event and its `operationId`, by name. */
export type EventValues = Readonly<Record<string, unknown>>;

/** The reference shows no payload, so this is an assumption: the shape recommended by Standard Webhooks. */
export function eventPayload(form: EventForm | undefined, values: EventValues, now: number): object {
  const ids = (form?.ids ?? []).map((name) => [name, values[name] ?? null]);
  return {
    type: form?.event ?? 'event',
    timestamp: new Date(now).toISOString(),
    data: { ...Object.fromEntries(ids), operationId: values.operationId ?? 'none' },
  };
}

/** The events emitted by changes (`emits` of a kind). */
export function eventsOf({ plan, parts }: Pick<ContractParts, 'plan' | 'parts'>): readonly EventForm[] {
  return Object.entries(parts.entities.file.kinds).flatMap(([kind, its]) => {
    if (its.emits === undefined) return [];
    const [parent] = referencesOf(its);
    const ids = [plan.tenant?.name, parent?.field, idOf(its)].filter((name) => name !== undefined);
    return [{ event: its.emits, kind, ids }];
  });
}

/** The operations that emit each event: those that change a record of its kind. */
export function emittersOf({
  plan,
  parts,
}: Pick<ContractParts, 'plan' | 'parts'>): Readonly<Record<string, readonly string[]>> {
  const ids = plan.operations.map(({ operationId }) => operationId);
  return Object.fromEntries(
    eventsOf({ plan, parts }).map(({ event, kind }) => [event, ids.filter((id) => changedKind(parts, id) === kind)]),
  );
}

/** The kind that an operation changes; undefined if it only reads. */
function changedKind({ entities }: ContractParts['parts'], operationId = ''): string | undefined {
  const form = entities.operations[operationId];
  return form && form.read === undefined && form.list === undefined ? kindOf(form) : undefined;
}

export function emitEvents(
  served: ContractParts,
  { trail, answer, call, seq }: RecordedExchange,
  emit: (event: string, values: () => EventValues, exchange: number) => void,
): void {
  const { operation, parameters = {} } = trail;
  const changed = changedKind(served.parts, operation?.operationId);
  if (!operation || changed === undefined || answer.status >= 300) return;
  for (const { event, kind, ids } of eventsOf(served)) {
    if (kind !== changed) continue;
    const values = (): EventValues => {
      const [record, sent] = [answer.body, call.body].map((body) => parseJson(String(body ?? '')));
      const named = ids.map((name) => [name, parameters[name] ?? textOf(record, name) ?? textOf(sent, name)] as const);
      return { operationId: operation.operationId, ...Object.fromEntries(named) };
    };
    emit(event, values, seq);
  }
}

function textOf(value: unknown, name: string): string | null {
  const text = memberAt(value, name);
  return typeof text === 'string' ? text : null;
}
