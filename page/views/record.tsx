import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ShownKind } from '../../src/mock/control/state-view.ts';
import { change, Refused, read, type Wrong } from '../control.ts';
import { Action, Empty } from '../parts/controls.tsx';
import { Text } from '../parts/inputs.tsx';
import { go, linkTo } from '../route.ts';

type Value = Readonly<Record<string, unknown>>;

interface EditorProps {
  readonly kind: ShownKind;
  readonly query: string;
  readonly path: string;
  /** Empty for a new one. */
  readonly id: string;
  readonly records: readonly Value[];
  readonly again: () => Promise<void>;
}

/** One record as JSON, changed or made; what the mock says is wrong with it stands below. */
export function Editor({ kind, path, query, id, records, again }: EditorProps): JSX.Element {
  const isNew = id === '';
  const text = useSignal(isNew ? '{}' : '');
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
      const given = parsed(text.value);
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
      <Text
        text={text}
        rows={Math.min(22, Math.max(5, text.value.split('\n').length + 1))}
        label="The record as JSON"
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
          disabled={text.value === ''}
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
