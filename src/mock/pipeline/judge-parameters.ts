import { decodePercent } from '../../text/decode.ts';
import type { PlannedOperation, PlannedParameter, Validators } from '../compile/plan.ts';
import { cookieOf, field, type ReceivedRequest } from '../message/call.ts';
import type { Wrong } from '../message/problem.ts';
import { type Judged, messageOf, type Objection } from './objections.ts';
import { candidateValues, membersOf, objectsOf, pairsIn } from './parse-values.ts';

export type ParameterJudge = (
  operation: PlannedOperation,
  call: ReceivedRequest,
  path: Readonly<Record<string, string>>,
) => Judged;

const NONE: Judged = { refused: [], objections: [] };
const TOLD = 5;
/** The problem of a refused parameter, by its place. A cookie is a header field. */
export const PARAMETER_PROBLEMS = {
  query: 'invalid-query',
  header: 'invalid-header',
  cookie: 'invalid-header',
  path: 'invalid-path',
} as const;

/** @param lenient accepts parameters that violate only assumptions */
export function createParameterJudge(validators: Validators, lenient: boolean): ParameterJudge {
  return ({ parameters }, call, path) => {
    if (parameters.length === 0) return NONE;
    const query = new URLSearchParams(call.query);
    const [objections, refused]: [Objection[], Objection[]] = [[], []];
    for (const parameter of parameters) {
      const wrong = faultsOf(parameter, valuesOf(parameter, call, query, path), validators);
      if (wrong.length === 0) continue;
      (lenient && parameter.basis === 'assumed' ? objections : refused).push(objectionTo(parameter, wrong));
    }
    return { refused, objections };
  };
}

function objectionTo({ name, in: place }: PlannedParameter, messages: readonly string[]): Objection {
  const wrong = messages.map((message): Wrong => ({ in: place, name, message }));
  return { kind: PARAMETER_PROBLEMS[place], detail: `${name} ${messages.join(', ')}`, wrong };
}

function faultsOf(parameter: PlannedParameter, values: readonly unknown[], validators: Validators): readonly string[] {
  if (values.length === 0) return parameter.required ? ['is missing'] : [];
  const validator = parameter.validator === null ? undefined : validators[parameter.validator];
  if (!validator) return [];
  let faults: readonly string[] = [];
  for (const value of values) {
    if (value === undefined) return ['must be JSON'];
    if (validator(value)) return [];
    faults = (validator.errors ?? []).slice(0, TOLD).map((error) => messageOf(error, value));
  }
  return [...new Set(faults)];
}

/** The possible values of a parameter: the raw text, then the parsed one. Empty if it was not sent. */
function valuesOf(
  { name, in: place, required, form, prefix = '' }: PlannedParameter,
  call: ReceivedRequest,
  query: URLSearchParams,
  path: Readonly<Record<string, string>>,
): readonly unknown[] {
  if (form.kind === 'members') return membersOf(name, form.as, query);
  const textsOf = (one: string): readonly string[] => {
    if (place === 'query') return query.getAll(one);
    const text = {
      path: () => path[one],
      header: () => field(call, one.toLowerCase()),
      cookie: () => cookieOf(call, one),
    };
    const given = text[place]();
    if (given === undefined) return [];
    return [place === 'cookie' ? (decodePercent(given) ?? given) : given];
  };
  const texts = textsOf(name);
  if (form.kind === 'apart') {
    const sent = Object.keys(form.as).flatMap((one) =>
      textsOf(one)
        .slice(0, 1)
        .map((text) => [one, text] as const),
    );
    if (sent.length > 0 || (required && texts.length === 0)) return objectsOf(sent, form.as);
  }
  const [first] = texts;
  // an empty query value, as from an empty form field, counts as not sent
  if (first === undefined || (first === '' && texts.length === 1 && place === 'query' && !required)) return [];
  if (!first.startsWith(prefix)) return [first];
  const text = first.slice(prefix.length);
  if (form.kind === 'object') return objectsOf(pairsIn(text, form.by, form.isExploded), form.as);
  return candidateValues(
    form.kind === 'apart' ? { kind: 'scalar', as: [] } : form,
    text,
    prefix === '' ? texts : [text],
  );
}
