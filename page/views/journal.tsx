import { computed, signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { plain } from '../../src/text/plain.ts';
import { count } from '../../src/text/words.ts';
import { addressOf, change, readText } from '../control.ts';
import { exchange, exchanges, revision, type ShownExchange } from '../exchanges.ts';
import { health } from '../live.ts';
import { Action, StatusCode, save } from '../parts/controls.tsx';
import { Choice, SearchField } from '../parts/inputs.tsx';
import { beside, useWalk } from '../parts/keys.ts';
import { Empty, Split } from '../parts/layout.tsx';
import { go, linkTo, route } from '../route.ts';
import { ExchangeDetail } from './exchange.tsx';
import { headerOf, Marks, millisecondsOf } from './message.tsx';

/** Rows in the document. */
const MOST = 100;

/** A status passes that begins with the value. */
const STATUSES = [
  ['', 'any status'],
  ['2', '2xx'],
  ['3', '3xx'],
  ['4', '4xx'],
  ['401', '401'],
  ['5', '5xx'],
  ['0', 'no answer'],
] as const;

const words = signal('');
const status = signal('');

/** The newest first. */
const matching = computed(() => {
  revision.value;
  const needles = words.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = exchanges().filter(({ entry, haystack }) => {
    const code = String(entry.response?.status ?? 0);
    return code.startsWith(status.value) && needles.every((needle) => haystack.includes(needle));
  });
  return found.reverse();
});

export function JournalView(): JSX.Element {
  const [view, given] = route.value;
  const open = view === 'exchange' ? Number(given) : null;
  const shown = matching.value;
  const chosen = open === null ? undefined : exchange(open);
  useWalk({
    step(by) {
      const next = beside(shown, chosen, by);
      if (next) go(['exchange', next.entry.seq], { replace: open !== null });
    },
    close: open === null ? undefined : () => go(['journal']),
    list: '.rows',
  });
  return (
    <Split
      title="Journal"
      list={
        <>
          <Tools />
          <List chosen={chosen} />
        </>
      }
      detail={
        open === null
          ? undefined
          : { label: `Exchange ${open}`, back: linkTo('journal'), children: <Detail open={open} /> }
      }
    />
  );
}

function Tools(): JSX.Element {
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
  const shown = matching.value.length;
  const all = exchanges().length;
  const isFiltered = [words, status].some(({ value }) => value !== '');
  return (
    <output class="soft" aria-live={isFiltered ? 'polite' : 'off'}>
      {shown !== all && `${shown} of `}
      {count(all, 'exchange')}
    </output>
  );
}

function List({ chosen }: { readonly chosen: ShownExchange | undefined }): JSX.Element {
  const shown = matching.value;
  const at = chosen === undefined ? -1 : shown.indexOf(chosen);
  const first = Math.max(0, at - MOST + 1);
  if (exchanges().length === 0)
    return (
      <Empty title="Nothing was asked yet">
        <p>
          Send your application's requests to <code>{health.value?.url ?? 'the mock'}</code>; each stands here as soon
          as it has ended.
        </p>
        <p>
          Or try one in the <a href={linkTo('reference')}>reference</a>.
        </p>
      </Empty>
    );
  if (shown.length === 0)
    return (
      <Empty title="No exchange is like that">
        <p>Change the filters above.</p>
      </Empty>
    );
  return (
    <>
      <div
        class="rows"
        role="listbox"
        aria-label="Exchanges, the newest first"
        tabIndex={0}
        aria-activedescendant={at < 0 ? undefined : `row-${chosen?.entry.seq}`}
      >
        {shown.slice(first, first + MOST).map(({ entry }) => (
          <Row key={entry.seq} entry={entry} isSelected={entry === chosen?.entry} />
        ))}
      </div>
      {shown.length > MOST && <p class="soft pad">The newest {MOST} are shown. A search finds the others.</p>}
    </>
  );
}

function Detail({ open }: { readonly open: number }): JSX.Element {
  revision.value;
  const entry = exchange(open)?.entry;
  if (entry) return <ExchangeDetail key={open} entry={entry} />;
  return (
    <Empty title={`Exchange ${open} is not here`}>
      <p>The journal holds the newest exchanges only, and none of an earlier start.</p>
      <p>
        <a href={linkTo('journal')}>To the journal</a>
      </p>
    </Empty>
  );
}

interface RowProps extends Pick<ShownExchange, 'entry'> {
  readonly isSelected: boolean;
}

function Row({ entry, isSelected }: RowProps): JSX.Element {
  const { seq, method, path, operationId, response, startedAt } = entry;
  const rests = headerOf(response?.headers ?? [], 'x-mock-provenance') ?? '';
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isSelected) line.current?.scrollIntoView({ block: 'nearest' });
  }, [isSelected]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys
    <div
      ref={line}
      id={`row-${seq}`}
      class={`row marked ${rests}`}
      title={`${path}, ${rests}`}
      role="option"
      tabIndex={-1}
      aria-selected={isSelected}
      onClick={() => go(['exchange', seq], { replace: route.value[0] === 'exchange' })}
    >
      <StatusCode status={response?.status} />
      <b class="method">{method}</b>
      <code class="path">{plain(path)}</code>
      <Marks entry={entry} />
      <span class="operation soft">{operationId}</span>
      <span class="when soft">
        #{seq} · {millisecondsOf(entry)} ms · {startedAt.slice(11, 19)}
      </span>
    </div>
  );
}
