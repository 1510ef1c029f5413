/** Whether a number is a multiple of another one in decimals: 19.99 of 0.01. Each number is its shortest decimal text. */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  const [one, other] = [decimalOf(value), decimalOf(divisor)];
  const scale = Math.min(one.exponent, other.exponent);
  const whole = ({ digits, exponent }: Decimal): bigint => digits * 10n ** BigInt(exponent - scale);
  return whole(one) % whole(other) === 0n;
}

interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

function decimalOf(value: number): Decimal {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}
