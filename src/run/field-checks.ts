import { conditionalFieldsOf } from '../contract/conditions.ts';
import type { Contract, JsonObject, Operation } from '../contract/contract.ts';
import type { FactGroup, StatedFacts } from '../contract/contract-file.ts';
import { currenciesOf, maximaOf } from '../contract/limits.ts';
import { pathParameters } from '../contract/paths.ts';
import { isJsonType } from '../model/media.ts';
import { joinPointer } from '../pointer.ts';
import { goodContent } from '../report/coverage.ts';
import { propertiesOf } from './bodies.ts';
import type { Values } from './request.ts';
import type { CallSpec, CheckSpec } from './suite.ts';

/** What is known of records, beside what the contract says of all of them. */
export interface Known {
  /** What a configuration may state, as `contract.yaml` says it. */
  readonly groups: Readonly<Record<string, FactGroup>>;
  /** What it states. */
  readonly facts: StatedFacts;
  /** Everything is known of the embedded mock. */
  readonly embedded: boolean;
  /** Per condition a record of the mock that does not fulfil it, by the path parameter that names it. */
  readonly failing: Readonly<Record<string, Values>>;
}

/** A field that is there under a condition only (`x-only-when`), read of a record that is known not to fulfil it. */
export function conditionChecks(contract: Contract, operation: Operation, area: string, known: Known): CheckSpec[] {
  const { operationId, effect, path } = operation;
  const name = /\{([^{}]+)\}$/.exec(path ?? '')?.[1];
  if (effect !== 'read' || name === undefined) return [];
  const fields = goodContent(operation)
    .flatMap(({ pointer }) => conditionalFieldsOf(contract, joinPointer(pointer, 'schema')))
    .filter(({ kind }) => kind === 'only');
  const conditions = new Map(fields.map(({ field, condition }) => [`${field}-only-${condition}`, condition]));
  return [...conditions].map(([what, condition]) => ({
    id: `${area}.${what}`,
    operationId,
    ...recordWithout(condition, name, known),
  }));
}

function recordWithout(condition: string, name: string, { groups, facts, failing }: Known): Partial<CheckSpec> {
  const id = failing[condition]?.[name];
  if (id !== undefined) return { calls: [{ parameters: { [name]: id } }] };
  for (const [group, { of, members }] of Object.entries(groups)) {
    const member = Object.keys(members).find((key) => of === name && members[key]?.condition === condition);
    if (member === undefined) continue;
    if (facts[group]?.[member] === false) return {};
    const what = `only a record that is not ${condition} can show it`;
    return { skip: `needs ${group}.${member}: false in the configuration: ${what}` };
  }
  return { skip: `contract.yaml has no fact that tells which record is not ${condition}` };
}

/** Each maximum (`x-maximum-by-currency`): one above it is refused, and all of a currency together are good. */
export function limitChecks(contract: Contract, operation: Operation, area: string, known: Known): CheckSpec[] {
  const { operationId, path, requestBody } = operation;
  const media = requestBody?.content.find(({ type }) => isJsonType(type));
  const schema = joinPointer(media?.pointer ?? '', 'schema');
  const maxima = media === undefined ? null : maximaOf(contract, schema);
  if (path === null || maxima === null) return [];
  const fact = currencyFactOf(operation, known);
  const names = propertiesOf(contract, schema);
  const limits = Object.entries(maxima);
  // In major units: the unit of the fields is an assumption. A currency without a maximum has none.
  const checkOf = (what: string, currency: string, fields: JsonObject, call: CallSpec): CheckSpec => {
    const named = fact !== null && names.includes(fact.member) ? { [fact.member]: currency } : {};
    const calls = [{ ...call, json: { ...named, ...fields } }];
    return { id: `${area}.${what}.${currency}`, operationId, calls, skip: limitSkip(currency, fact, known) };
  };
  const above = limits.flatMap(([field, byCurrency]) =>
    Object.entries(byCurrency).map(([currency, maximum]) =>
      checkOf(`limit.${field}`, currency, { [field]: maximum + 1 }, { purpose: 'refuse-limit' }),
    ),
  );
  const at = currenciesOf(maxima).map((currency) => {
    const fields = limits.flatMap(([field, { [currency]: most }]) => (most === undefined ? [] : [[field, most]]));
    return checkOf('limit-at-maximum', currency, Object.fromEntries(fields), {});
  });
  return [...above, ...at];
}

/** A fact that says in which currency limits count. */
interface CurrencyFact {
  readonly of: string;
  readonly group: string;
  readonly member: string;
  readonly members: readonly string[];
}

function currencyFacts(groups: Known['groups']): CurrencyFact[] {
  return Object.entries(groups).flatMap(([group, { of, members }]) => {
    const names = Object.keys(members);
    const member = names.find((name) => members[name]?.role === 'currency');
    return member === undefined ? [] : [{ of, group, member, members: names }];
  });
}

/** Of what an operation creates or names, else of anything. */
function currencyFactOf({ creates, path }: Operation, { groups }: Known): CurrencyFact | null {
  const facts = currencyFacts(groups);
  const named = pathParameters(path ?? '');
  return facts.find(({ of }) => of === creates || named.includes(of)) ?? facts[0] ?? null;
}

function limitSkip(currency: string, fact: CurrencyFact | null, { embedded, facts }: Known): string | null {
  if (embedded) return null;
  if (fact === null) return 'contract.yaml has no fact that tells in which currency limits count';
  const { group, member, members } = fact;
  const stated = facts[group] ?? {};
  if (members.some((name) => stated[name] === undefined)) {
    return `needs ${group} (${members.join(', ')}) in the configuration: the reference has no field that says so`;
  }
  return stated[member] === currency ? null : `the configured ${group} is in ${stated[member]}`;
}

/** Values that a body may name: the parameters of a run, and the currencies that its configuration states. */
export function bodyValues(parameters: Values, { groups, facts }: Known): Values {
  const currencies = currencyFacts(groups).flatMap(({ group, member }) => {
    const value = facts[group]?.[member];
    return typeof value === 'string' ? [[member, value] as const] : [];
  });
  return { ...parameters, ...Object.fromEntries(currencies) };
}
