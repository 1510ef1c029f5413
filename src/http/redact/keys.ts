/**
 * Names under which a value is secret wherever they stand: JSON keys, form and query fields, header fields.
 * They are compared without case, `-`, `_` and other signs, so `access_token`, `accessToken` and `Access-Token` are one.
 *
 * Not among them, on purpose: routing codes of banks (`aba`, `ifsc`, `cnaps`, `wireRoutingNumber`, `achRoutingNumber`), which are
 * public, and the ids of paths (customer, client, user, card), without which nobody could follow a caller through a journal.
 */
const WHOLE: ReadonlySet<string> = new Set([
  'answer',
  'answers',
  'apikey',
  'auth',
  'bban',
  'bearer',
  'clabe',
  'clientassertion',
  'csc',
  'cvc',
  'cvc2',
  'cvv',
  'cvv2',
  'jti',
  'jwt',
  'login',
  'nationalid',
  'otp',
  'pan',
  'pass',
  'passport',
  'pin',
  'pincode',
  'pwd',
  'sid',
  'ssn',
  'taxid',
  'username',
]);

const PARTS: readonly string[] = [
  'accesskey',
  'accountno',
  'accountnumber',
  'apikey',
  'authorization',
  'cardnumber',
  'cookie',
  'credential',
  'customerkey',
  'iban',
  'onetimepass',
  'passcode',
  'passphrase',
  'passwd',
  'password',
  'primaryaccount',
  'privatekey',
  'secret',
  'securityanswer',
  'securitycode',
  'securityquestion',
  'sessionid',
  'signature',
];

const ENDINGS: readonly string[] = ['token', 'tokens', 'cvv', 'cvc', 'otp', 'pwd'];

/** Only as header fields: as words of a sentence or of a schema they are harmless. */
const HEADERS: ReadonlySet<string> = new Set(['authorization', 'proxyauthorization', 'cookie', 'setcookie', 'cookie2']);

const LONGEST_KEY = 128;
const known = new Map<string, boolean>();

/** Whether a value under this key is secret. */
export function isSensitiveKey(key: string): boolean {
  // nobody names a field like that; a megabyte of a key is not worth the work
  if (key.length > LONGEST_KEY) return false;
  const before = known.get(key);
  if (before !== undefined) return before;
  const name = normalise(key);
  const sensitive =
    WHOLE.has(name) || PARTS.some((part) => name.includes(part)) || ENDINGS.some((ending) => name.endsWith(ending));
  if (known.size >= 2000) known.clear();
  known.set(key, sensitive);
  return sensitive;
}

const TELLING =
  /(?:token|tokens|secret|password|passwd|pwd|passcode|answer|apikey|accesskey|privatekey|customerkey|sessionid|iban|bban|clabe|accountnumber|accountno|cardnumber|pan|securitycode)$/;

/** Whether what stands under this key is secret by itself, wherever it comes back, and not only in this place. */
export function isTellingKey(key: string): boolean {
  return isSensitiveKey(key) && TELLING.test(normalise(key));
}

/** Whether a header field as a whole is a credential or holds cookies. */
export function isCredentialHeader(name: string): boolean {
  return HEADERS.has(normalise(name));
}

function normalise(key: string): string {
  return key.toLowerCase().replace(/[^a-z0-9]/g, '');
}
