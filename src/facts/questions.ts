import type { Finding } from '../model/finding.ts';
import type { Report } from '../model/report.ts';
import { allOf } from '../report/since.ts';
import { ticketTime } from '../report/words/tickets.ts';
import { firstFew } from '../text/words.ts';
import { type Fact, factsOf, type Known } from './facts.ts';

interface Subject {
  readonly operationId: string;
  readonly fact: Fact;
}

/**
 * The open questions to the API's owner, in Markdown and ready to send: gaps of the reference, assumptions, and facts
 * that a run refuted. Contains no value of an answer.
 *
 * @param last the last run with a verdict, for refuted facts
 */
export function questionsText(contracts: Known, last: Report | undefined): string {
  const subjects = contracts.assumed.operations.flatMap((operation) =>
    factsOf(contracts, operation, () => undefined).map((fact): Subject => {
      return { operationId: operation.operationId, fact };
    }),
  );
  const refuted = last === undefined ? [] : allOf(last);
  const sections: [title: string, lines: readonly string[]][] = [
    ['Contradictions', refuted.map(contradiction)],
    ['Not in the reference', byGap(subjects, ({ gaps }) => gaps)],
    ['Assumptions', assumptions(subjects)],
    ['Answered by a recording or an overlay', byGap(subjects, ({ filled }) => filled)],
  ];
  const written = sections.filter(([, lines]) => lines.length > 0);
  const body = written.map(([title, lines]) => `## ${title}\n\n${INTRODUCTIONS[title]}\n\n${lines.join('\n')}\n`);
  const none = 'Nothing is open: every fact has a source.\n';
  return [`# Questions about ${inText(contracts.known.folder.name)}\n`, ...(body.length > 0 ? body : [none])].join(
    '\n',
  );
}

const INTRODUCTIONS: Readonly<Record<string, string>> = {
  Contradictions: 'The API answered differently. Which side is right: the documentation or the API?',
  'Not in the reference': 'Please add these facts to the reference.',
  Assumptions: 'We assume these facts. Please confirm or correct them.',
  'Answered by a recording or an overlay': 'The reference still lacks these facts. Please confirm them.',
};

function contradiction({ operationId, pointer, rule, provenance, occurrences, ticket }: Finding): string {
  const place = [operationId ?? 'several operations', ...(pointer === '' ? [] : [pointer])].map(code).join(' at ');
  const times = `${occurrences} ${occurrences === 1 ? 'time' : 'times'}`;
  const evidence = ticket === undefined ? '' : `; for example ${inText(ticketTime(ticket))}`;
  return `- ${place} contradicts a fact that is ${provenance} (${code(rule)}, ${times}${evidence}).`;
}

/** One line per missing fact, with the places that miss it. */
function byGap(subjects: readonly Subject[], gapsOf: (fact: Fact) => readonly string[]): string[] {
  const all = subjects.flatMap((subject) => gapsOf(subject.fact).map((gap) => ({ gap, place: placeOf(subject) })));
  return [...Map.groupBy(all, ({ gap }) => gap)].map(([gap, places]) => {
    const named = [...new Set(places.map(({ place }) => place))];
    return `- ${inText(inWords(gap))}: ${named.join(', ')}`;
  });
}

/** One line per operation with assumptions. */
function assumptions(subjects: readonly Subject[]): string[] {
  const assumed = subjects.filter(({ fact }) => fact.provenance === 'assumed' || fact.states.pathFrom === 'assumed');
  return [...Map.groupBy(assumed, ({ operationId }) => operationId)].map(([operationId, own]) => {
    const parts = (['operation', 'parameter', 'request', 'answer'] as const).flatMap((place) => {
      const facts = own.map(({ fact }) => fact).filter((fact) => fact.in === place);
      if (facts.length === 0) return [];
      if (place !== 'operation') return [`${PLACES[place]} ${firstFew(facts.map(fieldText), MOST_FIELDS)}`];
      return facts.map(({ states }) => `it is ${code(`${String(states.method)} ${String(states.path)}`)}`);
    });
    return `- ${code(operationId)}: ${parts.join('; ')}`;
  });
}

const MOST_FIELDS = 12;
const PLACES = { parameter: 'parameters', request: 'fields of the request', answer: 'fields of the answer' };

function fieldText({ pointer, states }: Fact): string {
  const types = Array.isArray(states.type) ? ` (${inText(states.type.join(' or '))})` : '';
  return `${code(pointer)}${types}`;
}

function placeOf({ operationId, fact }: Subject): string {
  if (fact.in === 'operation') return code(operationId);
  return `${code(operationId)} ${fact.in} ${code(fact.pointer)}`;
}

/** `responseStatus` as `response status`. */
function inWords(gap: string): string {
  return gap.replace(/\p{Lu}/gu, (letter) => ` ${letter.toLowerCase()}`);
}

function code(text: string): string {
  return `\`${text.replaceAll('`', "'").replace(/\s+/g, ' ')}\``;
}

/** Text of a document or target, without effect in Markdown. */
function inText(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>#|!]/g, (sign) => `\\${sign}`);
}
