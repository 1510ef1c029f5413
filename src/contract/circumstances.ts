import type { Assumed } from './assumed.ts';
import { member, type Truth, truthOf } from './conditions.ts';
import type { FactGroup, Facts } from './folder.ts';

/** A record that an answer shows, or that a call is about. */
export interface Shown {
  readonly record: unknown;
  /** Path parameters of the call, as far as they name the record. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/** What is known of records beside what the contract says of all of them. */
export interface Circumstances {
  /** Whether a condition holds of a record. What a configuration states comes before what is assumed. */
  holds(condition: string, shown: Shown): Truth;
  /** The currency in which the limits of a body count; null where nothing tells. */
  currencyOf(body: unknown, parameters?: Readonly<Record<string, string>>): string | null;
}

export interface CircumstancesOptions {
  /** What a configuration may state (`contract.yaml`). */
  readonly groups?: Readonly<Record<string, FactGroup>>;
  /** What it states. */
  readonly facts?: Facts | undefined;
  /** The ids that it states it of, by path parameter. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  readonly assumed?: Assumed | undefined;
  /** Of a mock: per condition a record that does not fulfil it, by the path parameter that names it. */
  readonly failing?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** What a configuration states of one record. */
interface Stated {
  readonly parameter: string;
  readonly id: string;
  readonly conditions: ReadonlyMap<string, boolean>;
  readonly currency: string | undefined;
}

/** Puts together what is stated and what is assumed; of neither, nothing is known. */
export function circumstancesOf(options: CircumstancesOptions): Circumstances {
  const { assumed, failing = {} } = options;
  const stated = statedBy(options);
  const about = (shown: Shown): Stated[] => stated.filter((one) => isAbout(one, shown));
  return {
    holds(condition, shown) {
      const [known] = about(shown).flatMap(({ conditions }) => conditions.get(condition) ?? []);
      const fails = Object.entries(failing[condition] ?? {}).some(([parameter, id]) =>
        isAbout({ parameter, id }, shown),
      );
      return known ?? (fails ? false : undefined) ?? truthOf(assumed?.conditions[condition], { record: shown.record });
    },
    currencyOf(body, parameters = {}) {
      const named = member(body, assumed?.limits.currency ?? '');
      if (typeof named === 'string') return named.toUpperCase();
      return about({ record: body, parameters }).find(({ currency }) => currency !== undefined)?.currency ?? null;
    },
  };
}

/** Nothing is known beside what the contract says. */
export const NOTHING_KNOWN: Circumstances = circumstancesOf({});

function statedBy({ groups = {}, facts = {}, parameters = {} }: CircumstancesOptions): Stated[] {
  return Object.entries(groups).flatMap(([group, { of, members }]): Stated[] => {
    const id = parameters[of];
    const values = Object.entries(facts[group] ?? {});
    if (id === undefined || values.length === 0) return [];
    const conditions = values.flatMap(([name, value]): [string, boolean][] => {
      const condition = members[name]?.condition;
      return condition !== undefined && typeof value === 'boolean' ? [[condition, value]] : [];
    });
    const currency = values.find(([name]) => members[name]?.role === 'currency')?.[1];
    const code = typeof currency === 'string' ? currency.toUpperCase() : undefined;
    return [{ parameter: of, id, conditions: new Map(conditions), currency: code }];
  });
}

/** A record that says which one it is is that one; else it is the one that the call names. */
function isAbout({ parameter, id }: Pick<Stated, 'parameter' | 'id'>, { record, parameters = {} }: Shown): boolean {
  const own = member(record, parameter);
  const named = typeof own === 'string' || typeof own === 'number' ? String(own) : parameters[parameter];
  return named === id;
}
