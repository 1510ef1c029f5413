import { memberAt } from '../../contract/conditions.ts';
import type { Parts } from '../compile/parts.ts';
import type { Plan } from '../compile/plan.ts';
import type { Heard } from '../http/recorder.ts';
import { idOf, kindOf, referencesOf } from '../state/entities.ts';
import type { EventForm, EventValues } from './template.ts';
import type { Webhooks } from './webhooks.ts';

/** Where the events of a mock are described: what is served. */
export interface Emitting {
  readonly plan: () => Plan;
  readonly parts: () => Parts;
}

/** The events that changes emit (`emits` of a kind), and what a template may name of each. */
export function eventsOf({ plan, parts }: Emitting): readonly (EventForm & { readonly kind: string })[] {
  const tenant = plan().tenant?.name;
  return Object.entries(parts().entities.file.kinds).flatMap(([kind, its]) => {
    if (its.emits === undefined) return [];
    const references = referencesOf(its).map(({ field }) => field);
    const [parent] = references;
    const ids = [tenant, ...references, idOf(its)].filter((name) => name !== undefined);
    const shown = ids.filter((name) => name === tenant || name === parent || name === idOf(its));
    return [{ event: its.emits, kind, ids, shown }];
  });
}

/** Tells the webhooks of a change that succeeded. */
export function tellEvents(webhooks: Webhooks, emitting: Emitting, { trail, answer, call }: Heard): void {
  const { operation, parameters = {} } = trail;
  const form = emitting.parts().entities.operations[operation?.operationId ?? ''];
  if (!operation || !form || form.read !== undefined || form.list !== undefined || answer.status >= 300) return;
  for (const { event, kind, ids } of eventsOf(emitting)) {
    if (kind !== kindOf(form)) continue;
    webhooks.emit(event, (): EventValues => {
      const [record, sent] = [parsed(answer.body), parsed(call.body)];
      const named = ids.map((name) => [name, parameters[name] ?? textOf(record, name) ?? textOf(sent, name)] as const);
      return { operationId: operation.operationId, ...Object.fromEntries(named), [kind]: record };
    });
  }
}

function parsed(body: Buffer | null): unknown {
  try {
    return body ? JSON.parse(body.toString()) : null;
  } catch {
    return null;
  }
}

function textOf(value: unknown, name: string): string | null {
  const text = memberAt(value, name);
  return typeof text === 'string' ? text : null;
}
