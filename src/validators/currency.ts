import type { CurrencyValidator, Validator } from './validator.ts';

/** Adds `forCurrency` to a validator: `byCurrency` has the readings with maxima, under codes in capitals. */
export function createCurrencyValidator<T>(
  plain: Validator<T>,
  byCurrency: Readonly<Record<string, Validator<T>>>,
): CurrencyValidator<T> {
  const forCurrency = (currency: string): Validator<T> => {
    if (typeof currency !== 'string' || !/^[A-Za-z]{3}$/.test(currency)) {
      throw new TypeError('currency must be an ISO 4217 code of three letters, such as GBP');
    }
    const code = currency.toUpperCase();
    return (Object.hasOwn(byCurrency, code) ? byCurrency[code] : undefined) ?? plain;
  };
  // descriptors, because `schema` is made when it is first asked for
  const own = Object.getOwnPropertyDescriptors(plain);
  return Object.freeze(
    Object.defineProperties({}, { ...own, forCurrency: { value: forCurrency, enumerable: true } }),
  ) as CurrencyValidator<T>;
}
