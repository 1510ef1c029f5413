/**
 * Names under which a value is secret wherever they stand: JSON keys, form and query fields, header fields.
 * They are compared without case, `-`, `_` and other signs, so `access_token`, `accessToken` and `Access-Token` are one.
 *
 * Not among them, on purpose: routing codes of banks (ABA, IFSC, CNAPS, sort codes), which are public, and the ids in paths, without
 * which nobody could follow a caller through a journal. A contract may add names of its own (`x-secret`), and take none away.
 */
const WHOLE: ReadonlySet<string> = new Set(
  [
    ['apikey', 'auth', 'bearer', 'clientassertion', 'jti', 'jwt', 'sid'],
    ['login', 'username', 'pass', 'pwd', 'pin', 'pincode', 'otp', 'answer', 'answers'],
    ['pan', 'csc', 'cvc', 'cvc2', 'cvv', 'cvv2', 'bban', 'clabe'],
    ['cnpj', 'cpf', 'curp', 'nationalid', 'nationalidnumber', 'nino', 'passport', 'pesel', 'ssn', 'taxid'],
  ].flat(),
);

const PARTS: readonly string[] = [
  ['authorization', 'cookie', 'credential', 'secret', 'sessionid', 'signature'],
  ['onetimepass', 'passcode', 'passphrase', 'passwd', 'password', 'securityanswer', 'securitycode', 'securityquestion'],
  ['accountno', 'accountnumber', 'cardno', 'cardnumber', 'iban', 'primaryaccount'],
  ['driverlicen', 'drivinglicen', 'identitynumber', 'nationalinsurance', 'passportn', 'socialsecurity'],
  ['taxidentif', 'taxpayer'],
].flat();

const KEYS = /(?:access|account|api|client|customer|encryption|merchant|partner|private|signing|subscription)key/;

const ENDINGS: readonly string[] = ['token', 'tokens', 'cvv', 'cvc', 'otp', 'pwd'];

/** Only as header fields: as words of a sentence or of a schema they are harmless. */
const HEADERS: ReadonlySet<string> = new Set(['authorization', 'proxyauthorization', 'cookie', 'setcookie', 'cookie2']);

const TELLING =
  /(?:token|tokens|secret|password|passwd|pwd|passcode|answer|key|sessionid|iban|bban|clabe|accountnumber|accountno|cardnumber|cardno|pan|securitycode)$/;

const LONGEST_KEY = 128;

export interface Keys {
  isSensitive(key: string): boolean;
  /** Whether what stands under this key is secret by itself, wherever it comes back, and not only in this place. */
  isTelling(key: string): boolean;
}

export function createKeys(names: Iterable<string> = []): Keys {
  const own = new Set([...names].map(normalise));
  const known = new Map<string, boolean>();
  const isSensitive = (key: string): boolean => {
    // nobody names a field like that; a megabyte of a key is not worth the work
    if (key.length > LONGEST_KEY) return false;
    const before = known.get(key);
    if (before !== undefined) return before;
    const name = normalise(key);
    const sensitive = own.has(name) || isKnownToTheTrade(name);
    if (known.size >= 2000) known.clear();
    known.set(key, sensitive);
    return sensitive;
  };
  const isTelling = (key: string): boolean => {
    const name = normalise(key);
    return own.has(name) || (TELLING.test(name) && isSensitive(key));
  };
  return { isSensitive, isTelling };
}

export const tradeKeys: Keys = createKeys();

export const isSensitiveKey = (key: string): boolean => tradeKeys.isSensitive(key);

function isKnownToTheTrade(name: string): boolean {
  if (WHOLE.has(name) || KEYS.test(name)) return true;
  return PARTS.some((part) => name.includes(part)) || ENDINGS.some((ending) => name.endsWith(ending));
}

export function isCredentialHeader(name: string): boolean {
  return HEADERS.has(normalise(name));
}

function normalise(key: string): string {
  return key.toLowerCase().replace(/[^a-z0-9]/g, '');
}
