import { conditionalFieldsOf } from '../contract/conditions.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import type { StatedFacts } from '../contract/contract-file.ts';
import { byCurrency, type Maxima, maximaOf } from '../contract/limits.ts';
import { pathParameters } from '../contract/paths.ts';
import { jsonBodyOf } from '../judge/request-example.ts';
import type { Reason } from '../model/reason.ts';
import { goodContent } from '../report/coverage.ts';
import type { JsonObject } from '../schema/json.ts';
import { joinPointer } from '../text/pointer.ts';
import type { CallSpec, PlannedCheck } from './announce.ts';
import { propertiesOf, type Values } from './request.ts';
import type { Target } from './target.ts';

export interface KnownRecords extends Pick<Target, 'contract' | 'embedded' | 'failing'> {
  readonly facts: StatedFacts;
  readonly repeatReads: number;
}

/** Checks of conditional fields (`x-only-when`). Each reads a record that is known not to meet the condition. */
export function conditionChecks(operation: Operation, area: string, known: KnownRecords): PlannedCheck[] {
  const { operationId, effect, path } = operation;
  const name = /\{([^{}]+)\}$/.exec(path ?? '')?.[1];
  if (effect !== 'read' || name === undefined) return [];
  const fields = goodContent(operation)
    .flatMap(({ pointer }) => conditionalFieldsOf(known.contract, joinPointer(pointer, 'schema')))
    .filter(({ kind }) => kind === 'only');
  const conditions = new Map(fields.map(({ field, condition }) => [`${field}-only-${condition}`, condition]));
  return [...conditions].map(([what, condition]) => ({
    id: `${area}.${what}`,
    operationId,
    ...recordWithout(condition, name, known),
  }));
}

function recordWithout(condition: string, name: string, known: KnownRecords): Pick<PlannedCheck, 'calls' | 'skip'> {
  const id = known.failing[condition]?.[name];
  if (id !== undefined) return { calls: [{ parameters: { [name]: id } }] };
  for (const [group, { of, members }] of Object.entries(known.contract.folder.facts)) {
    const member = Object.keys(members).find((key) => of === name && members[key]?.condition === condition);
    if (member === undefined) continue;
    if (known.facts[group]?.[member] === false) return {};
    return { skip: { kind: 'needs-condition', fact: `${group}.${member}`, condition } };
  }
  return { skip: { kind: 'no-condition', condition } };
}

/** Maxima of the fields in the JSON body of an operation (`x-maximum-by-currency`), by currency. */
export function bodyMaxima(operation: Operation, contract: Contract): Maxima {
  const media = jsonBodyOf(operation);
  return byCurrency(media === undefined ? null : maximaOf(contract, joinPointer(media.pointer, 'schema')));
}

/** For each maximum, a higher value must be rejected. All maxima of a currency together must be accepted. */
export function limitChecks(operation: Operation, area: string, known: KnownRecords): PlannedCheck[] {
  const { operationId, path } = operation;
  const maxima = path === null ? {} : bodyMaxima(operation, known.contract);
  const fact = currencyFactOf(operation, known.contract);
  const names = propertiesOf(known.contract, joinPointer(jsonBodyOf(operation)?.pointer ?? '', 'schema'));
  return Object.entries(maxima).flatMap(([currency, limits]) => {
    // In major units, although the unit of the fields is an assumption. A currency without maxima gets no check.
    const checkOf = (what: string, fields: JsonObject, call: CallSpec): PlannedCheck => {
      const named = fact !== null && names.includes(fact.member) ? { [fact.member]: currency } : {};
      const calls = [{ ...call, json: { ...named, ...fields } }];
      return { id: `${area}.${what}.${currency}`, operationId, calls, skip: limitSkip(currency, fact, known) };
    };
    const above = Object.entries(limits).map(([field, maximum]) =>
      checkOf(`limit.${field}`, { [field]: maximum + 1 }, { purpose: 'refuse-limit' }),
    );
    return [...above, checkOf('limit-at-maximum', limits, {})];
  });
}

type CurrencyFact = ReturnType<typeof currencyFacts>[number];

function currencyFacts({ folder }: Contract) {
  return Object.entries(folder.facts).flatMap(([group, { of, members }]) => {
    const names = Object.keys(members);
    const member = names.find((name) => members[name]?.role === 'currency');
    return member === undefined ? [] : [{ of, group, member, members: names }];
  });
}

/** The fact about a record that the operation creates or names, else the first fact. */
function currencyFactOf({ creates, path }: Operation, contract: Contract): CurrencyFact | null {
  const facts = currencyFacts(contract);
  const named = pathParameters(path ?? '');
  return facts.find(({ of }) => of === creates || named.includes(of)) ?? facts[0] ?? null;
}

function limitSkip(currency: string, fact: CurrencyFact | null, { embedded, facts }: KnownRecords): Reason | null {
  if (embedded) return null;
  if (fact === null) return { kind: 'no-currency' };
  const { group, member, members } = fact;
  const stated = facts[group] ?? {};
  if (members.some((name) => stated[name] === undefined)) return { kind: 'needs-currency', group, members };
  return stated[member] === currency ? null : { kind: 'other-currency', group, currency: stated[member] };
}

/** Values that a body may name: parameters of the run, and currencies from its configuration. */
export function bodyValues(parameters: Values, { contract, facts }: KnownRecords): Values {
  const currencies = currencyFacts(contract).flatMap(({ group, member }) => {
    const value = facts[group]?.[member];
    return typeof value === 'string' ? [[member, value] as const] : [];
  });
  return { ...parameters, ...Object.fromEntries(currencies) };
}
