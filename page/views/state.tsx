import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { change, Refused, read, readText, type Wrong } from '../control.ts';
import { Action, Empty, save } from '../parts/controls.tsx';
import { go, linkTo, route } from '../route.ts';
import { tenant } from '../tenants.ts';
import { useControl } from './load.ts';

interface Kind {
  readonly name: string;
  readonly plural: string;
  /** Name of the member that identifies a record. */
  readonly id: string;
  readonly belongsTo: string | null;
  readonly fields: readonly string[];
}

interface Tenants {
  /** Name of the path parameter that says whose records they are; null where there is one state for all. */
  readonly parameter: string | null;
  readonly tenants: readonly { readonly id: string; readonly changed: boolean }[];
  readonly kinds: readonly Kind[];
}

type Value = Readonly<Record<string, unknown>>;

/** Records of one table that are shown at once. */
const PAGE = 100;
const MANY = 1_000;

/** What the mock remembers, as tables of the contract's entities: `#/state/cards/card-4001`. */
export function StateView(): JSX.Element {
  const tenants = useControl<Tenants>('/tenants').value.value;
  if (tenants === null) return <div class="page" />;
  const { parameter, kinds } = tenants;
  const whose = tenant.value || (tenants.tenants[0]?.id ?? '');
  const [, wanted = '', id] = route.value;
  const kind = kinds.find(({ plural }) => plural === wanted) ?? kinds[0];
  return (
    <div class="page wide">
      <h1>State</h1>
      <p>
        What the mock remembers, by the entities of the contract. Secrets are masked; a masked value that you send back
        stays what it is.
      </p>
      <div class="tools">
        {parameter && <Whose tenants={tenants} whose={whose} />}
        <Action
          act={async () => save('seed.yaml', 'application/yaml', await readText(`/seed${queryOf(parameter, whose)}`))}
          title="A file for --seed-data: the mock starts with what it remembers now. It holds secrets in clear."
        >
          Save as seed
        </Action>
        <Action
          act={() => change('DELETE', `/state${queryOf(parameter, whose)}`)}
          confirm={`Put the records of ${whose || 'everyone'} back to the seed?`}
          done="The records are as the seed has them"
        >
          Back to the seed
        </Action>
      </div>
      <nav class="tabs" aria-label="Kinds of records">
        {kinds.map(({ plural }) => (
          <a key={plural} href={linkTo('state', plural)} aria-current={plural === kind?.plural ? 'page' : undefined}>
            {plural}
          </a>
        ))}
      </nav>
      {kind === undefined ? (
        <Empty title="The contract has no entities">
          <p>Nothing is remembered: every answer is an example.</p>
        </Empty>
      ) : (
        <Table key={`${whose} ${kind.plural}`} kind={kind} query={queryOf(parameter, whose)} open={id} />
      )}
    </div>
  );
}

function queryOf(parameter: string | null, whose: string): string {
  return parameter === null ? '' : `?${encodeURIComponent(parameter)}=${encodeURIComponent(whose)}`;
}

function Whose({
  tenants: { parameter, tenants },
  whose,
}: {
  readonly tenants: Tenants;
  readonly whose: string;
}): JSX.Element {
  const ids = [...new Set([...tenants.map(({ id }) => id), whose])];
  return (
    <label class="choice">
      {parameter}
      <select
        value={whose}
        onChange={({ currentTarget }) => {
          tenant.value = currentTarget.value;
        }}
      >
        {ids.map((id) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </select>
    </label>
  );
}

interface TableProps {
  readonly kind: Kind;
  readonly query: string;
  /** Id of the record that is edited; undefined where none is, empty for a new one. */
  readonly open: string | undefined;
}

function Table({ kind, query, open }: TableProps): JSX.Element {
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
        <input
          type="search"
          placeholder={`Search ${kind.plural}`}
          aria-label={`Search ${kind.plural}`}
          value={words.value}
          onInput={({ currentTarget }) => {
            words.value = currentTarget.value;
          }}
        />
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
          <table class="grid records">
            <thead>
              <tr>
                {columns.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
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
            </tbody>
          </table>
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
function columnsOf({ id, fields }: Kind, records: readonly Value[]): readonly string[] {
  const seen = new Set(records.slice(0, PAGE).flatMap((record) => Object.keys(record)));
  return [...new Set([id, ...fields.filter((name) => records.length === 0 || seen.has(name)), ...seen])];
}

function shortOf(value: unknown): JSX.Element | string {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 40 ? <span title={text}>{`${text.slice(0, 38)}…`}</span> : text;
}

interface EditorProps extends Omit<TableProps, 'open'> {
  readonly path: string;
  readonly id: string;
  readonly records: readonly Value[];
  readonly again: () => Promise<void>;
}

function Editor({ kind, path, query, id, records, again }: EditorProps): JSX.Element {
  const isNew = id === '';
  const text = useSignal<string | null>(isNew ? '{}' : null);
  const errors = useSignal<readonly Wrong[]>([]);
  const before = useSignal<Value>({});
  const missing = useSignal(false);
  useEffect(() => {
    if (isNew) return;
    read<Value>(`${path}/${encodeURIComponent(id)}${query}`).then(
      (record) => {
        before.value = record;
        text.value = JSON.stringify(record, null, 2);
      },
      () => {
        missing.value = true;
      },
    );
  }, [isNew, path, id, query, before, text, missing]);

  const keep = async (): Promise<void> => {
    errors.value = [];
    try {
      const given = parsed(text.value ?? '');
      if (isNew) {
        const made = await change<Value>('POST', path + query, given);
        go(['state', kind.plural, String(made[kind.id])]);
      } else {
        await change('PATCH', `${path}/${encodeURIComponent(id)}${query}`, changesOf(before.value, given));
      }
    } catch (error) {
      if (error instanceof Refused) errors.value = error.errors;
      throw error;
    }
    await again();
  };

  if (missing.value) {
    return (
      <Empty title={`There is no ${kind.name} ${id}`}>
        <p>{records.length === 0 ? 'Nothing of its kind is there.' : 'It was removed, or belongs to someone else.'}</p>
      </Empty>
    );
  }
  return (
    <section class="card pad editor" aria-label={isNew ? `New ${kind.name}` : `${kind.name} ${id}`}>
      <h2>{isNew ? `New ${kind.name}` : id}</h2>
      {isNew && <p class="soft">What you leave out is made up as for a request; null says that it is not there.</p>}
      <textarea
        rows={Math.min(22, Math.max(5, (text.value ?? '').split('\n').length + 1))}
        spellcheck={false}
        aria-label="The record as JSON"
        value={text.value ?? ''}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
        }}
      />
      {errors.value.map(({ pointer, message }) => (
        <p class="wrong" key={`${pointer} ${message}`}>
          <code>{pointer}</code> {message}
        </p>
      ))}
      <p class="actions">
        <Action
          class="primary"
          act={keep}
          disabled={text.value === null}
          done={isNew ? 'It was added' : 'It was changed'}
        >
          {isNew ? 'Add' : 'Save'}
        </Action>
        {!isNew && (
          <Action
            class="danger"
            act={async () => {
              await change('DELETE', `${path}/${encodeURIComponent(id)}${query}`);
              go(['state', kind.plural]);
              await again();
            }}
            confirm={`Remove ${id}, and all that belongs to it?`}
            done="It was removed"
          >
            Remove
          </Action>
        )}
        <a class="button" href={linkTo('state', kind.plural)}>
          Close
        </a>
      </p>
    </section>
  );
}

function parsed(text: string): Value {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`This is no JSON: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('A record is an object.');
  return value as Value;
}

/** What a PATCH needs: members that differ, and null for those that are gone. */
function changesOf(before: Value, after: Value): Value {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...names].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(changed.map((name) => [name, after[name] ?? null]));
}
