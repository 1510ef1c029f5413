import type { JSX } from 'preact';
import { plain } from '../../src/text/plain.ts';
import { exchange, exchanges, revision, type ShownExchange } from '../exchanges.ts';
import { health } from '../live.ts';
import { StatusCode } from '../parts/controls.tsx';
import { beside, useWalk } from '../parts/keys.ts';
import { Empty, Split } from '../parts/layout.tsx';
import { Rows } from '../parts/rows.tsx';
import { go, linkTo, route } from '../route.ts';
import { ExchangeDetail } from './exchange.tsx';
import { matching } from './filter.ts';
import { isFollowing, JournalTools } from './journal-tools.tsx';
import { Marks, millisecondsOf } from './marks.tsx';
import { headerOf } from './message.tsx';

/** Pixels. */
const ROW = 34;

export function JournalView(): JSX.Element {
  const [view, given] = route.value;
  const open = view === 'exchange' ? Number(given) : null;
  useWalk({
    step(by) {
      const { shown } = matching.value;
      const next = open === null ? shown.at(-1) : beside(shown, shown[placeOf(open)], by);
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
          <JournalTools />
          <List open={open} />
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

function placeOf(open: number | null): number {
  const shown = open === null ? undefined : exchange(open);
  return shown ? matching.value.shown.indexOf(shown) : -1;
}

function List({ open }: { readonly open: number | null }): JSX.Element {
  const { shown } = matching.value;
  const at = placeOf(open);
  return (
    <>
      {exchanges().length === 0 && (
        <Empty title="Nothing was asked yet">
          <p>
            Send your application's requests to <code>{health.value?.url ?? 'the mock'}</code>; each stands here as soon
            as it has ended.
          </p>
          <p>
            Or try one in the <a href={linkTo('reference')}>reference</a>.
          </p>
        </Empty>
      )}
      {exchanges().length > 0 && shown.length === 0 && (
        <Empty title="No exchange is like that">
          <p>Change the filters above.</p>
        </Empty>
      )}
      <Rows
        count={shown.length}
        height={ROW}
        label="Exchanges, the newest last"
        selected={at}
        follow={isFollowing.value && open === null}
        onFollow={(follow) => {
          isFollowing.value = follow;
        }}
        row={(index, slot) => (
          <Row
            key={slot}
            slot={slot}
            shown={shown[index] as ShownExchange}
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

interface RowProps {
  readonly slot: number;
  readonly shown: ShownExchange;
  readonly index: number;
  readonly of: number;
  readonly isSelected: boolean;
}

function Row({ shown: { entry }, slot, index, of, isSelected }: RowProps): JSX.Element {
  const { seq, method, path, operationId, response, startedAt } = entry;
  const rests = headerOf(response?.headers ?? [], 'x-mock-provenance') ?? '';
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys
    <div
      id={`row-${slot}`}
      class={`row marked ${rests}`}
      title={`${path}, ${rests}`}
      role="option"
      tabIndex={-1}
      aria-selected={isSelected}
      aria-posinset={index + 1}
      aria-setsize={of}
      onClick={() => go(['exchange', seq], { replace: route.value[0] === 'exchange' })}
    >
      <StatusCode status={response?.status} />
      <b class="method">{method}</b>
      <code class="path">{plain(path)}</code>
      <Marks entry={entry} />
      <span class="operation">{operationId}</span>
      <span class="when">
        #{seq} · {millisecondsOf(entry)} ms · {startedAt.slice(11, 19)}
      </span>
    </div>
  );
}
