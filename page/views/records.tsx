import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { RecordKind } from '../../generated/mock/control.ts';
import { count } from '../../src/text/words.ts';
import { change } from '../control.ts';
import { Action, say } from '../parts/controls.tsx';
import { SearchField } from '../parts/inputs.tsx';
import { Empty, Table } from '../parts/layout.tsx';
import { linkTo } from '../route.ts';
import { useControl } from './load.ts';
import { Editor } from './record.tsx';

type Value = Readonly<Record<string, unknown>>;

const MOST = 100;
const MANY = 1_000;

interface RecordsProps {
  readonly kind: RecordKind;
  readonly query: string;
  /** Id of the record in the editor; undefined if the editor is closed, empty for a new record. */
  readonly open: string | undefined;
}

export function Records({ kind, query, open }: RecordsProps): JSX.Element {
  const path = `/state/${encodeURIComponent(kind.plural)}`;
  const loaded = useControl<{ records: readonly Value[] }>(path + query);
  const words = useSignal('');
  const records = loaded?.records ?? [];
  const found =
    words.value === ''
      ? records
      : records.filter((record) => JSON.stringify(record).toLowerCase().includes(words.value.toLowerCase()));
  const columns = columnsOf(kind, records);
  return (
    <>
      <div class="line">
        <SearchField words={words} label={`Search ${kind.plural}`} />
        <a class="button" href={linkTo('state', kind.plural, '')}>
          Add
        </a>
        <Action
          act={async () => {
            const address = `${path}${query}${query ? '&' : '?'}count=${MANY}`;
            const { created, stopped } = await change<{ created: number; stopped?: string }>('POST', address, {});
            if (stopped) say(`Added ${created}: ${stopped}`);
          }}
          done={`${MANY} ${kind.plural} were added`}
        >
          Add a thousand
        </Action>
        <output class="soft">
          {found.length !== records.length && `${found.length} of `}
          {count(records.length, kind.name, kind.plural)}
        </output>
      </div>
      {open !== undefined && (
        <Editor key={open} kind={kind} path={path} query={query} id={open} isEmpty={records.length === 0} />
      )}
      {records.length === 0 && loaded !== null ? (
        <Empty title={`No ${kind.plural}`} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
        <section class="scroll card" tabIndex={0} aria-label={kind.plural}>
          <Table class="nowrap" heads={columns}>
            {found.slice(0, MOST).map((record) => {
              const id = String(record[kind.id]);
              return (
                <tr key={id} aria-current={id === open ? 'true' : undefined}>
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
      {found.length > MOST && <p class="soft">The first {MOST} are shown. Search to find more.</p>}
    </>
  );
}

function columnsOf({ id, fields }: RecordKind, records: readonly Value[]): readonly string[] {
  const seen = new Set(records.slice(0, MOST).flatMap((record) => Object.keys(record)));
  return [...new Set([id, ...fields.filter((name) => records.length === 0 || seen.has(name)), ...seen])];
}

function shortOf(value: unknown): JSX.Element | string {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 40 ? <span title={text}>{`${text.slice(0, 38)}…`}</span> : text;
}
