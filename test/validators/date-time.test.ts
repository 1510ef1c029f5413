import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { componentSchemas, publishable } from '../../src/generate/schemas.ts';
import { isDateTime, isDuration, isIsoDateTime } from '../../src/validators/date-time.ts';

const upstream = fullFormats['date-time'] as unknown as { validate: (text: string) => boolean };

/** Values that ajv-formats accepts by mistake: impossible hours and minutes, odd white space, short offsets. */
function isUpstreamBug(text: string): boolean {
  const [, separator = '', hour, minute] = /^.{10}(.)(\d\d):(\d\d)/s.exec(text) ?? [];
  const isOdd = !/[Tt ]/.test(separator) || /[+-]\d\d(?:\d\d)?$/.test(text);
  return isOdd || Number(hour) > 23 || Number(minute) > 59;
}

const digits = (length: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length }).map((list) => list.join(''));
const twoDigits = (max: number) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, '0')) },
    { weight: 1, arbitrary: digits(2) },
  );

/** Valid and almost valid date-times. */
const nearDateTime = fc
  .tuple(
    fc.oneof(digits(4), fc.constantFrom('2024', '2023', '1900', '2000', '0000')),
    twoDigits(13),
    twoDigits(32),
    fc.constantFrom('T', 't', ' ', '\u00a0', '\n', 'x', ''),
    fc.oneof(twoDigits(24), fc.constantFrom('23', '00', '22')),
    fc.oneof(twoDigits(60), fc.constantFrom('59', '29', '30')),
    fc.oneof(twoDigits(61), fc.constant('60')),
    fc.oneof(
      fc.constantFrom('', '.', '.5', '.000', ',5'),
      digits(3).map((text) => `.${text}`),
    ),
    fc.oneof(
      fc.constantFrom('Z', 'z', '', '+', 'ZZ', '+00:00', '-00:00', '+01', '-0130', '+24:00', '+1:00'),
      fc
        .tuple(fc.constantFrom('+', '-'), twoDigits(24), fc.constantFrom(':', ''), twoDigits(60))
        .map((parts) => parts.join('')),
    ),
  )
  .map(([year, month, day, separator, hour, minute, second, fraction, offset]) => {
    return `${year}-${month}-${day}${separator}${hour}:${minute}:${second}${fraction}${offset}`;
  });

/** One character added, removed or changed. */
const damaged = fc
  .tuple(nearDateTime, fc.nat(30), fc.constantFrom('', '0', '9', ':', '-', ' ', 'Z', '٣', '😀'))
  .map(([text, at, by]) => {
    return text.slice(0, at) + by + text.slice(at + 1);
  });

describe('isDateTime', () => {
  it('isDateTime equals the full check of ajv-formats, except for its mistakes', () => {
    fc.assert(
      fc.property(
        fc.oneof({ weight: 6, arbitrary: nearDateTime }, { weight: 3, arbitrary: damaged }, fc.string()),
        (text) => {
          fc.pre(!isUpstreamBug(text));
          expect(isDateTime(text)).toBe(upstream.validate(text));
        },
      ),
      { numRuns: 20_000 },
    );
  });

  it.each(['Z', '+01:00', '-03:30', '+23:59'])(
    'isDateTime equals ajv-formats for a second 60 at every minute of the day, at the offset %s',
    (offset) => {
      for (let minute = 0; minute < 1440; minute++) {
        const clock = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
        const text = `2016-12-31T${clock}:60${offset}`;
        expect(isDateTime(text), text).toBe(upstream.validate(text));
      }
    },
  );

  it.each([
    ...['2024-01-01T24:59:30+01:00', '2024-01-01T23:99:30+00:40'],
    ...['2024-01-01T10:00:00+0530', '2024-01-01T10:00:00+05', '2024-01-01\n10:00:00Z'],
  ])('isDateTime rejects %s, which ajv-formats still accepts', (text) => {
    expect(isDateTime(text)).toBe(false);
    expect(upstream.validate(text), 'fixed upstream: drop the exception here and in date-time.ts').toBe(true);
  });
});

it('isDateTime accepts 59.9999999999999999 seconds, which ajv-formats rejects', () => {
  const text = '2024-01-01T10:00:59.9999999999999999Z';
  expect([isDateTime(text), upstream.validate(text)]).toEqual([true, false]);
});

it.each([
  ...['P1Y2M3DT4H5M6S', 'P4W', 'PT36H', 'P1D', 'PT1H2M', 'P1MT1S'].map((text) => [text, true] as const),
  ...['P1Y2D', 'PT1H2S', 'P', 'PT', 'P1DT', 'P1W1D', 'P1S', 'PT1D', '1D'].map((text) => [text, false] as const),
])('isDuration of %s is %s', (text, expected) => {
  expect(isDuration(text)).toBe(expected);
});

it.each([
  ['2026-02-28T10:00:00+0530', false],
  ['2026-02-28T10:00:00+05', false],
  ['2026-02-28T10:00:00+0000', true],
  ['20260228T100000+05', true],
  ['20260228T100000.5-0300', true],
  ['2026-02-28T00:00Z', true],
  ['20260228T100000Z', true],
  ['20260228T1000+0000', true],
  ['2026-02-28T10:00:00,5Z', true],
  ['20260230T100000Z', false],
  ['2026-02-28T10:00', false],
  ['20260228', false],
])('isIsoDateTime of %s is %s', (text, expected) => {
  expect([isIsoDateTime(text), isDateTime(text)]).toEqual([expected, false]);
});

describe('a published schema', () => {
  const [when] = componentSchemas({ components: { schemas: { when: { type: 'string', format: 'date-time' } } } });
  const ajv = new Ajv2020();
  addFormats.default(ajv);
  const isValid = ajv.compile(when === undefined ? false : publishable(when, [when]));
  const forms = fc
    .tuple(
      fc.constantFrom('2024-02-29', '2023-02-29', '1900-02-29', '2000-02-29', '2026-04-31', '2026-12-31', '0000-01-01'),
      fc.constantFrom('T', 't', ' '),
      fc.constantFrom('10:00:00', '23:59:59', '23:59:60', '22:59:60', '24:00:00', '10:00', '10'),
      fc.constantFrom('', '', '.5', ',25', '.'),
      fc.constantFrom('Z', 'z', '+05:30', '-0330', '+01', '+00', '-0000', '+00:00', '+24:00', ''),
      fc.constantFrom(/-(?=\d\d-|\d\d[Tt ])/g, /:(?=\d\d)/g, /[-:](?=\d\d(?:[-:Tt .,Zz]|\d\d[Tt ]))/g, /$/),
    )
    .map(([day, mark, clock, fraction, offset, left]) => `${day}${mark}${clock}${fraction}${offset}`.replace(left, ''));

  it('a published schema reads date-times in plain Ajv as our validators do', () => {
    const seen = { accepted: 0, rejected: 0 };
    fc.assert(
      fc.property(fc.oneof({ weight: 3, arbitrary: forms }, nearDateTime, damaged, fc.string()), (text) => {
        // only the format of ajv-formats knows the place of a leap second with an offset, and only in the extended form
        fc.pre(!/60(?:[.,]\d+)?[+-](?!00(?::?00)?$)/.test(text) || /:60(?:\.\d)?[+-]\d\d:\d\d$/.test(text));
        const isRead = isIsoDateTime(text);
        seen[isRead ? 'accepted' : 'rejected'] += 1;
        expect(isValid(text), text).toBe(isRead);
      }),
      { numRuns: 20_000 },
    );
    expect(Math.min(seen.accepted, seen.rejected)).toBeGreaterThan(400);
  });

  it.each(['2026-02-28T10:00Z', '20260228T100000Z', '20240229T1000+02', '2016-12-31T15:59:60-08:00'])(
    'a published schema accepts %s in plain Ajv',
    (text) => expect([isValid(text), isIsoDateTime(text)]).toEqual([true, true]),
  );

  it('a published schema rejects days and leap seconds that do not exist', () => {
    const wrong = ['2026-02-29T10:00Z', '19000229T100000Z', '2016-12-31T15:58:60-08:00', '2016-12-31T22:59:60Z'];
    expect(wrong.filter((text) => isValid(text) || isIsoDateTime(text))).toEqual([]);
  });
});
