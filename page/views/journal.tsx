import { computed, signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { JournalEntry } from '../../src/journal/entry.ts';
import { header } from '../../src/model/exchange.ts';
import { quoted } from '../../src/report/shell.ts';
import { plain } from '../../src/text/plain.ts';
import { count } from '../../src/text/words.ts';
import { change, fetchText } from '../control.ts';
import { exchange, exchanges, missing, revision, type ShownExchange, total } from '../exchanges.ts';
import { bearerToken, health } from '../live.ts';
import { Action, Copy, StatusCode, save } from '../parts/controls.tsx';
import { Choice, SearchField } from '../parts/inputs.tsx';
import { beside, useWalk } from '../parts/keys.ts';
import { Empty, Split } from '../parts/layout.tsx';
import { go, linkTo, route } from '../route.ts';
import { operations, refreshServed, type ServedOperation } from '../served.ts';
import { ExchangeDetail } from './exchange.tsx';
import { Marks, millisecondsOf } from './message.tsx';
import { examplesOf, requestOf } from './try-it.tsx';

/** Rows in the document; the rest of the list is empty space. */
const MOST = 100;
/** Rows above the visible ones. */
const ABOVE = 20;

const isOf = (hundred: number) => (status: number) => Math.floor(status / 100) === hundred;

const FILTERS: Readonly<Record<string, (status: number, entry: JournalEntry) => boolean>> = {
  'any status': () => true,
  '2xx': isOf(2),
  '3xx': isOf(3),
  '4xx': isOf(4),
  '401 only': (status) => status === 401,
  '5xx': isOf(5),
  'no answer': (status) => status === 0,
  refused: (status) => status >= 400,
  'with warning': (_, { response }) => header(response?.headers ?? [], 'x-mock-warning') !== undefined,
};

const words = signal('');
const chosenFilter = signal('any status');
const hidesPreflights = signal(false);

const matching = computed(() => {
  revision.value;
  const needles = words.value.toLowerCase().split(/\s+/).filter(Boolean);
  const passes = FILTERS[chosenFilter.value];
  const found = exchanges().filter(
    ({ entry, haystack }) =>
      passes?.(entry.response?.status ?? 0, entry) &&
      !(hidesPreflights.value && entry.method === 'OPTIONS') &&
      needles.every((needle) => haystack.includes(needle)),
  );
  return found.reverse();
});

interface Gap {
  readonly gap: number;
  /** Place of the next exchange above. */
  readonly place: number;
}

/** The rows of the list. A gap stands for exchanges that the page does not have, whether they match or not. */
const listed = computed(() => {
  const rows: (ShownExchange | Gap)[] = [];
  const matches = new Set(matching.value);
  let place = total() + 1;
  let gap = 0;
  const close = (): void => {
    if (gap > 0) rows.push({ gap, place });
    gap = 0;
  };
  for (const one of exchanges().toReversed()) {
    gap += place - one.place - 1;
    place = one.place;
    if (!matches.has(one)) continue;
    close();
    rows.push(one);
  }
  gap += place - 1;
  close();
  return rows;
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
      <Choice chosen={chosenFilter} of={Object.keys(FILTERS)} label="Filter" />
      <label>
        <input
          type="checkbox"
          checked={hidesPreflights.value}
          onChange={({ currentTarget }) => {
            hidesPreflights.value = currentTarget.checked;
          }}
        />
        hide preflights
      </label>
      <Action
        act={async () => save('journal.har', 'application/json', await fetchText('/journal?format=har'))}
        title="The whole journal as HTTP archive, also for banking-api audit and record"
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

/** Screen readers announce the count while a filter is set, instead of each exchange. */
function Count(): JSX.Element {
  const shown = matching.value.length;
  const all = exchanges().length;
  const isFiltered = shown !== all;
  return (
    <output class="soft" aria-live={isFiltered ? 'polite' : 'off'}>
      {isFiltered ? `${shown} of ${count(all, 'exchange')}` : count(total(), 'exchange')}
      {missing()}
    </output>
  );
}

function List({ chosen }: { readonly chosen: ShownExchange | undefined }): JSX.Element {
  const shown = listed.value;
  const box = useRef<HTMLDivElement>(null);
  /** The topmost visible row; undefined at the top, where the newest ones appear. */
  const anchor = useRef<ShownExchange | Gap | undefined>(undefined);
  /** Its number when the list was last scrolled. */
  const [scrolled, setScrolled] = useState(0);
  const moved = anchor.current === undefined ? -1 : shown.indexOf(anchor.current);
  const top = moved < 0 ? scrolled : moved;
  const first = Math.max(0, Math.min(top - ABOVE, shown.length - MOST));
  const rows = shown.slice(first, first + MOST);
  const at = chosen === undefined ? -1 : shown.indexOf(chosen);
  const height = box.current?.querySelector<HTMLElement>('.row')?.offsetHeight || 34;
  useLayoutEffect(() => {
    // the visible rows stay in place while newer ones arrive above them
    if (box.current) box.current.scrollTop += (top - scrolled) * height;
    setScrolled(top);
  }, [top]);
  useEffect(() => {
    const frame = box.current;
    if (!frame || at < 0) return;
    const above = at * height - frame.scrollTop;
    frame.scrollTop += Math.min(0, above) + Math.max(0, above + height - frame.clientHeight);
  }, [chosen]);
  if (exchanges().length === 0) return <FirstRun />;
  if (matching.value.length === 0)
    return (
      <Empty title="No exchange is like that">
        <p>Change the filters above.</p>
      </Empty>
    );
  return (
    <div
      ref={box}
      class="rows scroll"
      role="listbox"
      aria-label="Exchanges, the newest first"
      tabIndex={0}
      aria-activedescendant={chosen && rows.includes(chosen) ? `row-${chosen.entry.seq}` : undefined}
      style={{ '--above': `${first * height}px`, '--below': `${(shown.length - first - rows.length) * height}px` }}
      onScroll={({ currentTarget }) => {
        const now = Math.floor(currentTarget.scrollTop / height);
        anchor.current = now === 0 ? undefined : shown[now];
        setScrolled(now);
      }}
    >
      {rows.map((row, index) =>
        'gap' in row ? (
          <div
            key={`gap ${row.place}`}
            class="row gap soft"
            role="option"
            tabIndex={-1}
            aria-disabled="true"
            aria-selected="false"
          >
            {count(row.gap, 'exchange')} not shown
          </div>
        ) : (
          <Row
            key={row.entry.seq}
            entry={row.entry}
            isSelected={row === chosen}
            position={first + index + 1}
            of={shown.length}
          />
        ),
      )}
    </div>
  );
}

function FirstRun(): JSX.Element {
  const url = health.value?.url ?? '';
  const first = operations.value.find(
    ({ method, deprecated, provenance }) => method === 'GET' && !deprecated && provenance !== 'assumed',
  );
  const curl = async (operation: ServedOperation): Promise<string> => {
    await refreshServed();
    const { target, headers } = await requestOf(operation, examplesOf(operation));
    const fields = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
    return ['curl', ...fields, quoted(url + target)].join(' ');
  };
  return (
    <Empty title="No requests yet">
      <p>
        Send the requests of your application to <code>{url}</code>. Each appears here as soon as it has ended.
      </p>
      <p class="line">
        <Copy text={() => url} what="the base URL">
          Copy the base URL
        </Copy>
        <Copy text={bearerToken} what="a token">
          Copy a token
        </Copy>
        {first && (
          <Copy text={() => curl(first)} what={`${first.operationId} as curl`}>
            Copy a request as curl
          </Copy>
        )}
        <a class="button" href={linkTo('reference')}>
          Try one here
        </a>
      </p>
      <p>
        Each answer says in x-mock-provenance whether the reference documents it, a recording observed it, or the mock
        assumes it.
      </p>
    </Empty>
  );
}

function Detail({ open }: { readonly open: number }): JSX.Element {
  revision.value;
  const entry = exchange(open)?.entry;
  if (entry) return <ExchangeDetail key={open} entry={entry} />;
  if (exchanges().length < (health.value?.exchanges ?? 1)) return <Empty title="Reading the journal" />;
  return (
    <Empty title={`Exchange ${open} is not here`}>
      <p>The journal keeps only the newest exchanges since the start of the mock.</p>
      <p>
        <a href={linkTo('journal')}>To the journal</a>
      </p>
    </Empty>
  );
}

interface RowProps extends Pick<ShownExchange, 'entry'> {
  readonly isSelected: boolean;
  /** From 1. */
  readonly position: number;
  readonly of: number;
}

function Row({ entry, isSelected, position, of }: RowProps): JSX.Element {
  const { seq, method, path, operationId, response, startedAt } = entry;
  const rests = header(response?.headers ?? [], 'x-mock-provenance') ?? '';
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys
    <div
      id={`row-${seq}`}
      class={`row marked ${rests}`}
      title={`${path}, ${rests}`}
      role="option"
      tabIndex={-1}
      aria-selected={isSelected}
      aria-posinset={position}
      aria-setsize={of}
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
