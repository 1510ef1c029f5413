import { reasonText } from '../model/reason.ts';
import { createAnnouncer } from './announce.ts';
import { discover } from './discovery/discover.ts';
import type { VerifyOptions } from './options.ts';
import { openSession } from './session.ts';
import { mayBeSkipped } from './skips.ts';
import { openTarget } from './target.ts';

export type Survey = Awaited<ReturnType<typeof survey>>;

/**
 * Finds the reads that a run with these options can call. Sends the token request, and the reads that show ids.
 *
 * @param sends false to send nothing; then each list that should show an id counts as one that shows it
 * @throws ToolError as `verify` does
 */
export async function survey(options: VerifyOptions, sends = true) {
  await using target = await openTarget({ ...options, addBasePath: true });
  await using opened = await openSession(sends ? target : { ...target, credentials: null }, options);
  const begun = sends ? opened : { ...opened, target, nothing: null };
  const session = await discover(begun, { sends });
  const announce = createAnnouncer(session, {});
  const reads = session.target.contract.operations
    .filter(({ path, effect, auth }) => path !== null && effect === 'read' && auth !== 'issues')
    .map((operation) => {
      const { operationId } = operation;
      return { operation, operationId, skip: announce({ id: '', operationId }).skip };
    });
  return {
    /** Why nothing can be called; null if calls are possible. */
    trouble: begun.nothing === null ? session.breaker.open : reasonText(begun.nothing),
    /** Located reads that can be called, each with where its found parameters come from. */
    readable: reads
      .filter(({ skip }) => skip === null)
      .map(({ operationId }) => ({ operationId, origins: session.inputs.originsOf(operationId) })),
    /** Located reads without a value that no answer shows. */
    lacking: reads.flatMap(({ operationId, skip }) =>
      skip?.kind === 'lacks-input' ? [{ operationId, names: skip.names }] : [],
    ),
    /** Located reads of which a list shows no record. */
    empty: reads.flatMap(({ operationId, skip }) =>
      skip?.kind === 'empty-list' ? [{ operationId, reason: reasonText(skip) }] : [],
    ),
    /** Operations that `skip` accepts. */
    skippable: reads.flatMap(({ operation, operationId }) => (mayBeSkipped(operation, session) ? [operationId] : [])),
  };
}
