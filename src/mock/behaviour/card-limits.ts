import type { Answer } from '../answer.ts';
import { problem } from '../problem.ts';
import { type Behaviour, type Judged, member } from './behaviour.ts';

/**
 * Refuses a card whose limits are above the maximum of its currency (API reference, Limits). That it is refused follows
 * from the reference; the status, the body and the `currency` member of the request are assumed. A request without a
 * currency is held to the highest maximum of any; a currency that the reference does not list has none.
 */
export function createCardLimits(): Behaviour {
  return { operationIds: ['issueNewCard', 'updateCardLimits'], judge };
}

function judge({ operation, body }: Judged): Answer | undefined {
  const currency = member(body, 'currency');
  const tooHigh: TooHigh[] = [];
  for (const [name, byCurrency] of Object.entries(operation.maxima ?? {})) {
    const value = member(body, name);
    const maximum = maximumOf(byCurrency, currency);
    if (typeof value === 'number' && maximum !== undefined && value > maximum) tooHigh.push({ name, maximum });
  }
  return tooHigh.length === 0 ? undefined : limitProblem(tooHigh, typeof currency === 'string' ? currency : undefined);
}

/** A limit above the maximum of its currency. */
export interface TooHigh {
  readonly name: string;
  readonly maximum: number;
}

/** The refusal of limits that are too high. */
export function limitProblem(tooHigh: readonly TooHigh[], currency?: string): Answer {
  const errors = tooHigh.map(({ name, maximum }) => ({
    in: 'body',
    pointer: `/${name}`,
    message: `must be at most ${maximum}`,
    maximum,
  }));
  const [first] = errors;
  const detail = `${first?.pointer} ${first?.message}${currency === undefined ? '' : ` in ${currency}`}`;
  return problem(422, 'card-limit', detail, { members: { errors } });
}

function maximumOf(byCurrency: Readonly<Record<string, number>>, currency: unknown): number | undefined {
  if (typeof currency !== 'string') return Math.max(...Object.values(byCurrency));
  return Object.hasOwn(byCurrency, currency) ? byCurrency[currency] : undefined;
}
