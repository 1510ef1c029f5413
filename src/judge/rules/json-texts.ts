import type { Exchange } from '../../model/exchange.ts';
import { looksLikeId } from '../../schema/key-names.ts';
import { spreadOfAnswers, spreadOfNewField } from '../causes/spreads.ts';
import { duplicateKeys } from '../duplicate-keys.ts';
import { type AnswerRule, nameOf, ofSample, placeOf } from '../rule.ts';

const MARK = [0xef, 0xbb, 0xbf] as const;

export const byteOrderMark: AnswerRule = {
  id: 'byte-order-mark',
  title: 'JSON begins with a byte order mark',
  severity: 'info',
  reference: 'RFC 8259, 8.1',
  judges: ['live'],
  spreads: spreadOfAnswers,
  message: (_, operation) => `${nameOf(operation)} sends JSON with a byte order mark, at which parsers may fail.`,
  of: 'answer',
  *judge(sample) {
    const bytes = bytesOf(sample.exchange);
    if (sample.content.kind !== 'json' || !MARK.every((byte, index) => bytes[index] === byte)) return;
    yield { ...ofSample(sample), expected: 'JSON', actual: 'a byte order mark before it' };
  },
};

export const keyTwice: AnswerRule = {
  id: 'key-twice',
  title: 'An object has a field twice',
  severity: 'warning',
  reference: 'RFC 8259, 4',
  judges: ['live'],
  ofPlace: true,
  spreads: spreadOfNewField,
  message: (seen) => `${placeOf(seen)} occurs more than once in one object. Parsers disagree which one counts.`,
  of: 'answer',
  *judge(sample) {
    if (sample.content.kind !== 'json') return;
    const text = new TextDecoder().decode(bytesOf(sample.exchange));
    for (const [pointer, times] of duplicateKeys(text, sample.content.value, looksLikeId)) {
      yield { ...ofSample(sample), pointer, expected: 'once', actual: 'more than once', times };
    }
  },
};

function bytesOf({ response }: Exchange): Uint8Array {
  return response?.body.bytes ?? new Uint8Array();
}
