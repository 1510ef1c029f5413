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

export type SchemaName = 'Card' | 'Token' | 'Transaction';
export type Check = (value: unknown) => boolean;

export interface Contender {
  readonly name: string;
  readonly needsEval: boolean;
  readonly checks: Readonly<Record<SchemaName, Check>>;
}

const BEARER = /^[Bb][Ee][Aa][Rr][Ee][Rr]$/;
const UTC = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|\+00:00)$/;

export const CONTENDERS: readonly Contender[] = [ours(), ajv(), typebox(true), typebox(false), zod(), valibot(), ark()];

function ours(): Contender {
  return {
    name: 'banking-api-contract',
    needsEval: false,
    checks: { Card: Card.is, Token: Token.is, Transaction: Transaction.is },
  };
}

function ajv(): Contender {
  const engine = new Ajv2020();
  formats.default(engine);
  const check = (schema: object): Check => {
    const { $id, ...rest } = schema as { $id?: string };
    const validate = engine.compile(rest);
    return (value) => validate(value);
  };
  return {
    name: 'Ajv at run time',
    needsEval: true,
    checks: { Card: check(Card.schema), Token: check(Token.schema), Transaction: check(Transaction.schema) },
  };
}

function typebox(compiled: boolean): Contender {
  const o = Type.Optional;
  const date = Type.String({ format: 'date-time', pattern: UTC.source });
  const schemas = {
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
  const check = (schema: Type.TSchema): Check => {
    if (!compiled) return (value) => checkValue(schema, value);
    const validator = Compile(schema);
    return (value) => validator.Check(value);
  };
  return {
    name: compiled ? 'TypeBox compiled' : 'TypeBox without eval',
    needsEval: compiled,
    checks: { Card: check(schemas.Card), Token: check(schemas.Token), Transaction: check(schemas.Transaction) },
  };
}

function zod(): Contender {
  const schemas = {
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
  const check =
    (schema: z.ZodType): Check =>
    (value) =>
      schema.safeParse(value).success;
  return {
    name: 'zod 4',
    needsEval: false,
    checks: { Card: check(schemas.Card), Token: check(schemas.Token), Transaction: check(schemas.Transaction) },
  };
}

function valibot(): Contender {
  const schemas = {
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
  return {
    name: 'valibot',
    needsEval: false,
    checks: {
      Card: (value) => v.is(schemas.Card, value),
      Token: (value) => v.is(schemas.Token, value),
      Transaction: (value) => v.is(schemas.Transaction, value),
    },
  };
}

function ark(): Contender {
  const schemas = {
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
  return {
    name: 'arktype',
    needsEval: true,
    checks: {
      Card: (value) => schemas.Card.allows(value),
      Token: (value) => schemas.Token.allows(value),
      Transaction: (value) => schemas.Transaction.allows(value),
    },
  };
}

/** For libraries whose date-time is a pattern: the day has to be in the calendar. */
function exists(text: string): boolean {
  const date = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text.slice(0, 10));
}
