/** The same three schemas for the libraries that people would otherwise take. Each reads date-times in full, in UTC only. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { type } from 'arktype';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { Check as checkValue } from 'typebox/value';
import * as v from 'valibot';
import * as z from 'zod';
import { Card } from '../generated/validators/card.ts';
import { Token } from '../generated/validators/token.ts';
import { Transaction } from '../generated/validators/transaction.ts';
import type { Validator } from '../src/validators/validator.ts';

export type SchemaName = 'Card' | 'Token' | 'Transaction';
export type Check = (value: unknown) => boolean;

export interface Contender {
  readonly name: string;
  readonly needsEval: boolean;
  readonly checks: Readonly<Record<SchemaName, Check>>;
}

const BEARER = /^[Bb][Ee][Aa][Rr][Ee][Rr]$/;
const UTC = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|\+00:00)$/;

/** For libraries whose date-time is a pattern: the day has to be in the calendar. */
function exists(text: string): boolean {
  const date = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text.slice(0, 10));
}

type PerSchema<T> = Readonly<Record<SchemaName, T>>;

/** A library with its three schemas, and how it checks a value against one of them. */
function contender<T>(
  name: string,
  needsEval: boolean,
  { Card, Token, Transaction }: PerSchema<T>,
  checkOf: (schema: T) => Check,
): Contender {
  const checks = { Card: checkOf(Card), Token: checkOf(Token), Transaction: checkOf(Transaction) };
  return { name, needsEval, checks };
}

type Ours = Pick<Validator<unknown>, 'is' | 'schema'>;

const OURS: PerSchema<Ours> = { Card, Token, Transaction };

const o = Type.Optional;
const date = Type.String({ format: 'date-time', pattern: UTC.source });
const TYPEBOX = {
  Card: Type.Object({
    cardProgramme: o(Type.String()),
    cardDesign: o(Type.String()),
    cardLimitDaily: o(Type.Integer()),
    cardLimitMonthly: o(Type.Integer()),
    cardLimitTransaction: o(Type.Integer()),
    token: o(Type.String()),
  }),
  Token: Type.Object({
    access_token: Type.String(),
    expires_in: Type.Integer(),
    jti: Type.String(),
    scope: Type.String(),
    token_type: Type.String({ pattern: BEARER.source }),
  }),
  Transaction: Type.Object({
    purposeCode: o(Type.String()),
    paymentProviderDetails: o(
      Type.Object({
        shortReference: o(Type.String()),
        internalReference: o(Type.String()),
        paymentId: o(Type.String()),
        conversionId: o(Type.String()),
        rate: o(Type.Number()),
        settlementDate: o(date),
      }),
    ),
  }),
};

const ZOD = {
  Card: z.looseObject({
    cardProgramme: z.string().optional(),
    cardDesign: z.string().optional(),
    cardLimitDaily: z.int().optional(),
    cardLimitMonthly: z.int().optional(),
    cardLimitTransaction: z.int().optional(),
    token: z.string().optional(),
  }),
  Token: z.looseObject({
    access_token: z.string(),
    expires_in: z.int(),
    jti: z.string(),
    scope: z.string(),
    token_type: z.string().regex(BEARER),
  }),
  Transaction: z.looseObject({
    purposeCode: z.string().optional(),
    paymentProviderDetails: z
      .looseObject({
        shortReference: z.string().optional(),
        internalReference: z.string().optional(),
        paymentId: z.string().optional(),
        conversionId: z.string().optional(),
        rate: z.number().optional(),
        settlementDate: z.iso.datetime({ offset: true }).regex(UTC).optional(),
      })
      .optional(),
  }),
};

const VALIBOT = {
  Card: v.looseObject({
    cardProgramme: v.optional(v.string()),
    cardDesign: v.optional(v.string()),
    cardLimitDaily: v.optional(v.pipe(v.number(), v.integer())),
    cardLimitMonthly: v.optional(v.pipe(v.number(), v.integer())),
    cardLimitTransaction: v.optional(v.pipe(v.number(), v.integer())),
    token: v.optional(v.string()),
  }),
  Token: v.looseObject({
    access_token: v.string(),
    expires_in: v.pipe(v.number(), v.integer()),
    jti: v.string(),
    scope: v.string(),
    token_type: v.pipe(v.string(), v.regex(BEARER)),
  }),
  Transaction: v.looseObject({
    purposeCode: v.optional(v.string()),
    paymentProviderDetails: v.optional(
      v.looseObject({
        shortReference: v.optional(v.string()),
        internalReference: v.optional(v.string()),
        paymentId: v.optional(v.string()),
        conversionId: v.optional(v.string()),
        rate: v.optional(v.number()),
        settlementDate: v.optional(v.pipe(v.string(), v.regex(UTC), v.check(exists))),
      }),
    ),
  }),
};

const ARK = {
  Card: type({
    'cardProgramme?': 'string',
    'cardDesign?': 'string',
    'cardLimitDaily?': 'number.integer',
    'cardLimitMonthly?': 'number.integer',
    'cardLimitTransaction?': 'number.integer',
    'token?': 'string',
  }),
  Token: type({
    access_token: 'string',
    expires_in: 'number.integer',
    jti: 'string',
    scope: 'string',
    token_type: BEARER,
  }),
  Transaction: type({
    'purposeCode?': 'string',
    'paymentProviderDetails?': {
      'shortReference?': 'string',
      'internalReference?': 'string',
      'paymentId?': 'string',
      'conversionId?': 'string',
      'rate?': 'number',
      'settlementDate?': type(UTC).narrow(exists),
    },
  }),
};

const ajv = new Ajv2020();
formats.default(ajv);

function ajvCheck({ schema }: { readonly schema: object }): Check {
  const { $id, ...rest } = schema as { $id?: string };
  const validate = ajv.compile(rest);
  return (value) => validate(value);
}

export const CONTENDERS: readonly Contender[] = [
  contender('banking-api-contract', false, OURS, ({ is }) => is),
  contender('Ajv at run time', true, OURS, ajvCheck),
  contender<Type.TSchema>('TypeBox compiled', true, TYPEBOX, (schema) => {
    const validator = Compile(schema);
    return (value) => validator.Check(value);
  }),
  contender<Type.TSchema>('TypeBox without eval', false, TYPEBOX, (schema) => (value) => checkValue(schema, value)),
  contender<z.ZodType>('zod 4', false, ZOD, (schema) => (value) => schema.safeParse(value).success),
  contender<v.GenericSchema>('valibot', false, VALIBOT, (schema) => (value) => v.is(schema, value)),
  contender<{ allows(value: unknown): boolean }>('arktype', true, ARK, (schema) => (value) => schema.allows(value)),
];
