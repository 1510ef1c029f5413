import { type Signal, signal } from '@preact/signals';
import type { JSX } from 'preact';
import { addressOf, change, readText } from '../control.ts';
import { exchanges, newest, revision } from '../exchanges.ts';
import { Action, save, say } from '../parts/controls.tsx';
import { Choice, SearchField } from '../parts/inputs.tsx';
import { counted } from '../parts/words.ts';
import { go } from '../route.ts';
import { matching, pausedAt, STATUSES, status, waiting, words } from './filter.ts';

/** Whether the list stays at its end while exchanges arrive. */
export const isFollowing: Signal<boolean> = signal(true);

export function pause(): void {
  pausedAt.value = pausedAt.value === null ? newest() : null;
  if (pausedAt.value === null) isFollowing.value = true;
  say(pausedAt.value === null ? 'The journal follows again' : 'The journal is paused; nothing is lost');
}

export function JournalTools(): JSX.Element {
  return (
    <search class="line filters">
      <SearchField words={words} label="Search exchanges" placeholder="Search method, path, operation" />
      <Choice chosen={status} of={STATUSES} label="Status" />
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
          go(['journal']);
        }}
        confirm="Forget all exchanges?"
        done="The journal is empty"
      >
        Clear
      </Action>
      <Count />
    </search>
  );
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

/** Read out by screen readers while a filter is set, so that not every exchange is announced. */
function Count(): JSX.Element {
  const { shown } = matching.value;
  const all = exchanges().length;
  const isFiltered = [words, status].some(({ value }) => value !== '');
  return (
    <output class="soft" aria-live={isFiltered ? 'polite' : 'off'}>
      {shown.length !== all && `${shown.length} of `}
      {counted(all, 'exchange')}
    </output>
  );
}
