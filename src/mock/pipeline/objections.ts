import { CURRENCY_DECIMALS } from '../../../generated/currencies.ts';
import { joinPointer, parsePointer } from '../../text/pointer.ts';
import { didYouMean, suggest } from '../../text/suggest.ts';
import type { Members, PlannedOperation, PlannedProblem } from '../compile/plan.ts';
import { type Answer, type FlatHeaders, warning } from '../message/answer.ts';
import { PROBLEMS, type ProblemKind, problem, type Wrong } from '../message/problem.ts';
import { faultText } from './fault-text.ts';

export interface Objection {
  readonly kind: ProblemKind;
  readonly detail: string;
  readonly wrong: readonly Wrong[];
}

/** The faults of a part of a request: those that refuse it, and those that pass with a warning. */
export interface Judged {
  readonly refused: readonly Objection[];
  readonly objections: readonly Objection[];
}

const TOLD = 20;
/** A message lists at most this many allowed values. */
const NAMED = 20;
/** Matches a pattern that is only a list of words. */
const WORDS = /^\^\(\?:([\w|-]+)\)\$$/;

/** Query names that the operation does not define. Names that start with `__` belong to the mock. */
export function unknownNames({ operationId, query: known }: PlannedOperation, query: string): Objection[] {
  if (query === '') return [];
  const names = [...new Set(new URLSearchParams(query).keys())];
  const unknown = names.filter((name) => !known.includes(name) && !name.startsWith('__')).slice(0, TOLD);
  if (unknown.length === 0) return [];
  const wrong = unknown.map((name): Wrong => {
    return { in: 'query', name, message: `is no query parameter of ${operationId}.${didYouMean(name, known)}` };
  });
  const detail = wrong.map(({ name, message }) => `${name} ${message}`).join(' ');
  return [{ kind: 'unknown-query', detail, wrong }];
}

export function unknownMembers(operationId: string, value: unknown, members: Members | null): Objection[] {
  const wrong: Wrong[] = [];
  collect(value, members, '', operationId, wrong);
  if (wrong.length === 0) return [];
  const detail = wrong.map(({ pointer, message }) => `${pointer} ${message}`).join(' ');
  return [{ kind: 'unknown-member', detail, wrong }];
}

function collect(value: unknown, members: Members | null, at: string, operationId: string, found: Wrong[]): void {
  if (members === null || typeof value !== 'object' || value === null || found.length >= TOLD) return;
  const isList = Array.isArray(value);
  for (const name in value) {
    const child = (value as Readonly<Record<string, unknown>>)[name];
    if (isList || Object.hasOwn(members, name)) {
      // most values are scalars, which have no members and need no pointer
      if (typeof child !== 'object') continue;
      collect(child, isList ? members : (members[name] ?? null), joinPointer(at, name), operationId, found);
    } else if (found.length < TOLD) {
      const message = `is no member that ${operationId} knows.${didYouMean(name, Object.keys(members))}`;
      found.push({ in: 'body', pointer: joinPointer(at, name), message });
    }
  }
}

/** One problem of the kind of the first objection that names all objections. */
export function refusalBy(objections: readonly Objection[]): Answer | undefined {
  const [first] = objections;
  if (!first) return undefined;
  const detail = objections
    .map((one) => one.detail)
    .join('; ')
    .replaceAll('.; ', '. ');
  const errors = objections.flatMap(({ wrong }) => wrong);
  return problem(first.kind, detail, errors.length > 0 ? { members: { errors } } : {});
}

/** The header that lists why a stricter mock would have rejected the request. */
export function warningOf(objections: readonly Objection[]): FlatHeaders {
  const details = objections.map(({ kind, detail }) => `${PROBLEMS[kind].status} ${detail}`).join(' ');
  return warning(`refused by a stricter mock: ${details}`);
}

export function unheededWarning({ operationId }: PlannedOperation, names: readonly string[]): FlatHeaders {
  return warning(`without effect: ${names.join(', ')} (${operationId} documents no such header)`);
}

/** @param root the value that the validator was given */
export function messageOf(problem: PlannedProblem, root: unknown): string {
  const { keyword, params = {}, instancePath } = problem;
  if (keyword === 'const') return `must be ${JSON.stringify(params.allowedValue)}`;
  const words = keyword === 'enum' ? params.allowedValues : WORDS.exec(String(params.pattern))?.[1]?.split('|');
  if (!Array.isArray(words)) return faultText(problem);
  if (words.length <= NAMED) return `must be one of ${quoted(words)}`;
  const what = words.every((word) => Object.hasOwn(CURRENCY_DECIMALS, String(word)))
    ? 'is not a currency'
    : `is not one of the ${words.length} allowed values`;
  const near = suggest(String(valueAt(root, instancePath)), words.map(String));
  return near === undefined ? `${what}; examples: ${quoted(words.slice(0, 3))}` : `${what}; did you mean ${near}?`;
}

function quoted(words: readonly unknown[]): string {
  return words.map((word) => JSON.stringify(word)).join(', ');
}

function valueAt(root: unknown, pointer: string): unknown {
  return (parsePointer(pointer) ?? []).reduce((value, name) => Object(value)[name] as unknown, root);
}
