import { type ExchangeResponse, header } from './exchange.ts';

/** Header field that marks every answer as the mock's. Its value is the weakest provenance in the answer. */
export const PROVENANCE_HEADER = 'x-mock-provenance';

/** Header with a notice about a served request or its answer. */
export const WARNING_HEADER = 'x-mock-warning';

/** Start of the notice about an answer that contradicts its own schema. */
export const CONTRADICTION = 'the answer contradicts its schema';

/** Why an answer of a mock says nothing about the API: the mock could not make a good one. Null for other answers. */
export function flawOf({ status, headers }: ExchangeResponse): string | null {
  if (header(headers, PROVENANCE_HEADER) === undefined) return null;
  if (status === 501) return 'the mock cannot make this answer (501)';
  const notice = header(headers, WARNING_HEADER) ?? '';
  return notice.startsWith(CONTRADICTION) ? notice : null;
}
