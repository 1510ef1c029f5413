import { ToolError } from '../../errors.ts';
import type { PlannedOperation } from '../compile/plan.ts';
import { withdrawn } from '../compile/withdrawn.ts';
import type { Answer, FlatHeaders } from '../message/answer.ts';
import { encodePath } from '../message/call.ts';
import type { MockOptions } from '../mock.ts';

/** Assumed date of every deprecation, because a document states none. RFC 9745 defines how it is written. */
const ASSUMED_DEPRECATION = new Date('2024-01-01T00:00:00Z');

/**
 * Headers and withdrawal of deprecated operations.
 * @param live operationIds of the old forms that are still available, or null for all. The rest are withdrawn.
 * @throws ToolError `usage` if the sunset is before the deprecation (RFC 8594, RFC 9745).
 */
export function createDeprecation(
  { sunset, withdrawDeprecated = false }: Pick<MockOptions, 'sunset' | 'withdrawDeprecated'>,
  live: () => readonly string[] | null,
) {
  // negated, because a comparison with an invalid date is false
  if (sunset && !(sunset >= ASSUMED_DEPRECATION)) {
    const since = ASSUMED_DEPRECATION.toISOString().slice(0, 10);
    const message = `The sunset lies before the deprecation itself, which the mock dates ${since}, or is no date.`;
    throw new ToolError('usage', message);
  }
  const fixed = ['deprecation', `@${Math.floor(ASSUMED_DEPRECATION.getTime() / 1000)}`];
  if (sunset) fixed.push('sunset', sunset.toUTCString());
  return {
    /** `Deprecation`, `Link`, `Sunset` for all answers of a deprecated operation, even errors (RFC 9745, 8288, 8594). */
    headers({ successor }: PlannedOperation, parameters: Readonly<Record<string, string>>): FlatHeaders {
      if (!successor) return fixed;
      return [...fixed, 'link', `<${encodePath(successor.path, parameters)}>; rel="successor-version"`];
    },
    withdrawn(operation: PlannedOperation): Answer | undefined {
      if (!operation.deprecated) return undefined;
      const lives = live()?.includes(operation.operationId) ?? true;
      if (withdrawDeprecated === false) return lives ? undefined : withdrawn(operation, 410);
      return withdrawn(operation, withdrawDeprecated === true ? 410 : withdrawDeprecated);
    },
  };
}
