/**
 * Generated validators against Ajv at run time: `npm run bench validators`.
 *
 * Ratios of one run, in CPU time, since other programs would distort it otherwise. Both alternate in short slices, so
 * that a slow moment affects both.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { Card } from '../generated/validators/card.ts';
import { Token } from '../generated/validators/token.ts';
import { Transaction } from '../generated/validators/transaction.ts';
import { median } from './median.ts';

type Check = (value: unknown) => boolean;

const OURS = { Card, Token, Transaction } as const;
type SchemaName = keyof typeof OURS;

const ROUNDS = 9;
const SLICE_MS = 12;

const VALID: Readonly<Record<SchemaName, (n: number) => object>> = {
  Card: (n) => ({
    cardProgramme: `p${n}`,
    cardDesign: 'blue',
    cardLimitDaily: 1000 + n,
    cardLimitMonthly: 20000,
    cardLimitTransaction: 500,
    token: `t${n}`,
    cardId: `c${n}`,
  }),
  Token: (n) => ({ access_token: `abc.def.${n}`, token_type: 'bearer', expires_in: 3599 - n, scope: '', jti: `j${n}` }),
  Transaction: (n) => ({
    id: `tx${n}`,
    purposeCode: 'SALA',
    paymentProviderDetails: {
      shortReference: `s${n}`,
      internalReference: 'i',
      paymentId: 'p',
      conversionId: 'c',
      rate: 1.17 + n,
      settlementDate: `2024-02-${10 + (n % 19)}T10:00:00Z`,
    },
  }),
};

const SPOIL: Readonly<Record<SchemaName, (value: never) => void>> = {
  Card: (value: { cardLimitTransaction: number }) => {
    value.cardLimitTransaction = 500.5;
  },
  Token: (value: { expires_in: unknown }) => {
    value.expires_in = 'soon';
  },
  Transaction: (value: { paymentProviderDetails: { settlementDate: string } }) => {
    value.paymentProviderDetails.settlementDate = '2024-02-31T10:00:00Z';
  },
};

/** A table: checks in the time of one check by Ajv, for valid and invalid values of each schema. */
export function benchValidators(): string {
  // inherited members do not count in ours either
  const ajv = new Ajv2020({ ownProperties: true });
  formats.default(ajv);
  const lines = Object.entries(OURS).flatMap(([name, ours]) => {
    const schema = name as SchemaName;
    const { $id, ...plain } = ours.schema as { readonly $id?: string };
    const checks: readonly [Check, Check] = [ours.is, ajv.compile(plain)];
    return (['valid', 'invalid'] as const).map((input) => {
      const values = Array.from({ length: 64 }, (_, n) => {
        const value = JSON.parse(JSON.stringify(VALID[schema](n)));
        if (input === 'invalid') SPOIL[schema](value as never);
        return value as unknown;
      });
      const wrong = checks.some((check) => values.some((value) => check(value) !== (input === 'valid')));
      if (wrong) throw new Error(`not every ${input} ${schema} is judged as ${input}`);
      return `${`${schema} ${input}`.padEnd(24)}${againstAjv(checks, values).toFixed(2).padStart(6)}`;
    });
  });
  return ['checks per check of Ajv at run time', ...lines, ''].join('\n');
}

function againstAjv(checks: readonly [ours: Check, ajv: Check], values: readonly unknown[]): number {
  const times = checks.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, check] of checks.entries()) times[index]?.push(slice(check, values));
  const [ours, ajv] = times.map(median);
  return (ajv ?? Number.NaN) / (ours ?? Number.NaN);
}

/** CPU nanoseconds per check, over about `SLICE_MS`. */
function slice(check: Check, values: readonly unknown[]): number {
  let checks = 0;
  let answers = 0;
  const start = process.cpuUsage();
  let elapsed = 0;
  while (elapsed < SLICE_MS) {
    for (let again = 0; again < 40; again++) {
      for (const value of values) answers += check(value) ? 1 : 0;
    }
    checks += 40 * values.length;
    const { user, system } = process.cpuUsage(start);
    elapsed = (user + system) / 1000;
  }
  if (answers > checks) throw new Error('a check answered more than once');
  return (elapsed * 1e6) / checks;
}
