/** The same three schemas for competing libraries. Each checks date-times fully, in UTC only. */
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

type Kind = 'text' | 'whole' | 'number' | 'bearer' | 'date';
/** Fields by name, each a kind or an object. A `?` marks an optional field. */
interface Fields {
  readonly [name: string]: Kind | Fields;
}

const SCHEMAS: Readonly<Record<SchemaName, Fields>> = {
  Card: {
    'cardProgramme?': 'text',
    'cardDesign?': 'text',
    'cardLimitDaily?': 'whole',
    'cardLimitMonthly?': 'whole',
    'cardLimitTransaction?': 'whole',
    'token?': 'text',
  },
  Token: { access_token: 'text', expires_in: 'whole', jti: 'text', scope: 'text', token_type: 'bearer' },
  Transaction: {
    'purposeCode?': 'text',
    'paymentProviderDetails?': {
      'shortReference?': 'text',
      'internalReference?': 'text',
      'paymentId?': 'text',
      'conversionId?': 'text',
      'rate?': 'number',
      'settlementDate?': 'date',
    },
  },
};

/** How a library defines a schema and checks a value. */
interface Library<T> {
  readonly kinds: Readonly<Record<Kind, T>>;
  readonly optional: (schema: T) => T;
  readonly object: (fields: Record<string, T>) => T;
}

function schemaIn<T>(library: Library<T>, fields: Fields): T {
  const written = Object.entries(fields).map(([name, field]): [string, T] => {
    const schema = typeof field === 'string' ? library.kinds[field] : schemaIn(library, field);
    return name.endsWith('?') ? [name.slice(0, -1), library.optional(schema)] : [name, schema];
  });
  return library.object(Object.fromEntries(written));
}

function contender(name: string, needsEval: boolean, checkOf: (schema: SchemaName) => Check): Contender {
  return {
    name,
    needsEval,
    checks: { Card: checkOf('Card'), Token: checkOf('Token'), Transaction: checkOf('Transaction') },
  };
}

/** For libraries whose date-time is a pattern: the day must exist in the calendar. */
function exists(text: string): boolean {
  const date = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text.slice(0, 10));
}

const TYPEBOX: Library<Type.TSchema> = {
  kinds: {
    text: Type.String(),
    whole: Type.Integer(),
    number: Type.Number(),
    bearer: Type.String({ pattern: BEARER.source }),
    date: Type.String({ format: 'date-time', pattern: UTC.source }),
  },
  optional: (schema) => Type.Optional(schema),
  object: (fields) => Type.Object(fields),
};

const ZOD: Library<z.ZodType> = {
  kinds: {
    text: z.string(),
    whole: z.int(),
    number: z.number(),
    bearer: z.string().regex(BEARER),
    date: z.iso.datetime({ offset: true }).regex(UTC),
  },
  optional: (schema) => schema.optional(),
  object: (fields) => z.looseObject(fields),
};

const VALIBOT: Library<v.GenericSchema> = {
  kinds: {
    text: v.string(),
    whole: v.pipe(v.number(), v.integer()),
    number: v.number(),
    bearer: v.pipe(v.string(), v.regex(BEARER)),
    date: v.pipe(v.string(), v.regex(UTC), v.check(exists)),
  },
  optional: (schema) => v.optional(schema),
  object: (fields) => v.looseObject(fields),
};

/** `[type, '?']` is its notation for an optional field. */
const ARK: Library<unknown> = {
  kinds: {
    text: 'string',
    whole: 'number.integer',
    number: 'number',
    bearer: BEARER,
    date: type(UTC).narrow(exists),
  },
  optional: (schema) => [schema, '?'],
  object: (fields) => type(fields as never),
};

const OURS: Readonly<Record<SchemaName, Pick<Validator<unknown>, 'is' | 'schema'>>> = { Card, Token, Transaction };
const ajv = new Ajv2020();
formats.default(ajv);

export const CONTENDERS: readonly Contender[] = [
  contender('banking-api-contract', false, (name) => OURS[name].is),
  contender('Ajv at run time', true, (name) => {
    const { $id, ...schema } = OURS[name].schema as { readonly $id?: string };
    return ajv.compile(schema);
  }),
  contender('TypeBox compiled', true, (name) => {
    const validator = Compile(schemaIn(TYPEBOX, SCHEMAS[name]));
    return (value) => validator.Check(value);
  }),
  contender('TypeBox without eval', false, (name) => {
    const schema = schemaIn(TYPEBOX, SCHEMAS[name]);
    return (value) => checkValue(schema, value);
  }),
  contender('zod 4', false, (name) => {
    const schema = schemaIn(ZOD, SCHEMAS[name]);
    return (value) => schema.safeParse(value).success;
  }),
  contender('valibot', false, (name) => {
    const schema = schemaIn(VALIBOT, SCHEMAS[name]);
    return (value) => v.is(schema, value);
  }),
  contender('arktype', true, (name) => {
    const schema = schemaIn(ARK, SCHEMAS[name]) as { allows(value: unknown): boolean };
    return (value) => schema.allows(value);
  }),
];
