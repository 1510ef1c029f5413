import { type Signal, signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { tenant } from '../bar.tsx';
import { addressOf, change, readText } from '../control.ts';
import { calledOperations, exchange, exchanges, forget, health, revision, type Shown } from '../live.ts';
import { Action, Empty, StatusCode, save, say } from '../parts/controls.tsx';
import { Rows } from '../parts/rows.tsx';
import { go, linkTo, route } from '../route.ts';
import { tenantOf } from '../served.ts';
import { ExchangeDetail } from './exchange.tsx';

const query = signal('');
const status = signal('');
const operation = signal('');
const isFollowing = signal(true);
/** The number after which nothing is shown while the list is paused; null while it is not. */
const pausedAt: Signal<number | null> = signal(null);

/** Pixels. */
const ROW = 34;

const STATUSES = [
  ['', 'every status'],
  ['2xx', '2xx'],
  ['3xx', '3xx'],
  ['4xx', '4xx'],
  ['401', '401'],
  ['5xx', '5xx'],
  ['cut', 'no answer'],
] as const;

function hasStatus({ entry: { response } }: Shown, wanted: string): boolean {
  if (wanted === 'cut') return response === null;
  if (response === null) return false;
  return wanted.endsWith('xx') ? String(response.status)[0] === wanted[0] : String(response.status) === wanted;
}

/** Live journal: every exchange as it ends, with its detail beside it. */
export function JournalView(): JSX.Element {
  const [view, given] = route.value;
  const open = view === 'exchange' ? Number(given) : null;
  const shown = useShown();
  const at = open === null ? -1 : shown.findIndex(({ entry }) => entry.seq === open);

  useEffect(() => {
    const step = (by: number): void => {
      const next = shown[at < 0 ? (by > 0 ? 0 : shown.length - 1) : at + by];
      if (next) go(['exchange', next.entry.seq], { replace: open !== null });
    };
    const onKey = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement;
      if (/^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
      const inRows = target.getAttribute('role') === 'listbox';
      if (event.key === 'j' || (inRows && event.key === 'ArrowDown')) step(1);
      else if (event.key === 'k' || (inRows && event.key === 'ArrowUp')) step(-1);
      else if (event.key === 'Escape' && open !== null) go(['journal']);
      else if (event.key === 'p') pause();
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });

  const entry = open === null ? undefined : exchange(open);
  return (
    <div class={open === null ? 'master' : 'master is-open'}>
      <section class="list" aria-label="Exchanges">
        {open === null && <h1 class="off-screen">Journal</h1>}
        <Tools shown={shown.length} />
        {exchanges().length === 0 ? (
          <Empty title="Nothing was asked yet">
            <p>
              Send your application's requests to <code>{health.value?.url ?? 'the mock'}</code>; each stands here as
              soon as it has ended.
            </p>
            <p>
              Or try one in the <a href={linkTo('reference')}>reference</a>.
            </p>
          </Empty>
        ) : shown.length === 0 ? (
          <Empty title="No exchange is like that">
            <p>Change the filters above.</p>
          </Empty>
        ) : (
          <Rows
            count={shown.length}
            height={ROW}
            label="Exchanges, the newest last"
            selected={at}
            follow={isFollowing.value && open === null && pausedAt.value === null}
            onFollow={(follow) => (isFollowing.value = follow)}
            row={(index) => (
              <Row
                key={shown[index]?.entry.seq}
                shown={shown[index] as Shown}
                index={index}
                isSelected={index === at}
              />
            )}
          />
        )}
      </section>
      {open !== null && (
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
      )}
    </div>
  );
}

function useShown(): readonly Shown[] {
  const [now, words, wanted, whose, only, last] = [
    revision.value,
    query.value,
    status.value,
    tenant.value,
    operation.value,
    pausedAt.value,
  ];
  return useMemo(() => {
    const needles = words.toLowerCase().split(/\s+/).filter(Boolean);
    const all = exchanges();
    if (needles.length === 0 && !wanted && !whose && !only && last === null) return [...all];
    return all.filter(
      (one) =>
        (last === null || one.entry.seq <= last) &&
        (wanted === '' || hasStatus(one, wanted)) &&
        (only === '' || one.entry.operationId === only) &&
        needles.every((needle) => one.haystack.includes(needle)) &&
        (whose === '' || tenantOf(one.entry.operationId, one.entry.path) === whose),
    );
  }, [now, words, wanted, whose, only, last]);
}

function pause(): void {
  pausedAt.value = pausedAt.value === null ? (exchanges().at(-1)?.entry.seq ?? 0) : null;
  if (pausedAt.value === null) isFollowing.value = true;
  say(pausedAt.value === null ? 'The journal follows again' : 'The journal is paused; nothing is lost');
}

function Tools({ shown }: { readonly shown: number }): JSX.Element {
  revision.value;
  const all = exchanges();
  const waiting = pausedAt.value === null ? 0 : all.filter(({ entry }) => entry.seq > (pausedAt.value ?? 0)).length;
  return (
    <search class="tools">
      <input
        type="search"
        placeholder="Search method, path, operation"
        aria-label="Search exchanges"
        value={query.value}
        onInput={({ currentTarget }) => (query.value = currentTarget.value)}
      />
      <select
        aria-label="Status"
        value={status.value}
        onChange={({ currentTarget }) => (status.value = currentTarget.value)}
      >
        {STATUSES.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
      <select
        aria-label="Operation"
        value={operation.value}
        onChange={({ currentTarget }) => (operation.value = currentTarget.value)}
      >
        <option value="">every operation</option>
        {calledOperations().map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <button type="button" aria-pressed={pausedAt.value !== null} onClick={pause}>
        {pausedAt.value === null ? 'Pause' : waiting > 0 ? `Go on (${waiting} new)` : 'Go on'}
      </button>
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
      <output class="soft">
        {shown === all.length ? `${all.length}` : `${shown} of ${all.length}`}{' '}
        {all.length === 1 ? 'exchange' : 'exchanges'}
      </output>
    </search>
  );
}

interface RowProps {
  readonly shown: Shown;
  readonly index: number;
  readonly isSelected: boolean;
}

function Row({ shown: { entry }, index, isSelected }: RowProps): JSX.Element {
  const { seq, method, path, operationId, response, startedAt, endedAt } = entry;
  const rests = response?.headers.find(([name]) => name.toLowerCase() === 'x-mock-provenance')?.[1];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys
    <div
      id={`row-${index}`}
      class="row"
      role="option"
      tabIndex={-1}
      aria-selected={isSelected}
      onClick={() => go(['exchange', seq], { replace: route.value[0] === 'exchange' })}
    >
      <span class={`rests-bar ${rests ?? ''}`} title={rests} />
      <StatusCode status={response?.status} />
      <b class="method">{method}</b>
      <span class="path" title={path}>
        {path}
      </span>
      <span class="operation">{operationId}</span>
      <span class="took">{Math.max(0, Date.parse(endedAt) - Date.parse(startedAt))} ms</span>
      <time class="when">{startedAt.slice(11, 19)}</time>
    </div>
  );
}
