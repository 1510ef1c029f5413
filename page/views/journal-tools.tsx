import { type Signal, signal } from '@preact/signals';
import type { JSX } from 'preact';
import { addressOf, change, readText } from '../control.ts';
import { exchanges } from '../exchanges.ts';
import { Action, save } from '../parts/controls.tsx';
import { Choice, SearchField } from '../parts/inputs.tsx';
import { counted } from '../parts/words.ts';
import { go } from '../route.ts';
import { matching, STATUSES, status, words } from './filter.ts';

/** Whether the list stays at its end while exchanges arrive. */
export const isFollowing: Signal<boolean> = signal(true);

export function JournalTools(): JSX.Element {
  return (
    <search class="line filters">
      <SearchField words={words} label="Search exchanges" placeholder="Search method, path, operation" />
      <Choice chosen={status} of={STATUSES} label="Status" />
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
