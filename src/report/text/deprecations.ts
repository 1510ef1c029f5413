import { plain } from '../plain.ts';
import type { Report } from '../report.ts';
import { watchWords } from '../watch-words.ts';
import { wrap } from '../wrap.ts';

/** The deprecated forms and what is known of each. */
export function deprecationLines({ deprecations, startedAt }: Report, width: number): string[] {
  if (deprecations.length === 0) return [];
  const nothing = deprecations.every(
    ({ alive, withdrawnSince, lastAlive }) => alive === null && withdrawnSince === undefined && lastAlive === undefined,
  );
  if (nothing) {
    const names = deprecations.map(({ operationId }) => operationId).join(', ');
    return [...wrap(plain(`not known whether they live: ${names}`), width - 4).map((line) => `  ${line}`), ''];
  }
  return [
    ...deprecations.flatMap((watch) => {
      const { life, shape, deprecation, sunset, nearness } = watchWords(watch, startedAt);
      const facts = [
        life,
        shape.text,
        `Deprecation ${deprecation}`,
        `Sunset ${sunset}${nearness === null ? '' : ` (${nearness.text})`}`,
      ];
      const text = plain(`${watch.operationId} → ${watch.successor}: ${facts.join(', ')}`);
      return wrap(text, width - 4).map((line, index) => `  ${index === 0 ? '' : '  '}${line}`);
    }),
    '',
  ];
}
