import type { HookInput } from 'banking-api-contract/contract';

/**
 * Assumptions about payments: the reference does not describe balances, amounts and fees. Amounts are integers in the
 * smallest unit of their currency, so that rounding never creates or loses money.
 */
type Value = HookInput['record'];
type Given = Pick<HookInput, 'record' | 'sent' | 'named' | 'listed' | 'decimals'>;

/** The amount has no more decimals than its currency: zero for yen, three for Kuwaiti dinars. */
export function amountInWholeUnits(input: HookInput): boolean {
  if (input.sent.amount === undefined) return true;
  const units = Number(input.sent.amount) * 10 ** decimalsOf(currencyOf(input), input);
  return Number.isInteger(Number(units.toPrecision(15)));
}

/** The account exists and was not cancelled. */
export function accountOpen({ named }: HookInput): boolean {
  return (named('accountId') ?? { status: 'CANCELLED' }).status !== 'CANCELLED';
}

/** The balance, minus pending payments, covers the payment. */
export function paymentCovered(input: HookInput): boolean {
  const account = input.named('accountId');
  if (!account) return false;
  const digits = decimalsOf(account.currency, input);
  const asked = input.sent.amount === undefined ? undefined : taken(paymentOf(input), digits);
  const free = available(account, input);
  return asked === undefined ? free > 0 : asked <= free;
}

/** Usual amounts in euros. Purposes are made up as often as they are listed. */
const PURPOSES: Readonly<Record<'IN' | 'OUT', readonly (readonly [purpose: string, least: number, most: number])[]>> = {
  OUT: [
    ...Array.from({ length: 5 }, () => ['card_payment', 4, 180] as const),
    ...Array.from({ length: 4 }, () => ['invoice_payment', 60, 1_900] as const),
    ['subscription', 9, 120],
    ['salary', 1_600, 4_200],
    ['rent', 850, 2_400],
    ['tax', 150, 1_500],
  ],
  IN: [...Array.from({ length: 5 }, () => ['invoice_payment', 400, 5_200] as const), ['refund', 10, 300]],
};
const OTHER = ['other', 20, 900] as const;
/** An account with less than this many euros gets money first. */
const LOW = 6_000;

/** Money comes in if the account has little, and sometimes else. */
export function direction(input: HookInput): string {
  return freeEuros(input) < LOW || input.random.number(4) === 0 ? 'IN' : 'OUT';
}

export function purpose({ record, random }: HookInput): string {
  return random.oneOf(PURPOSES[record.direction === 'IN' ? 'IN' : 'OUT'])[0];
}

/** One payment in 25 fails, and another one is declined. */
export function outcome({ random }: HookInput): string {
  return ['FAILED', 'DECLINED'][random.number(25)] ?? 'PENDING';
}

/** One payment in five has the currency of the beneficiary. */
export function currencyOfPayment(input: HookInput): unknown {
  const own = currencyOfAccount(input);
  const other = input.named('beneficiaryId')?.currency ?? own;
  return input.record.direction === 'OUT' && input.random.number(5) === 0 ? other : own;
}

/** Of usual size for its purpose, at most what the account can pay. Undefined if that is less than usual. */
export function amount(input: HookInput): number | undefined {
  const { record, sent, random, profile } = input;
  const asked = sent.purposeCode ?? record.purposeCode ?? 'invoice_payment';
  const isIn = record.direction === 'IN';
  const [, least, most] = PURPOSES[isIn ? 'IN' : 'OUT'].find(([name]) => name === asked) ?? OTHER;
  const currency = currencyOf(input);
  const isChecked = !isIn && profile.paymentRules === true;
  const highest = isChecked ? Math.min(most, freeEuros(input)) : most;
  if (highest < least) return undefined;
  const scale = (PER_EURO[String(currency)] ?? 1) * 10 ** decimalsOf(currency, input);
  const [from, to] = [Math.ceil(least * scale), Math.floor(highest * scale)];
  return (from + random.number(Math.max(1, to - from))) / 10 ** decimalsOf(currency, input);
}

/** What the account can pay, in euros. */
function freeEuros(input: HookInput): number {
  const account = input.named('accountId');
  if (!account) return 0;
  const free = available(account, input) / 10 ** decimalsOf(account.currency, input);
  return free / (PER_EURO[String(account.currency)] ?? 1);
}

/** Currency of the paying account. */
export function currencyOfAccount({ named }: HookInput): unknown {
  return named('accountId')?.currency ?? 'GBP';
}

/** Exchange rate from the account's currency to the payment's: 1 within one currency. */
export function exchangeRate(input: HookInput): number {
  return rateOf(input);
}

/** Balance of the account after the payment has settled. */
export function balanceAfter(input: HookInput): unknown {
  const account = input.named('accountId');
  if (!account) return undefined;
  const digits = decimalsOf(account.currency, input);
  const sign = input.record.direction === 'IN' ? 1 : -1;
  return (units(account.balance, digits) + sign * taken(input.record, digits)) / 10 ** digits;
}

/** Balance of a cancelled account: the sum of its pending payments. The rest is paid out. */
export function promised(input: HookInput): number {
  return promisedUnits(input.record, input) / 10 ** decimalsOf(input.record.currency, input);
}

/** A row of the price list for an amount: a fixed part and a percentage, in the smallest unit of the currency. */
export function feeOfAmount({ record, sent, decimals }: HookInput): Value {
  const digits = decimals(String(sent.currency)) ?? 2;
  const share = typeof sent.amount === 'number' ? (sent.amount * Number(record.percentage ?? 0)) / 100 : 0;
  return { ...record, amount: units(Number(record.amount) + Math.max(0, share), digits) / 10 ** digits };
}

function available(payer: Value, input: Given): number {
  return units(payer.balance, decimalsOf(payer.currency, input)) - promisedUnits(payer, input);
}

function promisedUnits(payer: Value, input: Given): number {
  const digits = decimalsOf(payer.currency, input);
  return input.listed('transaction').reduce((sum, payment) => {
    const isPending = payment.accountId === payer.accountId && payment.status === 'PENDING';
    return isPending && payment.direction !== 'IN' ? sum + taken(payment, digits) : sum;
  }, 0);
}

/** Total cost of a payment, in the smallest unit of the account's currency with its decimals. */
function taken(payment: Value, digits: number): number {
  const details = payment.paymentProviderDetails as Value | undefined;
  return units(Number(payment.amount) / Number(details?.rate ?? 1), digits);
}

/** The requested payment in its stored form. */
function paymentOf(input: Given): Value {
  return { amount: input.sent.amount, paymentProviderDetails: { rate: rateOf(input) } };
}

function currencyOf({ record, sent, named }: Given): unknown {
  return sent.currency ?? record.currency ?? named('accountId')?.currency ?? 'GBP';
}

function decimalsOf(currency: unknown, { decimals }: Given): number {
  return decimals(String(currency)) ?? 2;
}

/** In the smallest unit, after correcting binary rounding errors. They matter only near half a unit. */
function units(amount: unknown, digits: number): number {
  const exact = Number(amount) * 10 ** digits;
  const nearest = Math.round(exact);
  return Math.abs(exact - nearest) < 0.4 ? nearest : Math.round(Number(exact.toPrecision(15)));
}

/** Approximate value of a euro in some currencies. Other currencies count as equal to the euro. */
const PER_EURO: Readonly<Record<string, number>> = {
  ...{
    AED: 3.98,
    AUD: 1.65,
    BRL: 5.9,
    CAD: 1.48,
    CHF: 0.95,
    CNY: 7.8,
    CZK: 25.2,
    DKK: 7.46,
    EUR: 1,
    GBP: 0.855,
    HKD: 8.45,
  },
  ...{ HUF: 392, INR: 90.5, JPY: 162, KRW: 1465, KWD: 0.334, MXN: 19.6, NOK: 11.6, NZD: 1.79, PLN: 4.3, RON: 4.97 },
  ...{ SAR: 4.06, SEK: 11.35, SGD: 1.46, TRY: 37, USD: 1.08, ZAR: 19.9 },
};

function rateOf(input: Given): number {
  const account = input.named('accountId');
  const [from, to] = [String(account?.currency ?? currencyOf(input)), String(currencyOf(input))];
  if (from === to) return 1;
  return Number(((PER_EURO[to] ?? 1) / (PER_EURO[from] ?? 1)).toPrecision(6));
}
