/**
 * Names whose values are always secret: JSON keys, form and query fields, header fields.
 * Names are compared without case and signs, so `access_token`, `accessToken` and `Access-Token` are equal.
 * Not included: routing codes of banks (ABA, IFSC, CNAPS, sort codes), which are public, and ids in paths.
 * Without ids, a caller could not be followed through a journal. A contract may add names (`x-secret`) but not remove
 * any.
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

/** Only as header fields: in a sentence or a schema these words are harmless. */
const HEADERS: ReadonlySet<string> = new Set(['authorization', 'proxyauthorization', 'cookie', 'setcookie', 'cookie2']);

const TELLING =
  /(?:token|tokens|secret|password|passwd|pwd|passcode|answer|key|sessionid|iban|bban|clabe|accountnumber|accountno|cardnumber|cardno|pan|securitycode)$/;

const LONGEST_KEY = 128;

export interface SecretKeys {
  isSensitive(key: string): boolean;
  /** Whether the value of this key is a secret wherever it appears, and not only under the key. */
  isTelling(key: string): boolean;
}

export function createSecretKeys(names: Iterable<string> = []): SecretKeys {
  const own = new Set([...names].map(normalise));
  const isSensitive = memoized((key) => {
    const name = normalise(key);
    return own.has(name) || isKnownToTheTrade(name);
  });
  const isTelling = memoized((key) => {
    const name = normalise(key);
    return own.has(name) || (TELLING.test(name) && isSensitive(key));
  });
  return { isSensitive, isTelling };
}

/** Names of a traffic repeat. */
function memoized(isMeant: (key: string) => boolean): (key: string) => boolean {
  const known = new Map<string, boolean>();
  return (key) => {
    // no real key is that long, and a key of a megabyte would cost too much time
    if (key.length > LONGEST_KEY) return false;
    const before = known.get(key);
    if (before !== undefined) return before;
    const fresh = isMeant(key);
    if (known.size >= 2000) known.clear();
    known.set(key, fresh);
    return fresh;
  };
}

export const tradeKeys: SecretKeys = createSecretKeys();

export const isSensitiveKey = (key: string): boolean => tradeKeys.isSensitive(key);

function isKnownToTheTrade(name: string): boolean {
  if (WHOLE.has(name) || KEYS.test(name)) return true;
  return PARTS.some((part) => name.includes(part)) || ENDINGS.some((ending) => name.endsWith(ending));
}

export const isCredentialHeader: (name: string) => boolean = memoized((name) => HEADERS.has(normalise(name)));

function normalise(key: string): string {
  return key.toLowerCase().replace(/[^a-z0-9]/g, '');
}
