import { formatPlace } from '../errors.ts';
import { plain } from '../report/plain.ts';
import type { Notice } from '../spec/contract.ts';

/** What the loader noticed, as warnings for stderr: a line each, `file:line:column: warning: what, and what to do`. */
export function noticeText(notices: readonly Notice[]): string {
  return notices.map((notice) => `${lineOf(notice)}\n`).join('');
}

function lineOf({ place, message, hint }: Notice): string {
  return plain(`${formatPlace(place)}: warning: ${message}${hint === undefined ? '' : ` ${hint}`}`);
}
