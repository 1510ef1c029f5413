import type { HookInput } from 'banking-api-contract/contract';

/** From the name: `mary.ashworth@example.com`. */
export function email(input: HookInput): string {
  return `${username(input)}@example.com`;
}

/** From the name: `mary.ashworth`. */
export function username({ record }: HookInput): string {
  return `${letters(record.firstName)}.${letters(record.lastName)}`;
}

/** For a client that the seed counts but does not list. */
export function companyName({ random }: HookInput): string {
  const place = random.oneOf([
    'Harbour',
    'Mill Lane',
    'Old Quay',
    'Linden',
    'Castle Hill',
    'Northgate',
    'Riverside',
    'Elm Park',
  ]);
  const trade = random.oneOf([
    'Bakery',
    'Books',
    'Ceramics',
    'Cycles',
    'Design',
    'Joinery',
    'Logistics',
    'Optics',
    'Printing',
    'Tea',
  ]);
  return `${place} ${trade} ${random.oneOf(['Ltd', 'Partners', 'and Co'])}`;
}

function letters(name: unknown): string {
  const plain = String(name)
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]/g, '');
  return plain === '' ? 'user' : plain.toLowerCase();
}

/** With a valid check digit, for clients that verify it. */
export function routingNumber({ from }: HookInput): string {
  const weights = [3, 7, 1];
  const sum = [...from].reduce((total, digit, index) => total + Number(digit) * (weights[index % 3] ?? 0), 0);
  return `${from}${(10 - (sum % 10)) % 10}`;
}

/** The digits of an IBAN after its check digits, by country: the bank, and the number of further digits. */
const ACCOUNT_NUMBERS: Readonly<Record<string, readonly [bank: string, digits: number]>> = {
  ...{ AT: ['', 16], BE: ['', 12], CH: ['', 17], DE: ['', 18], DK: ['', 14], ES: ['', 20], FI: ['', 14], FR: ['', 23] },
  ...{ GB: ['BUKB202015', 8], IE: ['AIBK931152', 8], IT: ['X', 22], LU: ['', 16], NL: ['ABNA', 10], NO: ['', 11] },
  ...{ PL: ['10901014', 16], PT: ['', 21], SE: ['', 20] },
};

/** For the client's country, with valid check digits (ISO 13616). Undefined for a country that is not listed above. */
export function iban({ named, random }: HookInput): string | undefined {
  const country = String(named('clientId')?.country ?? 'GB');
  const [bank, length] = ACCOUNT_NUMBERS[country] ?? [];
  if (bank === undefined || length === undefined) return undefined;
  const number = `${bank}${random.digits(length)}`;
  const digits = [...`${number}${country}00`].map((char) => Number.parseInt(char, 36)).join('');
  return `${country}${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${number}`;
}

/** Countries with their own currency. All other countries here use euros. */
const CURRENCIES: Readonly<Record<string, string>> = {
  ...{ CH: 'CHF', CN: 'CNY', DK: 'DKK', GB: 'GBP', IN: 'INR', MX: 'MXN', NO: 'NOK', PL: 'PLN', SE: 'SEK', US: 'USD' },
};

/** Of its own country, or of its client's country. */
export function currencyOfCountry({ record, named }: HookInput): string {
  return CURRENCIES[String(record.country ?? named('clientId')?.country ?? 'GB')] ?? 'EUR';
}

/** The first currency whose maxima allow the requested limits. */
export function currencyThatAdmits({ limits }: HookInput): string {
  return limits.currencies.find((currency) => limits.admits(currency)) ?? limits.currencies[0] ?? 'GBP';
}
