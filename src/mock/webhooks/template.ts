/** What a template may name in double braces. */
export interface CardUpdate {
  /** Identifies the event: the same for every try and every duplicate. */
  readonly id: string;
  /** ISO 8601 date-time, UTC. */
  readonly timestamp: string;
  readonly operationId: string;
  readonly customerId: string | null;
  readonly clientId: string | null;
  readonly cardId: string | null;
  /** The answer that the operation gave, parsed; null where it gave none. */
  readonly card: unknown;
}

/** The reference shows no payload: this one is made up, in the shape that Standard Webhooks recommends. */
export const DEFAULT_TEMPLATE: unknown = {
  type: 'card-updated',
  timestamp: '{{timestamp}}',
  data: {
    customerId: '{{customerId}}',
    clientId: '{{clientId}}',
    cardId: '{{cardId}}',
    operationId: '{{operationId}}',
  },
};

export const PLACEHOLDERS: readonly (keyof CardUpdate)[] = [
  'id',
  'timestamp',
  'operationId',
  'customerId',
  'clientId',
  'cardId',
  'card',
];

/** A template with its placeholders filled. One that stands alone keeps the type of its value. */
export function fill(template: unknown, event: CardUpdate): unknown {
  if (typeof template === 'string') {
    const [whole, name] = /^\{\{(\w+)\}\}$/.exec(template) ?? [];
    if (whole !== undefined && isPlaceholder(name)) return event[name];
    return template.replace(/\{\{(\w+)\}\}/g, (text, one: string) => (isPlaceholder(one) ? shown(event[one]) : text));
  }
  if (Array.isArray(template)) return template.map((item) => fill(item, event));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, fill(value, event)]));
}

/** The first placeholder of a template that does not exist; undefined where all do. */
export function unknownPlaceholder(template: unknown): string | undefined {
  for (const [, name] of JSON.stringify(template ?? null).matchAll(/\{\{(\w+)\}\}/g)) {
    if (!isPlaceholder(name)) return name;
  }
  return undefined;
}

function isPlaceholder(name: string | undefined): name is keyof CardUpdate {
  return (PLACEHOLDERS as readonly (string | undefined)[]).includes(name);
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
