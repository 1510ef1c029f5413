import { bytes, good, sent, typed } from './answers.ts';
import { type Change, type Kind, twofold, whole } from './change.ts';
import { everywhere, renamed, STYLES } from './edits.ts';
import type { Answer } from './stand-in.ts';
import type { Body } from './world.ts';

const isObject = (value: Body): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
/** An answer of every operation that sends a body. */
const each = (name: string, answer: Answer, ...finds: string[]): Change => ({
  name,
  answer: { every: (response, count, body) => (body === undefined ? false : answer(response, count, body)) },
  finds,
});
/** A body with each scalar, or each object, edited. */
const scalars =
  (edit: (value: unknown) => unknown) =>
  (body: unknown): unknown => {
    if (Array.isArray(body)) return body.map(scalars(edit));
    if (typeof body !== 'object' || body === null) return edit(body);
    return Object.fromEntries(Object.entries(body).map(([name, child]) => [name, scalars(edit)(child)]));
  };
const objects =
  (edit: (one: Body) => unknown) =>
  (body: unknown): unknown => {
    if (Array.isArray(body)) return body.map(objects(edit));
    if (typeof body !== 'object' || body === null) return body;
    return edit(Object.fromEntries(Object.entries(body).map(([name, child]) => [name, objects(edit)(child)])));
  };
const isMap = (one: Body): boolean => Object.keys(one).some((key) => key.startsWith('acc-'));
const isTime = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\dT.*Z$/.test(value);
const added = (what: string, value: unknown): Change =>
  everywhere(
    `a new ${what} in every answer`,
    (body) => (isObject(body) ? { ...body, requestInfo: value } : body),
    'warning unrecorded-field null /requestInfo',
  );

export const EVERYWHERE: Kind = {
  kind: 'a change of the whole API is one finding',
  changes: [
    whole(added('text', 'r-1')),
    added('number', 17),
    added('object', { id: 'r-1', took: 5 }),
    added('list', []),
    added('null', null),
    twofold(
      everywhere(
        'two new fields in every answer',
        (body) => (isObject(body) ? { ...body, requestInfo: 1, links: {} } : body),
        'warning unrecorded-field null /links',
        'warning unrecorded-field null /requestInfo',
      ),
    ),
    each(
      'a new field in every answer and every item',
      sent((body) => (Array.isArray(body) ? body.map((item) => ({ ...item, etag: 'e' })) : { ...body, etag: 'e' })),
      'warning unrecorded-field null /etag',
    ),
    twofold(
      everywhere(
        'a new field in every answer, and another in one',
        (body) => (isObject(body) ? { ...body, requestInfo: 1, ...('cardDesign' in body ? { fresh: 1 } : {}) } : body),
        'warning unrecorded-field null /requestInfo',
        'warning unrecorded-field getCard /fresh',
      ),
    ),
    {
      ...added('text, without a recording', 'r-1'),
      name: 'a new field in every answer, without a recording',
      unrecorded: true,
      finds: [],
    },
    ...Object.entries(STYLES).map(([style, by]) =>
      each(
        `all names are in ${style}`,
        sent((body) => renamed(body, by)),
        'error fields-renamed null ',
      ),
    ),
    ...['data', 'result', 'payload'].map((name) =>
      each(
        `every object is wrapped in ${name}`,
        sent((body) => (isObject(body) ? { [name]: body } : body)),
        'warning fields-moved null ',
      ),
    ),
    ...['data', 'response'].map((name) =>
      each(
        `every answer is wrapped in ${name} with a status and a time`,
        sent((body) => ({ status: 'OK', at: new Date(0).toISOString(), [name]: body })),
        'warning fields-moved null ',
      ),
    ),
    ...Object.entries({
      'every number is a string': (value: unknown) => (typeof value === 'number' ? String(value) : value),
      'every boolean is a string': (value: unknown) => (typeof value === 'boolean' ? String(value) : value),
      'every time is a number': (value: unknown) => (isTime(value) ? Date.parse(value) : value),
    }).map(([name, edit]) => each(name, sent(scalars(edit)), 'error type-contradicted null ')),
    each(
      'every Z is an offset',
      sent(scalars((value) => (isTime(value) ? value.replace('Z', '+02:00') : value))),
      'error value-contradicted null ',
    ),
    each(
      'a new field in every object',
      sent(objects((one) => (isMap(one) ? one : { ...one, etag: 'e' }))),
      'warning unrecorded-field null /etag',
    ),
    ...['items', 'entries', '_embedded'].map((name) =>
      everywhere(
        `fees are called ${name} everywhere`,
        ({ fees: list, ...rest }) => (list === undefined ? undefined : { ...rest, [name]: list }),
        'warning fields-renamed null ',
      ),
    ),
    ...[201, 202, 206].map((code) => each(`every 200 is ${code}`, good(code), 'warning status-changed null ')),
    ...['application/hal+json', 'application/vnd.bank.v2+json', 'text/json'].map((type) =>
      each(`every answer is ${type}`, typed(type), 'warning content-type-contradicted null '),
    ),
    each(
      'a byte order mark before every answer',
      (response, count, body) => bytes(`\ufeff${JSON.stringify(body)}`)(response, count, body),
      'info byte-order-mark null ',
    ),
    ...(
      [
        ['a new field in every fee', 'unrecorded-field null /fees/*/vat', (fee) => ({ ...fee, vat: 1 })],
        [
          'a field of every fee has another name',
          'fields-renamed null ',
          ({ amount, ...fee }) => ({ ...fee, charge: amount }),
        ],
        ['a field of every fee is gone', 'required-missing null /fees/*/amount', ({ amount: _, ...fee }) => fee],
        [
          'a number of every fee is a string',
          'type-contradicted null /fees/*/amount',
          (fee) => ({ ...fee, amount: String(fee.amount) }),
        ],
        [
          'a string of every fee is an object',
          'type-contradicted null /fees/*/name',
          (fee) => ({ ...fee, name: { en: fee.name } }),
        ],
        ['a field of every fee is null', 'type-contradicted null /fees/*/name', (fee) => ({ ...fee, name: null })],
      ] satisfies [string, string, (fee: Body) => Body][]
    ).map(([name, finding, edit]) =>
      everywhere(
        name,
        (body) => (Array.isArray(body.fees) ? { ...body, fees: body.fees.map(edit) } : body),
        `warning ${finding}`,
      ),
    ),
    everywhere(
      'the list of every fee answer is an object',
      (body) => (Array.isArray(body.fees) ? { fees: { first: body.fees[0] } } : undefined),
      'warning type-contradicted null /fees',
    ),
  ],
};
