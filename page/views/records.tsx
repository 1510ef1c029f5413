import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { ShownKind } from '../../src/mock/control/state-view.ts';
import { change } from '../control.ts';
import { Action, Empty } from '../parts/controls.tsx';
import { SearchField } from '../parts/inputs.tsx';
import { Table } from '../parts/table.tsx';
import { linkTo } from '../route.ts';
import { useControl } from './load.ts';
import { Editor } from './record.tsx';

type Value = Readonly<Record<string, unknown>>;

/** Records of one table that are shown at once. */
const PAGE = 100;
const MANY = 1_000;

interface RecordsProps {
  readonly kind: ShownKind;
  readonly query: string;
  /** Id of the record that is edited; undefined where none is, empty for a new one. */
  readonly open: string | undefined;
}

/** One kind of records as a table: search, add, open one. */
export function Records({ kind, query, open }: RecordsProps): JSX.Element {
  const path = `/state/${encodeURIComponent(kind.plural)}`;
  const { value, again } = useControl<{ records: readonly Value[] }>(path + query);
  const words = useSignal('');
  const from = useSignal(0);
  const records = value.value?.records ?? [];
  const found =
    words.value === ''
      ? records
      : records.filter((record) => JSON.stringify(record).toLowerCase().includes(words.value.toLowerCase()));
  const first = Math.min(from.value, Math.max(0, Math.floor((found.length - 1) / PAGE) * PAGE));
  const columns = columnsOf(kind, records);
  return (
    <>
      <div class="tools">
        <SearchField words={words} label={`Search ${kind.plural}`} />
        <a class="button" href={linkTo('state', kind.plural, '')}>
          Add
        </a>
        <Action
          act={async () => {
            await change('POST', `${path}${query}${query ? '&' : '?'}count=${MANY}`, {});
            await again();
          }}
          done={`${MANY} ${kind.plural} were added`}
        >
          Add a thousand
        </Action>
        <output class="soft">
          {found.length === records.length ? records.length : `${found.length} of ${records.length}`}{' '}
          {records.length === 1 ? kind.name : kind.plural}
        </output>
      </div>
      {open !== undefined && (
        <Editor key={open} kind={kind} path={path} query={query} id={open} records={records} again={again} />
      )}
      {records.length === 0 && value.value !== null ? (
        <Empty title={`No ${kind.plural}`} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
        <section class="scroll card" tabIndex={0} aria-label={kind.plural}>
          <Table class="records" heads={columns}>
            {found.slice(first, first + PAGE).map((record) => {
              const id = String(record[kind.id]);
              return (
                <tr key={id} class={id === open ? 'is-open' : undefined}>
                  {columns.map((name) => (
                    <td key={name}>
                      {name === kind.id ? <a href={linkTo('state', kind.plural, id)}>{id}</a> : shortOf(record[name])}
                    </td>
                  ))}
                </tr>
              );
            })}
          </Table>
        </section>
      )}
      {found.length > PAGE && (
        <p class="actions pager">
          <button
            type="button"
            disabled={first === 0}
            onClick={() => {
              from.value = first - PAGE;
            }}
          >
            Earlier
          </button>
          <span>
            {first + 1} to {Math.min(first + PAGE, found.length)} of {found.length}
          </span>
          <button
            type="button"
            disabled={first + PAGE >= found.length}
            onClick={() => {
              from.value = first + PAGE;
            }}
          >
            Later
          </button>
        </p>
      )}
    </>
  );
}

/** The id first, then what the contract makes, then whatever else a record has. */
function columnsOf({ id, fields }: ShownKind, records: readonly Value[]): readonly string[] {
  const seen = new Set(records.slice(0, PAGE).flatMap((record) => Object.keys(record)));
  return [...new Set([id, ...fields.filter((name) => records.length === 0 || seen.has(name)), ...seen])];
}

function shortOf(value: unknown): JSX.Element | string {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 40 ? <span title={text}>{`${text.slice(0, 38)}…`}</span> : text;
}
