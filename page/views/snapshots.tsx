import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { RecordKind, Snapshot, Tenants } from '../../generated/mock/control.ts';
import { isObject } from '../../src/schema/json.ts';
import { plain } from '../../src/text/plain.ts';
import { change, controlUrl, read } from '../control.ts';
import { pack, unpack } from '../link.ts';
import { Action, Copy, say } from '../parts/controls.tsx';
import { Field } from '../parts/inputs.tsx';
import { JsonTree } from '../parts/json.tsx';
import { Page, Pairs, Table } from '../parts/layout.tsx';
import { moment } from '../parts/words.ts';
import { go, linkTo, route } from '../route.ts';
import { useControl } from './load.ts';

const OPENED = 'opened link';
const BEFORE = 'before the link';

export function SnapshotsView(): JSX.Element {
  const { names = [] } = useControl<{ names: readonly string[] }>('/snapshots') ?? {};
  const name = useSignal('');
  const link = useSignal('');
  const [, packed] = route.value;
  return (
    <Page
      title="Snapshots"
      intro="Records, scenarios and clock under a name, until the mock stops. A link holds them without tokens, credentials and secrets."
    >
      {packed && <Preview key={packed} packed={packed} />}
      <section class="card pad line" aria-label="Now">
        <Field text={name} label="name" placeholder="before payday" />
        <Action
          class="primary"
          act={async () => {
            await change('PUT', pathOf(name.value));
            say(`Saved as ${name.value}`);
            name.value = '';
          }}
          disabled={name.value === ''}
        >
          Save the current state
        </Action>
        <CopyLink path="/snapshot">Copy a link to the current state</CopyLink>
      </section>
      {names.length === 0 && <p class="soft">No snapshot is saved.</p>}
      <ul class="stack" aria-label="Saved">
        {names.map((one) => (
          <li key={one} class="card pad line">
            <b>{one}</b>
            <Action
              class="push"
              act={() => change('POST', pathOf(one))}
              confirm={`Return to ${one}? Records, scenarios and clock change.`}
              done={`The mock is at ${one}`}
            >
              Open
            </Action>
            <CopyLink path={pathOf(one)}>Copy a link</CopyLink>
            <Action act={() => change('DELETE', pathOf(one))} done={`${one} is removed`}>
              Remove
            </Action>
          </li>
        ))}
      </ul>
      <p class="line">
        <Field text={link} label="a link from someone else" type="url" placeholder="http://127.0.0.1:4010/__mock/#/…" />
        <Action
          act={() => go(['snapshots', link.value.trim().replace(/^.*#\/snapshots\//, '')])}
          disabled={link.value.trim() === ''}
        >
          Preview
        </Action>
      </p>
    </Page>
  );
}

function pathOf(name: string): string {
  return `/snapshots/${encodeURIComponent(name)}`;
}

function CopyLink({ path, children }: { readonly path: string; readonly children: string }): JSX.Element {
  const text = async (): Promise<string> =>
    new URL(controlUrl('/') + linkTo('snapshots', await pack(await read<Snapshot>(path))), location.href).href;
  return (
    <Copy text={text} what="the link. It opens a preview first">
      {children}
    </Copy>
  );
}

interface Comparison {
  readonly given: Required<Snapshot>;
  readonly now: Required<Snapshot>;
  /** What the records belong to, as in the contract. */
  readonly owner: string;
  readonly rows: readonly Row[];
}

/** What a link would change. Until the reader confirms, the page only reads. */
function Preview({ packed }: { readonly packed: string }): JSX.Element {
  const found = useSignal<Comparison | string>('The link is being read.');
  useEffect(() => {
    compare(packed).then(
      (comparison) => {
        found.value = comparison;
      },
      (error: Error) => {
        found.value = error.message;
      },
    );
  }, [packed, found]);
  const shown = found.value;
  if (typeof shown === 'string')
    return (
      <p class="card pad told warning" role="status">
        {shown}
      </p>
    );
  const { given, now, owner, rows } = shown;
  const open = async (): Promise<void> => {
    await change('PUT', pathOf(OPENED), given);
    await change('PUT', pathOf(BEFORE));
    await change('POST', pathOf(OPENED));
    go(['snapshots']);
  };
  return (
    <section class="card pad stack told warning" aria-label="Preview of the link">
      <h2>This link changes the mock</h2>
      <p>Nothing has changed yet. Open it only if you trust its sender.</p>
      {rows.length === 0 ? (
        <p>The records stay as they are.</p>
      ) : (
        <Table class="stacked" heads={[owner, 'list', 'now', 'then', 'new', 'changed', 'removed']}>
          {rows.slice(0, MOST).map(({ tenant, list, numbers }) => (
            <tr key={`${tenant} ${list}`}>
              <td>{plain(tenant)}</td>
              <td>{list}</td>
              {numbers.map((number, index) => (
                <td key={index}>{number}</td>
              ))}
            </tr>
          ))}
        </Table>
      )}
      {rows.length > MOST && <p>{rows.length - MOST} more lists change.</p>}
      <Pairs
        of={[
          ['scenarios', step(namesOf(now), namesOf(given))],
          ['clock', step(timeOf(now), timeOf(given))],
          [
            'returning to the seed',
            Object.keys(now.state)
              .filter((tenant) => !Object.hasOwn(given.state, tenant))
              .join(', ') || null,
          ],
        ]}
      />
      {given.scenarios.length > 0 && (
        <details>
          <summary>The scenarios in full</summary>
          <JsonTree value={given.scenarios} />
        </details>
      )}
      <p class="line">
        <Action class="primary" act={open} done={`The link is open. The state before is saved as "${BEFORE}".`}>
          Change the mock
        </Action>
        <a class="button" href={linkTo('snapshots')}>
          Do not open
        </a>
      </p>
    </section>
  );
}

function namesOf({ scenarios }: Snapshot): string {
  return plain(scenarios?.map((one) => String(Reflect.get(one, 'name'))).join(', ') || 'none');
}

function timeOf({ clock }: Snapshot): string {
  return clock == null ? "the machine's time" : moment(new Date(clock).toISOString());
}

function step(now: string, then: string): string {
  return now === then ? `${now}, no change` : `${now} → ${then}`;
}

interface Row {
  readonly tenant: string;
  readonly list: string;
  /** Records now and then; new, changed and removed ones. */
  readonly numbers: readonly number[];
}

/** Rows of the table. */
const MOST = 50;

async function compare(packed: string): Promise<Comparison> {
  const given = await unpack(packed);
  const [now, tenants] = await Promise.all([read<Required<Snapshot>>('/snapshot'), read<Tenants>('/tenants')]);
  const { kinds, parameter } = tenants;
  const rows = Object.entries(given.state).flatMap(([tenant, seed]) => {
    const [before, after] = [recordsOf(now.state[tenant], kinds), recordsOf(seed, kinds)];
    return kinds.flatMap(({ plural: list }): Row[] => {
      const [{ byId: old }, { byId: then, made }] = [before.get(list) ?? NONE, after.get(list) ?? NONE];
      const added = made + [...then.keys()].filter((id) => !old.has(id)).length;
      const removed = [...old.keys()].filter((id) => !then.has(id)).length;
      const changed = [...then].filter(([id, text]) => old.has(id) && old.get(id) !== text).length;
      if (added + removed + changed === 0) return [];
      return [{ tenant, list, numbers: [old.size, then.size + made, added, changed, removed] }];
    });
  });
  return { given, now, owner: parameter ?? 'owner', rows };
}

interface Records {
  /** Texts that are equal if the records are. */
  readonly byId: Map<string, string>;
  /** Number of records whose id the mock makes. */
  made: number;
}

const NONE: Records = { byId: new Map(), made: 0 };

/** The records of a seed by list. A seed has records within their parent. */
function recordsOf(seed: unknown, kinds: readonly RecordKind[]): ReadonlyMap<string, Records> {
  const lists = new Map<string, Records>();
  const visit = (holder: object, parent: object = {}, times = 1): object =>
    Object.fromEntries(
      Object.entries(holder).filter(([list, records]) => {
        const kind = kinds.find(({ plural }) => plural === list);
        if (!kind || !Array.isArray(records)) return true;
        const its = lists.get(list) ?? { byId: new Map(), made: 0 };
        lists.set(list, its);
        for (const record of records.filter(isObject)) {
          const id = record[kind.id];
          const copies = kind.fields.includes('count') ? times : times * Number(record.count ?? 1);
          const text = JSON.stringify({ ...parent, ...visit(record, { [kind.id]: id }, copies) }, sorted);
          if (id === undefined) its.made += copies;
          else its.byId.set(String(id), text);
        }
        return false;
      }),
    );
  if (isObject(seed)) visit(seed);
  return lists;
}

/** Members in one order: two mocks may write them in different ones. */
function sorted(_: string, value: unknown): unknown {
  return isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;
}
