import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { RecordKind } from '../../generated/mock/control.ts';
import { ControlError, change, type RequestProblem, readRecord } from '../control.ts';
import { Action } from '../parts/controls.tsx';
import { Text } from '../parts/inputs.tsx';
import { Empty } from '../parts/layout.tsx';
import { go, linkTo } from '../route.ts';

type Value = Readonly<Record<string, unknown>>;

interface EditorProps {
  readonly kind: RecordKind;
  readonly query: string;
  readonly path: string;
  /** Empty for a new record. */
  readonly id: string;
  readonly isEmpty: boolean;
}

export function Editor({ kind, path, query, id, isEmpty }: EditorProps): JSX.Element {
  const isNew = id === '';
  const text = useSignal(isNew ? '{}' : '');
  const errors = useSignal<readonly RequestProblem[]>([]);
  const version = useSignal('');
  const missing = useSignal(false);
  const isStale = useSignal(false);
  const place = `${path}/${encodeURIComponent(id)}${query}`;
  const load = async (): Promise<void> => {
    const found = await readRecord<Value>(place);
    version.value = found.version;
    isStale.value = false;
    text.value = JSON.stringify(found.record, null, 2);
  };
  useEffect(() => {
    if (isNew) return;
    load().catch(() => {
      missing.value = true;
    });
  }, [isNew, place]);

  const keep = async (): Promise<void> => {
    errors.value = [];
    try {
      const given = parsed(text.value);
      if (isNew) {
        const made = await change<Value>('POST', path + query, given);
        go(['state', kind.plural, String(made[kind.id])]);
      } else {
        await change('PUT', place, given, version.value);
        await load();
      }
    } catch (error) {
      if (error instanceof ControlError) errors.value = error.errors;
      isStale.value = error instanceof ControlError && error.status === 412;
      throw error;
    }
  };

  if (missing.value) {
    return (
      <Empty title={`There is no ${kind.name} ${id}`}>
        <p>{isEmpty ? 'There are no records of this kind.' : 'It was removed, or belongs to someone else.'}</p>
      </Empty>
    );
  }
  return (
    <section class="card pad stack" aria-label={isNew ? `New ${kind.name}` : `${kind.name} ${id}`}>
      <h2>{isNew ? `New ${kind.name}` : id}</h2>
      {isNew && <p class="soft">The mock generates omitted fields. Use null to remove a field.</p>}
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
      {isStale.value && (
        <p class="told warning line">
          This record has changed since you opened it, so it was not saved.
          <Action act={load}>Discard my text and read it again</Action>
        </p>
      )}
      <p class="line">
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
            act={async () => {
              await change('DELETE', place);
              go(['state', kind.plural]);
            }}
            confirm={`Remove ${id} and all its dependent records?`}
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
