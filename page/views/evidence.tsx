import type { JSX } from 'preact';
import { Rests } from '../parts/controls.tsx';
import { provenanceLine, type Source, withoutLine } from '../parts/fields.ts';
import { Icon } from '../parts/icon.tsx';
import { SourceLink } from '../parts/source.tsx';
import { linkTo } from '../route.ts';
import type { ServedOperation } from '../served.ts';
import { fieldsByOperation, type UsedField, usage } from '../usage.ts';

/** The part of an address that names a field of an operation. */
export function keyOf({ of, pointer }: UsedField): string {
  return `${of}${pointer}`;
}

interface DetailProps {
  readonly operation: ServedOperation;
  /** The field that is looked at; undefined for the operation itself. */
  readonly field: UsedField | undefined;
}

/** What an operation rests on, with all its fields; or one field, with its evidence. */
export function ProvenanceDetail({ operation, field }: DetailProps): JSX.Element {
  const { operationId, method, path, raw } = operation;
  const fields = fieldsByOperation.value.get(operationId) ?? [];
  const calls = usage.value.get(operationId)?.calls ?? 0;
  return (
    <article class="exchange evidence">
      <a class="back" href={linkTo('provenance')} aria-label="Back to the map">
        <Icon name="back" />
      </a>
      {field ? (
        <Evidence field={field} operationId={operationId} />
      ) : (
        <>
          <h2>{operationId}</h2>
          <p class="facts">
            <Rests on={raw['x-provenance'] as string | undefined} />
            <code>
              {method} {path}
            </code>
          </p>
          <p>{provenanceLine(raw.description)}</p>
          <dl class="pairs">
            <dt>evidence</dt>
            <dd>{reference(raw['x-reference'] as string | undefined, raw['x-since'] as string | undefined)}</dd>
            <dt>written at</dt>
            <dd>
              <SourceLink source={raw['x-source'] as Source | undefined} />
            </dd>
            <dt>this session</dt>
            <dd>
              {calls} {calls === 1 ? 'call' : 'calls'} · <a href={linkTo('reference', operationId)}>try it</a>
            </dd>
          </dl>
        </>
      )}
      {(['request', 'response'] as const).map((of) => (
        <FieldList
          key={of}
          of={of}
          operationId={operationId}
          fields={fields.filter((one) => one.of === of)}
          at={field}
        />
      ))}
    </article>
  );
}

interface FieldListProps {
  readonly of: UsedField['of'];
  readonly operationId: string;
  readonly fields: readonly UsedField[];
  readonly at: UsedField | undefined;
}

function FieldList({ of, operationId, fields, at }: FieldListProps): JSX.Element | null {
  if (fields.length === 0) return null;
  return (
    <section>
      <h3>{of === 'request' ? 'It is sent' : 'It answers'}</h3>
      <ul class="evidence-fields">
        {fields.map((field) => (
          <li key={keyOf(field)}>
            <a
              href={linkTo('provenance', operationId, keyOf(field))}
              aria-current={at && keyOf(at) === keyOf(field) ? 'true' : undefined}
            >
              <i class={`cell ${field.provenance}${field.times > 0 ? ' used' : ''}`} />
              <code>{field.pointer.slice(1)}</code>
              <span class="soft">{field.provenance}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Evidence({ field, operationId }: { readonly field: UsedField; readonly operationId: string }): JSX.Element {
  const { pointer, of, type, provenance, description, source, since, times, seen } = field;
  return (
    <>
      <h2>
        <code>{pointer}</code>
      </h2>
      <p class="facts">
        <Rests on={provenance} /> <span class="soft">{type}</span> <span class="soft">of the {of}</span>
      </p>
      {description && <p>{withoutLine(description)}</p>}
      <dl class="pairs">
        <dt>evidence</dt>
        <dd>
          {provenance === 'documented'
            ? reference(field.reference, since)
            : provenance === 'observed'
              ? recorded(seen)
              : 'none: an assumption of the mock, refuted by the first sandbox that differs'}
        </dd>
        <dt>written at</dt>
        <dd>
          <SourceLink source={source} />
        </dd>
        <dt>this session</dt>
        <dd>
          {of === 'request' ? 'sent' : 'received'} {times === 1 ? 'once' : `${times} times`} ·{' '}
          <a href={linkTo('reference', operationId)}>try it</a>
        </dd>
      </dl>
    </>
  );
}

function reference(section: string | undefined, since: string | undefined): string {
  if (section === undefined) return 'the line that it is written at';
  return `API reference, ${section}${since === undefined ? '' : `, since ${since}`}`;
}

function recorded(seen: unknown): string {
  return seen === undefined
    ? 'a recording'
    : `a recording: ${typeof seen === 'object' ? JSON.stringify(seen) : `seen ${seen} times`}`;
}
