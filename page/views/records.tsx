import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { RecordKind } from '../../generated/mock/control.ts';
import { isObject } from '../../src/schema/json.ts';
import { count } from '../../src/text/words.ts';
import { change } from '../control.ts';
import { Action, say } from '../parts/controls.tsx';
import { Field, SearchField } from '../parts/inputs.tsx';
import { Empty, Table } from '../parts/layout.tsx';
import { linkTo } from '../route.ts';
import { useControl } from './load.ts';
import { Editor } from './record.tsx';

type Value = Readonly<Record<string, unknown>>;
type Cells = ReadonlyMap<string, string>;

const MOST = 100;

interface RecordsProps {
  readonly kind: RecordKind;
  /** Names of the ids of all kinds. */
  readonly references: readonly string[];
  readonly query: string;
  /** Id of the record in the editor; undefined if the editor is closed, empty for a new record. */
  readonly open: string | undefined;
}

export function Records({ kind, references, query, open }: RecordsProps): JSX.Element {
  const path = `/state/${encodeURIComponent(kind.plural)}`;
  const loaded = useControl<{ records: readonly Value[] }>(path + query);
  const words = useSignal('');
  const number = useSignal('');
  const most = useSignal(MOST);
  const records = loaded?.records ?? [];
  const found =
    words.value === ''
      ? records
      : records.filter((record) => JSON.stringify(record).toLowerCase().includes(words.value.toLowerCase()));
  const rows = found.slice(0, most.value).map(cellsOf);
  const columns = columnsOf(kind, references, rows);
  return (
    <>
      <div class="line">
        <SearchField words={words} label={`Search ${kind.plural}`} />
        <a class="button" href={linkTo('state', kind.plural, '')}>
          Add
        </a>
        <Field text={number} label="add" type="number" min="1" placeholder="1000">
          {kind.plural}
        </Field>
        <Action
          act={async () => {
            const address = `${path}${query}${query ? '&' : '?'}count=${Number(number.value)}`;
            const { created, stopped } = await change<{ created: number; stopped?: string }>('POST', address, {});
            say(`Added ${created} ${kind.plural}${stopped ? `: ${stopped}` : ''}`);
          }}
          disabled={Number(number.value) < 1}
        >
          Add many
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
            {rows.map((cells) => {
              const id = cells.get(kind.id) ?? '';
              return (
                <tr key={id} aria-current={id === open ? 'true' : undefined}>
                  {columns.map((name) => (
                    <td key={name}>
                      {name === kind.id ? (
                        <a href={linkTo('state', kind.plural, id)}>{id}</a>
                      ) : (
                        shortOf(cells.get(name))
                      )}
                    </td>
                  ))}
                </tr>
              );
            })}
          </Table>
        </section>
      )}
      {found.length > most.value && (
        <button type="button" onClick={() => (most.value += MOST)}>
          {found.length - most.value} more
        </button>
      )}
    </>
  );
}

/** The members of a record as texts, those of an object by their path (`address.city`). */
function cellsOf(record: Value): Cells {
  return new Map(
    Object.entries(record).flatMap(([name, value]): [string, string][] => {
      if (Array.isArray(value)) return [[name, value.some(isObject) ? count(value.length, 'item') : value.join(', ')]];
      return isObject(value)
        ? [...cellsOf(value as Value)].map(([inner, text]) => [`${name}.${inner}`, text])
        : [[name, String(value)]];
    }),
  );
}

/**
 * The id, then what differs between the records, what all share, other ids, and members of objects. Each in the order
 * of the contract.
 */
function columnsOf(
  { id, fields }: RecordKind,
  references: readonly string[],
  rows: readonly Cells[],
): readonly string[] {
  const seen = new Set(rows.flatMap((cells) => [...cells.keys()]));
  const names = [...new Set([...fields.filter((name) => rows.length === 0 || seen.has(name)), ...seen])];
  const rank = (name: string): number => {
    if (name === id) return 0;
    if (name.includes('.')) return 4;
    if (references.includes(name)) return 3;
    return rows.length > 1 && new Set(rows.map((cells) => cells.get(name))).size === 1 ? 2 : 1;
  };
  return [id, ...names.filter((name) => name !== id)].sort((one, other) => rank(one) - rank(other));
}

function shortOf(text = ''): JSX.Element | string {
  return text.length > 40 ? <span title={text}>{`${text.slice(0, 38)}…`}</span> : text;
}
