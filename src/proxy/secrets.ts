import { learnFromExchange } from '../journal/entry.ts';
import { type Exchange, header } from '../model/exchange.ts';
import type { Redactor } from '../redact/redact.ts';

/** Bytes of a body from which secrets are learned. Larger bodies are only masked by names and patterns. */
const LARGEST_LESSON = 1024 * 1024;

/** Learns secrets of a request, to mask them in answers and errors. */
export function learnSecrets(exchange: Exchange, redactor: Redactor): void {
  learnFromExchange(exchange, redactor, LARGEST_LESSON);
  const basic = /^basic +(\S+)/i.exec(header(exchange.request.headers, 'authorization') ?? '')?.[1];
  if (basic === undefined) return;
  redactor.learn(basic);
  const pair = Buffer.from(basic, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  if (colon >= 0) redactor.learn(pair.slice(colon + 1));
}
