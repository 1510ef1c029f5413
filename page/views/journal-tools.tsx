import { type Signal, signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { addressOf, change, readText } from '../control.ts';
import { calledOperations, exchanges, forget, newest, revision } from '../exchanges.ts';
import { Action, save, say } from '../parts/controls.tsx';
import { Choice, SearchField } from '../parts/inputs.tsx';
import { go } from '../route.ts';
import { tenant } from '../tenants.ts';
import { matching, operation, pausedAt, STATUSES, status, waiting, words } from './filter.ts';

/** Whether the list stays at its end while exchanges arrive. */
export const isFollowing: Signal<boolean> = signal(true);

export function pause(): void {
  pausedAt.value = pausedAt.value === null ? newest() : null;
  if (pausedAt.value === null) isFollowing.value = true;
  say(pausedAt.value === null ? 'The journal follows again' : 'The journal is paused; nothing is lost');
}

/** What narrows the journal, stops it, and takes it along. */
export function JournalTools(): JSX.Element {
  return (
    <search class="tools">
      <SearchField words={words} label="Search exchanges" placeholder="Search method, path, operation" />
      <Choice chosen={status} of={STATUSES} label="Status" />
      <OperationChoice />
      <Pause />
      <Action
        act={async () => save('journal.har', 'application/json', await readText('/journal?format=har'))}
        title={`The whole journal as HTTP archive (${addressOf('/journal?format=har')})`}
      >
        HAR
      </Action>
      <Action
        act={async () => {
          await change('DELETE', '/journal');
          forget();
          go(['journal']);
        }}
        confirm="Forget all exchanges?"
        done="The journal is empty"
      >
        Clear
      </Action>
      <Counted />
    </search>
  );
}

function OperationChoice(): JSX.Element {
  revision.value;
  return <Choice chosen={operation} of={[['', 'any operation'], ...calledOperations()]} label="Operation" />;
}

function Pause(): JSX.Element {
  revision.value;
  const came = waiting();
  return (
    <button type="button" aria-pressed={pausedAt.value !== null} onClick={pause}>
      {pausedAt.value === null ? 'Pause' : came > 0 ? `Go on (${came} new)` : 'Go on'}
    </button>
  );
}

function Counted(): JSX.Element {
  const { shown } = matching.value;
  return (
    <>
      <span class="soft">{countOf(shown.length)}</span>
      <Announced />
    </>
  );
}

/** Read out to who listens when a filter has changed, and not whenever an exchange comes. */
function Announced(): JSX.Element {
  const said = useSignal('');
  const filter = [words.value, status.value, operation.value, tenant.value].join(' ');
  const before = useRef(filter);
  useEffect(() => {
    if (before.current === filter) return;
    before.current = filter;
    const soon = setTimeout(() => {
      said.value = countOf(matching.peek().shown.length);
    }, 600);
    return () => clearTimeout(soon);
  }, [filter, said]);
  return <output class="off-screen">{said}</output>;
}

function countOf(shown: number): string {
  const all = exchanges().length;
  return `${shown === all ? all : `${shown} of ${all}`} ${all === 1 ? 'exchange' : 'exchanges'}`;
}
