import type { HookInput } from 'banking-api-contract/contract';

/** Made of the name: `mary.ashworth@example.com`. */
export function email(input: HookInput): string {
  return `${username(input)}@example.com`;
}

/** Made of the name: `mary.ashworth`. */
export function username({ record }: HookInput): string {
  return `${letters(record.firstName)}.${letters(record.lastName)}`;
}

/** Of a client that a seed only counts. */
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

/** With its check digit, so that a client that checks it is content. */
export function routingNumber({ from }: HookInput): string {
  const weights = [3, 7, 1];
  const sum = [...from].reduce((total, digit, index) => total + Number(digit) * (weights[index % 3] ?? 0), 0);
  return `${from}${(10 - (sum % 10)) % 10}`;
}

/** With its check digits (ISO 13616). */
export function iban({ from }: HookInput): string {
  const digits = [...`${from}GB00`].map((char) => Number.parseInt(char, 36)).join('');
  return `GB${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${from}`;
}

/** The first currency whose maxima admit the limits that were sent. */
export function currencyThatAdmits({ limits }: HookInput): string {
  return limits.currencies.find((currency) => limits.admits(currency)) ?? limits.currencies[0] ?? 'GBP';
}
