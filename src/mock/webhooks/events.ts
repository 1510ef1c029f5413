import { memberAt } from '../../contract/conditions.ts';
import type { Plan } from '../compile/plan.ts';
import type { Heard } from '../http/recorder.ts';
import { idOf, kindOf, referencesOf } from '../state/entities.ts';
import type { Parts } from '../tenant/parts.ts';

/** An event, and what a template may name of it. */
export interface EventForm {
  /** Its name, such as `order-shipped`. */
  readonly event: string;
  /** The kind of the record that was changed: the answer that the operation gave, parsed, goes by its name. */
  readonly kind: string;
  /** Names of ids: of the tenant, of the records to which it belongs, its own. */
  readonly ids: readonly string[];
  /** Those that are told where no template is given. */
  readonly shown: readonly string[];
}

export type EventValues = Readonly<Record<string, unknown>>;

/** The reference shows no payload: this one is made up, in the shape that Standard Webhooks recommends. */
export function defaultTemplate(form: EventForm | undefined): unknown {
  const names = [...(form?.shown ?? []), 'operationId'];
  return {
    type: form?.event ?? 'event',
    timestamp: '{{timestamp}}',
    data: Object.fromEntries(names.map((name) => [name, `{{${name}}}`])),
  };
}

/** What a template may name: `id` is the one of `webhook-id`, `timestamp` an ISO 8601 date-time in UTC. */
export function placeholdersOf(form: EventForm | undefined): readonly string[] {
  return ['id', 'timestamp', 'operationId', ...(form ? [...form.ids, form.kind] : [])];
}

/** A template with its placeholders filled. One that stands alone keeps the type of its value. */
export function fill(template: unknown, event: EventValues): unknown {
  if (typeof template === 'string') {
    const [whole, name = ''] = /^\{\{(\w+)\}\}$/.exec(template) ?? [];
    if (whole !== undefined && Object.hasOwn(event, name)) return event[name];
    return template.replace(/\{\{(\w+)\}\}/g, (text, one: string) =>
      Object.hasOwn(event, one) ? shown(event[one]) : text,
    );
  }
  if (Array.isArray(template)) return template.map((item) => fill(item, event));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, fill(value, event)]));
}

/** The first placeholder of a template that does not exist; undefined where all do. */
export function unknownPlaceholder(template: unknown, known: readonly string[]): string | undefined {
  for (const [, name = ''] of JSON.stringify(template ?? null).matchAll(/\{\{(\w+)\}\}/g)) {
    if (!known.includes(name)) return name;
  }
  return undefined;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

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

export function emitEvents(
  emitting: Emitting,
  { trail, answer, call, seq }: Heard,
  emit: (event: string, values: () => EventValues, exchange: number) => void,
): void {
  const { operation, parameters = {} } = trail;
  const form = emitting.parts().entities.operations[operation?.operationId ?? ''];
  if (!operation || !form || form.read !== undefined || form.list !== undefined || answer.status >= 300) return;
  for (const { event, kind, ids } of eventsOf(emitting)) {
    if (kind !== kindOf(form)) continue;
    const values = (): EventValues => {
      const [record, sent] = [parsed(answer.body), parsed(call.body)];
      const named = ids.map((name) => [name, parameters[name] ?? textOf(record, name) ?? textOf(sent, name)] as const);
      return { operationId: operation.operationId, ...Object.fromEntries(named), [kind]: record };
    };
    emit(event, values, seq);
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
