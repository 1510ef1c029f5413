import type { Report } from '../model/report.ts';
import { plain } from '../plain.ts';
import { count } from './wrap.ts';

const MOST = 8;

/** How many programs were heard and who they are, in one line; null for reports that tell of none. */
export function callersText({ callers }: Pick<Report, 'callers'>): string | null {
  if (callers === undefined || callers.length === 0) return null;
  const more = callers.length - MOST;
  const named = callers.slice(0, MOST).map(({ name, connections, exchanges }) => {
    const parts = [...(connections === null ? [] : [count(connections, 'connection')]), count(exchanges, 'exchange')];
    return `${plain(name)} (${parts.join(', ')})`;
  });
  return `${callers.length}: ${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}
