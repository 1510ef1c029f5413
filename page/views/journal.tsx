import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { plain } from '../../src/plain.ts';
import { exchange, exchanges, revision, type Shown } from '../exchanges.ts';
import { health } from '../live.ts';
import { Empty, StatusCode } from '../parts/controls.tsx';
import { beside, isTyped, useWalk } from '../parts/keys.ts';
import { Rows } from '../parts/rows.tsx';
import { go, linkTo, route } from '../route.ts';
import { ExchangeDetail } from './exchange.tsx';
import { indexOf, matching, pausedAt } from './filter.ts';
import { isFollowing, JournalTools, pause } from './journal-tools.tsx';

/** Pixels. */
const ROW = 34;

/** Live journal: every exchange as it ends, with its detail beside it. */
export function JournalView(): JSX.Element {
  const [view, given] = route.value;
  const open = view === 'exchange' ? Number(given) : null;
  useKeys(open);
  return (
    <div class={open === null ? 'master' : 'master is-open'}>
      <section class="list" aria-label="Exchanges">
        {open === null && <h1 class="off-screen">Journal</h1>}
        <JournalTools />
        <List open={open} />
      </section>
      {open !== null && <Detail open={open} />}
    </div>
  );
}

/** Walks through what is shown, which is asked for when a key comes. */
function useKeys(open: number | null): void {
  useWalk({
    step(by) {
      const { shown } = matching.value;
      const next = beside(shown, shown[placeOf(open)], by);
      if (next) go(['exchange', next.entry.seq], { replace: open !== null });
    },
    close: open === null ? undefined : () => go(['journal']),
    list: '.rows',
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'p' && !isTyped(event)) pause();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

/** Index of an exchange in what is shown; -1 where none is open, or it is not shown. */
function placeOf(open: number | null): number {
  const shown = open === null ? undefined : exchange(open);
  return shown ? indexOf(matching.value, shown) : -1;
}

function List({ open }: { readonly open: number | null }): JSX.Element {
  const { shown } = matching.value;
  const at = placeOf(open);
  return (
    <>
      {exchanges().length === 0 ? (
        <Empty title="Nothing was asked yet">
          <p>
            Send your application's requests to <code>{health.value?.url ?? 'the mock'}</code>; each stands here as soon
            as it has ended.
          </p>
          <p>
            Or try one in the <a href={linkTo('reference')}>reference</a>.
          </p>
        </Empty>
      ) : (
        shown.length === 0 && (
          <Empty title="No exchange is like that">
            <p>Change the filters above.</p>
          </Empty>
        )
      )}
      <Rows
        count={shown.length}
        height={ROW}
        label="Exchanges, the newest last"
        selected={at}
        follow={isFollowing.value && open === null && pausedAt.value === null}
        onFollow={(follow) => {
          isFollowing.value = follow;
        }}
        row={(index, slot) => (
          <Row
            key={slot}
            slot={slot}
            shown={shown[index] as Shown}
            index={index}
            of={shown.length}
            isSelected={index === at}
          />
        )}
      />
    </>
  );
}

function Detail({ open }: { readonly open: number }): JSX.Element {
  revision.value;
  const entry = exchange(open)?.entry;
  return (
    <section class="detail" aria-label={`Exchange ${open}`}>
      {entry ? (
        <ExchangeDetail key={open} entry={entry} />
      ) : (
        <Empty title={`Exchange ${open} is not here`}>
          <p>The journal holds the newest exchanges only, and none of an earlier start.</p>
          <p>
            <a href={linkTo('journal')}>To the journal</a>
          </p>
        </Empty>
      )}
    </section>
  );
}

interface RowProps {
  readonly slot: number;
  readonly shown: Shown;
  readonly index: number;
  /** How many there are. */
  readonly of: number;
  readonly isSelected: boolean;
}

function Row({ shown: { entry }, slot, index, of, isSelected }: RowProps): JSX.Element {
  const { seq, method, path, operationId, response, startedAt, endedAt } = entry;
  const rests = response?.headers.find(([name]) => name.toLowerCase() === 'x-mock-provenance')?.[1];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys
    <div
      id={`row-${slot}`}
      class={`row p-${rests}`}
      title={rests}
      role="option"
      tabIndex={-1}
      aria-selected={isSelected}
      aria-posinset={index + 1}
      aria-setsize={of}
      onMouseEnter={nameWhole}
      onClick={() => go(['exchange', seq], { replace: route.value[0] === 'exchange' })}
    >
      <StatusCode status={response?.status} />
      <b class="method">{method}</b>
      <span class="path">{plain(path)}</span>
      <span class="operation">{operationId}</span>
      <span class="when">
        #{seq} · {Math.max(0, Date.parse(endedAt) - Date.parse(startedAt))} ms · {startedAt.slice(11, 19)}
      </span>
    </div>
  );
}

/** A path that is cut off is told whole of the row that is pointed at: on every row that would cost as much as the text itself. */
function nameWhole({ currentTarget }: { readonly currentTarget: HTMLElement }): void {
  const path = currentTarget.querySelector<HTMLElement>('.path');
  if (path) path.title = path.textContent ?? '';
}
