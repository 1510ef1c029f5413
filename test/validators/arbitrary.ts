import fc from 'fast-check';

/** A token that is valid, field by field; the test drops, spoils and adds fields. */
const GOOD: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  access_token: fc.string(),
  expires_in: fc.nat(4000),
  jti: fc.string(),
  scope: fc.constantFrom('', 'read'),
  token_type: fc.constantFrom('bearer', 'Bearer', 'BEARER', 'mac', 'bearer\n'),
};

const moment = fc.constantFrom(
  '2024-02-29T12:00:00Z',
  '2024-02-29t12:00:00.123z',
  '2024-02-29T12:00:00+00:00',
  '2024-02-29T12:00:00-00:00',
  '2024-02-29T12:00:00+01:00',
  '2024-02-31T12:00:00Z',
  '2016-12-31T23:59:60Z',
  '2016-12-31T23:58:60Z',
  '2024-02-29 12:00:00Z',
  '2024-02-29',
);

const number = fc.constantFrom(
  0,
  -0,
  -1,
  1.5,
  1e21,
  99_999,
  100_000,
  100_001,
  115_000,
  115_001,
  250_001,
  290_001,
  Number.NaN,
  Infinity,
);

/** Anything that a field may be, undefined and what JSON does not have included. */
const anything = fc.oneof(
  { weight: 4, arbitrary: fc.string() },
  { weight: 4, arbitrary: number },
  { weight: 2, arbitrary: moment },
  fc.boolean(),
  fc.constantFrom<unknown>(null, undefined, [], {}, 1n, Symbol.iterator, () => 1),
);

const STRINGS = [
  'wireRoutingNumber',
  'achRoutingNumber',
  'ibanForSwift',
  'paymentProvider',
  'purposeCode',
  'aba',
  'clabe',
  'ifsc',
  'cnaps',
  'cardProgramme',
  'cardDesign',
  'token',
  'shortReference',
  'internalReference',
  'paymentId',
  'conversionId',
];
const INTEGERS = ['cardLimitDaily', 'cardLimitMonthly', 'cardLimitTransaction', 'rate'];

const details: fc.Arbitrary<unknown> = record({
  ...Object.fromEntries(STRINGS.slice(-4).map((name) => [name, fc.string()])),
  rate: number,
  settlementDate: moment,
});

const fields: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  ...GOOD,
  ...Object.fromEntries(STRINGS.map((name) => [name, fc.string()])),
  ...Object.fromEntries(INTEGERS.map((name) => [name, number])),
  visible: fc.boolean(),
  settlementDate: moment,
  paymentProviderDetails: details,
};

/** Objects with some of the documented fields, good and bad, own and inherited, under odd prototypes; and what is no object. */
export const anyRecord: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.shuffledSubarray(Object.keys(fields), { maxLength: 4 }).chain((names) => record(pick(names))),
  },
  {
    weight: 6,
    arbitrary: fc.shuffledSubarray(Object.keys(GOOD), { minLength: 4 }).chain((names) => record(pick(names))),
  },
  ...[
    'cardLimitDaily',
    'paymentProviderDetails',
    'settlementDate',
    'visible',
    'paymentProvider',
    'ibanForSwift',
    'aba',
  ].map((name) => {
    return { weight: 1, arbitrary: record(pick([name])) };
  }),
  { weight: 1, arbitrary: anything },
);

function pick(names: readonly string[]): Record<string, fc.Arbitrary<unknown>> {
  return Object.fromEntries(names.map((name) => [name, fields[name] ?? fc.string()]));
}

function record(parts: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<unknown> {
  const good = fc.record(parts);
  const spoiled = fc
    .tuple(good, fc.constantFrom(...Object.keys(parts), 'extra', '__proto__', 'constructor', 'a/b~'), anything)
    .map(([value, name, by]) => {
      return Object.defineProperty({ ...value }, name, {
        value: by,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    });
  return fc.oneof(
    { weight: 5, arbitrary: good },
    { weight: 4, arbitrary: spoiled },
    { weight: 1, arbitrary: good.map((value) => Object.create(value)) },
    { weight: 1, arbitrary: good.map((value) => Object.assign(Object.create(null), value)) },
    {
      weight: 1,
      arbitrary: spoiled.map((value) =>
        Object.assign(Object.create({ token_type: 'bearer', jti: 1, token: 2 }), value),
      ),
    },
  );
}
