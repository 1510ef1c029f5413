import { type ErrorCode, type Place, ToolError } from '../errors.ts';
import { VARIABLES } from './environment.ts';

/** Where a base URL was given, for the message. */
export interface UrlSource {
  /** Such as `--target` or `BANKING_API_BASE_URL`. */
  readonly name: string;
  readonly code: Extract<ErrorCode, 'usage' | 'config'>;
  readonly place?: Place;
}

/** An http or https URL without credentials, query and fragment, and without a slash at its end. The message never repeats it. */
export function parseBaseUrl(text: string, { name, code, place }: UrlSource): string {
  const refuse = (message: string, hint?: string): ToolError =>
    new ToolError(code, `${name}: ${message}`, { place, hint });
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw refuse('This is no URL.', 'It looks like https://sandbox.example.com.');
  }
  if (url.username !== '' || url.password !== '') {
    throw refuse('A URL must not hold credentials.', `They come from ${VARIABLES.username} and ${VARIABLES.password}.`);
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refuse('It must begin with https:// or http://.');
  if (url.search !== '' || url.hash !== '') throw refuse('It must not have a query or a fragment.');
  return url.href.replace(/\/+$/, '');
}
