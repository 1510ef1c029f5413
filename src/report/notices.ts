import type { Notice } from '../contract/contract.ts';
import type { ReportNotice } from '../model/report.ts';

export function weakening(notices: readonly Notice[]): ReportNotice[] {
  const shown = notices
    .filter(({ code }) => code !== 'unknown-operation' && code !== 'not-compared' && code !== 'overlay-action-odd')
    .map(
      ({ code, message, hint, place: { file, line, column = 1 }, unwatched }): ReportNotice => ({
        code,
        message: hint ? `${message} ${hint}` : message,
        location: line === undefined ? null : { file, line, column },
        ...(unwatched && { unwatched }),
      }),
    );
  return [...new Map(shown.map((notice) => [JSON.stringify(notice), notice])).values()];
}

export function slowedText(perSecond: number): string {
  return `The target limits the rate of requests (429), so the run slowed down to ${perSecond} requests per second. Set limits.perSecond to ${perSecond} in the configuration.`;
}
