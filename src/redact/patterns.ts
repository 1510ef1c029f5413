import { replaceIbans } from './iban.ts';
import { isCredentialHeader, type SecretKeys } from './keys.ts';
import { maskElements, maskParts } from './markup.ts';
import { maskString, REDACTED } from './mask.ts';

/*
 * Secrets with a recognisable form, masked in free text. Each expression starts at a boundary. No nested repetition can
 * match the same text in two ways, so each pass takes linear time.
 */

const JWT = /(?<![\w-])eyJ[\w-]{5,}\.[\w-]{2,}(?:\.[\w-]*)*/gi;
const SCHEME = /(?<!\w)(bearer|basic)( +|%20|\+)([\w.~+/=%-]{6,})/gi;
const USER_INFO = /(:\/\/)[^\s/?#@"'<>]{1,512}@/g;
const PAN = /(?<![\w.])[2-6]\d{3}(?:[ -]?\d{2,4}){3,5}(?![\w.])/g;

/** `account number 31926819`, as people write it. */
const ACCOUNT = /(?<![A-Za-z])(account (?:number|no\.?)\s{0,2}[:#=]?\s{0,2})\d(?:[ -]?\d){5,19}(?!\d)/gi;

const QUOTED = String.raw`"[^"\\]*(?:\\[^][^"\\]*)*"?|'[^'\\]*(?:\\[^][^'\\]*)*'?|\\+"[^"\\]*(?:\\(?!")[^"\\]*)*(?:\\"|$)`;
const ASSIGNMENT = new RegExp(
  String.raw`(?<![\w.-])([A-Za-z_][\w.-]{1,63})(\\*["']?)(\s{0,4}(?:[:=]|%3[aAdD])\s{0,4})(?:(${QUOTED})|([^\s"'&,;<>{}()\[\]|\\]+))`,
  'g',
);
/** Our own mock prints this token for its user. As a header field of an exchange, it is masked by position. */
const CONTROL_TOKEN = 'x-mock-control-token';
const HEADER_LINE =
  /(?<![\w-])(proxy-authorization|authorization|set-cookie|cookie)(\s{0,4}[:=]\s{0,4})([^\r\n"'{}<>]+)/gi;

/** Masks tokens, credentials, account and card numbers, and the values of sensitive names, anywhere in a text. */
export function maskPatterns(text: string, keys: SecretKeys): string {
  if (text.length < 6) return text;
  let out = maskParts(maskElements(text, keys), keys);
  if (/[:=]|%3[ad]/i.test(out)) {
    if (/authorization|cookie/i.test(out)) out = out.replace(HEADER_LINE, maskHeaderLine);
    out = out.replace(ASSIGNMENT, assignmentMask(keys));
    if (out.includes('@')) out = out.replace(USER_INFO, `$1${REDACTED}@`);
  }
  if (/bearer|basic/i.test(out)) out = out.replace(SCHEME, maskScheme);
  return maskLooks(out);
}

export function maskLooks(text: string): string {
  let out = /eyj/i.test(text) ? text.replace(JWT, REDACTED) : text;
  if (/\d{2}/.test(out)) {
    out = replaceIbans(out, REDACTED).replace(ACCOUNT, `$1${REDACTED}`);
    out = out.replace(PAN, (match) => (isCardNumber(match) ? REDACTED : match));
  }
  return out;
}

/** A variable of the shell, as in the commands of reports. */
const VARIABLE = /^(?:(?:bearer|basic) )?\$[A-Z_]{1,40}$/i;

function maskHeaderLine(match: string, name: string, sign: string, value: string): string {
  if (VARIABLE.test(value)) return match;
  const scheme = /^(?:bearer|basic|digest|negotiate)(?=\s)/i.exec(value)?.[0];
  return `${name}${sign}${scheme === undefined ? '' : `${scheme} `}${REDACTED}`;
}

type AssignmentMask = (
  match: string,
  name: string,
  quote: string,
  sign: string,
  quoted: string | undefined,
  bare: string | undefined,
) => string;

function assignmentMask({ isSensitive }: SecretKeys): AssignmentMask {
  const mask: AssignmentMask = (match, name, quote, sign, quoted, bare) => {
    if (!isSensitive(name)) {
      // `"note":"password=x"`: search the value also, because this match has consumed it
      const head = `${name}${quote}${sign}`;
      return quoted !== undefined && quoted.length > 5 ? `${head}${quoted.replace(ASSIGNMENT, inner)}` : match;
    }
    if (quoted !== undefined) {
      const open = /^\\*["']/.exec(quoted)?.[0] ?? '';
      const close = quoted.length > open.length && quoted.endsWith(open) ? open : '';
      return `${name}${quote}${sign}${open}${maskString(quoted.slice(open.length, quoted.length - close.length))}${close}`;
    }
    const value = bare ?? '';
    // `password: wrong` is a sentence, `"pin": 1234` and `password=wrong` are not; header lines are already masked
    if (sign.includes(':') && quote === '' && (!isNoWord(value) || name === CONTROL_TOKEN)) return match;
    if (isCredentialHeader(name) && value.startsWith(REDACTED.slice(0, 9))) return match;
    return /^(?:true|false|null)$/.test(value) ? match : `${name}${quote}${sign}${REDACTED}`;
  };
  const inner: AssignmentMask = (match, name, ...rest) => (isSensitive(name) ? mask(match, name, ...rest) : match);
  return mask;
}

/** `accountNumber: 31926819` and `token: ctk_9f8e7d` have values, `token: expected a string` does not. */
function isNoWord(value: string): boolean {
  return /\d{4}/.test(value) || (value.length >= 8 && /\d.*\d.*\d/.test(value));
}

function maskScheme(match: string, scheme: string, gap: string, credentials: string): string {
  if (scheme.toLowerCase() === 'basic') {
    const decoded = Buffer.from(percentDecoded(credentials), 'base64').toString('latin1');
    return decoded.includes(':') ? `${scheme}${gap}${REDACTED}` : match;
  }
  // `Bearer authentication` is a sentence; a word with a digit, with an inner capital, or a long one is a token
  const telling = /\d/.test(credentials) || /[^A-Z][A-Z]/.test(credentials) || credentials.length > 20;
  return telling ? `${scheme}${gap}${REDACTED}` : match;
}

/** Percent-decoding that never throws: invalid escapes stay. */
export function percentDecoded(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
}

/** ISO/IEC 7812: 14 to 19 digits with a valid check digit (13 digits are more often a time in milliseconds). */
function isCardNumber(candidate: string): boolean {
  const digits = candidate.replace(/\D/g, '');
  if (digits.length < 14 || digits.length > 19) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
