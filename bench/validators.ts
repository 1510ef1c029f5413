/**
 * Validators against competing libraries.
 *
 * Ratios of one run, in CPU time, since other programs would distort it otherwise. The contenders alternate in short
 * slices, so that a slow moment affects all of them.
 */
import { type Check, CONTENDERS, type Contender, type SchemaName } from './validators-contenders.ts';
import { median } from './validators-cost.ts';

export interface ValidatorRow {
  readonly schema: SchemaName;
  readonly input: 'valid' | 'invalid';
  readonly contender: string;
  readonly needsEval: boolean;
  /** Median CPU time of one check, nanoseconds. */
  readonly nanoseconds: number;
  /** Checks in the time of one check by run-time Ajv. */
  readonly againstAjv: number;
}

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

export async function benchValidators(): Promise<readonly ValidatorRow[]> {
  const rows: ValidatorRow[] = [];
  for (const schema of ['Card', 'Token', 'Transaction'] as const) {
    for (const input of ['valid', 'invalid'] as const) {
      const values = Array.from({ length: 64 }, (_, n) => {
        const value = JSON.parse(JSON.stringify(VALID[schema](n)));
        if (input === 'invalid') SPOIL[schema](value as never);
        return value as unknown;
      });
      rows.push(...compare(schema, input, values));
    }
  }
  return rows;
}

function compare(schema: SchemaName, input: 'valid' | 'invalid', values: readonly unknown[]): ValidatorRow[] {
  const times = new Map<Contender, number[]>(CONTENDERS.map((contender) => [contender, []]));
  for (const contender of CONTENDERS) {
    const wrong = values.findIndex((value) => contender.checks[schema](value) !== (input === 'valid'));
    if (wrong >= 0) throw new Error(`${contender.name} judges an ${input} ${schema} otherwise`);
    slice(contender.checks[schema], values);
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const [contender, list] of times) list.push(slice(contender.checks[schema], values));
  }
  const medians = new Map([...times].map(([contender, list]) => [contender.name, median(list)]));
  const ajv = medians.get('Ajv at run time') ?? Number.NaN;
  return CONTENDERS.map(({ name, needsEval }) => {
    const nanoseconds = medians.get(name) ?? Number.NaN;
    return { schema, input, contender: name, needsEval, nanoseconds, againstAjv: ajv / nanoseconds };
  });
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

/** The rows as a table: one line per contender, one column per schema and input. */
export function formatValidatorRows(rows: readonly ValidatorRow[]): string {
  const columns = [...new Set(rows.map(({ schema, input }) => `${schema} ${input}`))];
  const lines = CONTENDERS.map(({ name, needsEval }) => {
    const cells = columns.map((column) => {
      const row = rows.find((one) => one.contender === name && `${one.schema} ${one.input}` === column);
      return `${row?.againstAjv.toFixed(2)}`.padStart(column.length);
    });
    return [`${name}${needsEval ? ' (eval)' : ''}`.padEnd(28), ...cells].join('  ');
  });
  return [['checks per check of Ajv'.padEnd(28), ...columns].join('  '), ...lines, ''].join('\n');
}
