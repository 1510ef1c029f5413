import type { SchemaFacts } from '../schema/schema-facts.ts';
import type { Contract } from './contract.ts';
import type { Assumed, FactGroup, Fulfilment, StatedFacts } from './contract-file.ts';
import { fieldsWith } from './limits.ts';

interface ConditionalField {
  readonly field: string;
  readonly condition: string;
  /** Without it the field is absent (`only`: `x-only-when`) or meaningless (`meaningful`: `x-meaningful-when`). */
  readonly kind: 'only' | 'meaningful';
  readonly pointer: string;
}

export const ONLY_WHEN = 'x-only-when';

const WORDS = [
  ['only', ONLY_WHEN],
  ['meaningful', 'x-meaningful-when'],
] as const;

export function conditionalFieldsOf(contract: Contract, schemaPointer: string): ConditionalField[] {
  return WORDS.flatMap(([kind, word]) =>
    fieldsWith(contract, word, schemaPointer).flatMap(({ field, value, pointer }): ConditionalField[] =>
      typeof value === 'string' ? [{ field, condition: value, kind, pointer }] : [],
    ),
  );
}

export interface OnlyWhen {
  readonly condition: string;
  readonly pointer: string;
}

export function onlyWhen(field: SchemaFacts): OnlyWhen | null {
  const { value, pointer = '' } = field.stated(ONLY_WHEN) ?? {};
  return typeof value === 'string' ? { condition: value, pointer } : null;
}

type Truth = boolean | 'unknown';

/** Whether a subject fulfils a condition. A missing member makes it unknown; one different member makes it false. */
export function truthOf(
  fulfilment: Fulfilment | undefined,
  subject: { readonly record?: unknown; readonly profile?: unknown },
): Truth {
  const record = truthOfPart(fulfilment?.record, subject.record);
  const profile = truthOfPart(fulfilment?.profile, subject.profile);
  if (record === false || profile === false) return false;
  return record === 'unknown' || profile === 'unknown' ? 'unknown' : (record ?? profile ?? 'unknown');
}

function truthOfPart(wanted: Readonly<Record<string, unknown>> | undefined, value: unknown): Truth | undefined {
  let truth: Truth | undefined;
  for (const path in wanted) {
    const actual = memberAt(value, path);
    if (actual === undefined) truth = 'unknown';
    else if (actual !== wanted[path]) return false;
    else truth ??= true;
  }
  return truth;
}

export function memberAt(value: unknown, path: string): unknown {
  return path.includes('.') ? path.split('.').reduce<unknown>(member, value) : member(value, path);
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

interface Shown {
  readonly record: unknown;
  readonly parameters?: Readonly<Record<string, string>>;
}

export interface Circumstances {
  /** Whether a condition holds for a record. Facts in the configuration take precedence over assumptions. */
  holds(condition: string, shown: Shown): Truth;
  currencyOf(body: unknown, parameters?: Readonly<Record<string, string>>): string | null;
}

export interface CircumstancesOptions {
  readonly groups?: Readonly<Record<string, FactGroup>>;
  readonly facts?: StatedFacts | undefined;
  /** Ids of the call, by path parameter. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  readonly assumed?: Assumed | undefined;
  /** For a mock: per condition, a record that does not fulfil it, by the path parameter of its id. */
  readonly failing?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

interface Stated {
  readonly parameter: string;
  readonly id: string;
  readonly conditions: ReadonlyMap<string, boolean>;
  readonly currency: string | undefined;
}

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

/** The record's own id decides, or the call's if the record has no id. */
function isAbout({ parameter, id }: Pick<Stated, 'parameter' | 'id'>, { record, parameters = {} }: Shown): boolean {
  const own = member(record, parameter);
  const named = typeof own === 'string' || typeof own === 'number' ? String(own) : parameters[parameter];
  return named === id;
}
