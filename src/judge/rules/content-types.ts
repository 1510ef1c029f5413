import type { Contract, Media } from '../../contract/contract.ts';
import { covers } from '../../contract/media-ranges.ts';
import { header } from '../../model/exchange.ts';
import { isJsonType, mediaType } from '../../model/media.ts';
import { joinPointer } from '../../text/pointer.ts';
import { spreadOfAnswers } from '../causes/spreads.ts';
import { responseFor } from '../responses.ts';
import { type AnswerRule, BY_PROVENANCE, nameOf, ofSample, type Sample } from '../rule.ts';

/** The contract's content types, without documented ones if the reference does not show the media type. */
function bindingTypes(contract: Contract, { operation, status }: Sample): Media[] {
  const silent = operation.notShown.includes('mediaType');
  return (responseFor(operation, status)?.content ?? []).filter(
    ({ pointer }) => !silent || contract.provenanceOf(pointer) !== 'documented',
  );
}

function typeOfAnswer(sample: Sample): string | null {
  if (sample.content.kind === 'empty') return null;
  return mediaType(header(sample.exchange.response?.headers ?? [], 'content-type')) || 'none';
}

export const contentTypeContradicted: AnswerRule = {
  id: 'content-type-contradicted',
  title: 'Another content type',
  severity: BY_PROVENANCE,
  judges: ['live', 'diff', 'assumptions'],
  spreads: spreadOfAnswers,
  message: ({ expected, actual }, operation) => `${nameOf(operation)} sends ${actual} instead of ${expected}.`,
  of: 'answer',
  *judge(sample, { contract }) {
    const actual = typeOfAnswer(sample);
    const types = bindingTypes(contract, sample);
    const [first] = types;
    if (actual === null || first === undefined || types.some(({ key }) => covers(mediaType(key), actual))) return;
    const expected = types.map(({ key }) => key).join(' or ');
    yield { ...ofSample(sample), expected, actual, source: first.pointer };
  },
};

export const undocumentedContentType: AnswerRule = {
  id: 'undocumented-content-type',
  title: 'A content type that is not documented',
  severity: 'info',
  judges: ['live', 'diff'],
  spreads: spreadOfAnswers,
  message: ({ actual }, operation) => `${nameOf(operation)} sends ${actual}, which is not documented.`,
  of: 'answer',
  *judge(sample, { contract }) {
    const actual = typeOfAnswer(sample);
    if (actual === null || isJsonType(actual) || bindingTypes(contract, sample).length > 0) return;
    yield { ...ofSample(sample), expected: 'JSON', actual };
  },
};

export const bodyPresenceChanged: AnswerRule = {
  id: 'body-presence-changed',
  title: 'A body appeared or disappeared',
  severity: { observed: 'warning', assumed: 'info' },
  judges: ['live', 'diff'],
  spreads: spreadOfAnswers,
  message: ({ expected, actual }, operation) => `${nameOf(operation)} sends ${actual}; recorded was ${expected}.`,
  of: 'answer',
  *judge(sample, { contract }) {
    const response = responseFor(sample.operation, sample.status);
    if (response?.status !== String(sample.status) || contract.provenanceOf(response.pointer) !== 'observed') return;
    const actual = typeOfAnswer(sample);
    const recorded = response.content.filter(({ pointer }) => contract.provenanceOf(pointer) === 'observed');
    const [first] = recorded;
    if (actual === null && first !== undefined) {
      if (contract.at(joinPointer(response.pointer, 'x-sometimes-empty')) === true) return;
      const expected = recorded.map(({ key }) => key).join(' or ');
      yield { ...ofSample(sample), expected, actual: 'no body', source: first.pointer };
    } else if (actual !== null && actual !== 'none' && response.content.length === 0) {
      yield { ...ofSample(sample), expected: 'no body', actual, source: response.pointer };
    }
  },
};
