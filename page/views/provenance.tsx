import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Rests } from '../parts/controls.tsx';
import { provenanceLine, withoutLine } from '../parts/fields.ts';
import { SourceLink } from '../parts/source.tsx';
import { go, linkTo, route } from '../route.ts';
import { operationById, operations, type ServedOperation, served } from '../served.ts';
import { fieldsByOperation, type UsedField, usage } from '../usage.ts';

const COLOURS = [
  ['documented', 'the reference states it'],
  ['observed', 'a recording saw it'],
  ['assumed', 'the mock made it up'],
] as const;

/** Every operation and field by what it rests on: the idea of the product, on one screen. */
export function ProvenanceView(): JSX.Element {
  const [, wanted, at] = route.value;
  const only = useSignal<string>('');
  const all = [...fieldsByOperation.value.values()].flat();
  const chosen = operationById(wanted ?? null);
  const field = chosen && fieldsByOperation.value.get(chosen.operationId)?.find((one) => keyOf(one) === at);
  return (
    <div class="page wide">
      <h1>Provenance</h1>
      <p>
        What each operation and field of <b>{served.value?.info.title}</b> rests on. Each square is a field of a request
        or an answer; filled, where your application has used it in this session.
      </p>
      <div class="legend">
        {COLOURS.map(([name, words]) => {
          const its = all.filter(({ provenance }) => provenance === name).length;
          const located = operations.value.filter(({ raw }) => raw['x-provenance'] === name).length;
          return (
            <button
              type="button"
              key={name}
              class={`legend-item ${name}`}
              aria-pressed={only.value === name}
              onClick={() => {
                only.value = only.value === name ? '' : name;
              }}
            >
              <i class={`cell ${name} used`} />
              <b>{name}</b> {words}: {located} {located === 1 ? 'operation' : 'operations'}, {its} fields
            </button>
          );
        })}
      </div>
      <div
        class="proportion"
        role="img"
        aria-label={COLOURS.map(
          ([name]) => `${all.filter(({ provenance }) => provenance === name).length} ${name}`,
        ).join(', ')}
      >
        {COLOURS.map(([name]) => {
          const its = all.filter(({ provenance }) => provenance === name).length;
          return its > 0 && <i key={name} class={name} style={{ flexGrow: its }} />;
        })}
      </div>
      {[...Map.groupBy(operations.value, ({ tag }) => tag)].map(([tag, its]) => (
        <section key={tag} aria-label={tag}>
          <h2>{tag}</h2>
          <ul class="map-list card">
            {its
              .filter(
                ({ raw, operationId }) =>
                  only.value === '' ||
                  raw['x-provenance'] === only.value ||
                  fieldsByOperation.value.get(operationId)?.some(({ provenance }) => provenance === only.value),
              )
              .map((one) => (
                <MapLine
                  key={one.operationId}
                  operation={one}
                  only={only.value}
                  chosen={one === chosen ? (field ?? null) : undefined}
                />
              ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function keyOf({ of, pointer }: UsedField): string {
  return `${of}${pointer}`;
}

interface MapLineProps {
  readonly operation: ServedOperation;
  readonly only: string;
  /** The field that is looked at, null for the operation itself, undefined where it is another one. */
  readonly chosen: UsedField | null | undefined;
}

function MapLine({ operation, only, chosen }: MapLineProps): JSX.Element {
  const { operationId, method, path, raw, deprecated } = operation;
  const fields = fieldsByOperation.value.get(operationId) ?? [];
  const line = useRef<HTMLLIElement>(null);
  const isOpen = chosen !== undefined;
  useEffect(() => {
    if (isOpen) line.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  const provenance = raw['x-provenance'] as string | undefined;
  const calls = usage.value.get(operationId)?.calls ?? 0;
  const groups = (['request', 'response'] as const).map(
    (of) => [of, fields.filter((field) => field.of === of)] as const,
  );
  return (
    <li ref={line} class={isOpen ? 'map-line is-open' : 'map-line'}>
      <a class="map-name" href={linkTo('provenance', operationId)} aria-expanded={chosen !== undefined}>
        <i class={`dot-round ${provenance}${calls > 0 ? ' used' : ''}`} />
        <b class="method">{method}</b> {operationId}
        {deprecated && <span class="rests deprecated">deprecated</span>}
      </a>
      <span class="map-cells">
        {groups.map(
          ([of, its]) =>
            its.length > 0 && (
              <span key={of} class="cells-group">
                <small class="soft" aria-hidden="true">
                  {of === 'request' ? '→' : '←'}
                </small>
                {its.map((field) => (
                  <button
                    type="button"
                    key={keyOf(field)}
                    class={`cell ${field.provenance}${field.times > 0 ? ' used' : ''}${only !== '' && field.provenance !== only ? ' dimmed' : ''}`}
                    title={`${field.pointer}: ${field.provenance}`}
                    aria-label={`${of} ${field.pointer}, ${field.provenance}`}
                    aria-pressed={chosen != null && keyOf(chosen) === keyOf(field)}
                    onClick={() => go(['provenance', operationId, keyOf(field)], { replace: true })}
                  />
                ))}
              </span>
            ),
        )}
      </span>
      {chosen !== undefined && (
        <div class="map-evidence">
          {chosen === null ? (
            <>
              <p>
                <code>
                  {method} {path}
                </code>{' '}
                <Rests on={provenance} />
              </p>
              <p>{provenanceLine(raw.description)}</p>
              <dl class="pairs">
                <dt>evidence</dt>
                <dd>{reference(raw['x-reference'] as string | undefined, raw['x-since'] as string | undefined)}</dd>
                <dt>written at</dt>
                <dd>
                  <SourceLink source={raw['x-source'] as never} />
                </dd>
                <dt>this session</dt>
                <dd>
                  {calls} {calls === 1 ? 'call' : 'calls'} · <a href={linkTo('reference', operationId)}>try it</a>
                </dd>
              </dl>
            </>
          ) : (
            <Evidence field={chosen} operationId={operationId} />
          )}
        </div>
      )}
    </li>
  );
}

function Evidence({ field, operationId }: { readonly field: UsedField; readonly operationId: string }): JSX.Element {
  const { pointer, of, type, provenance, description, source, since, times, seen } = field;
  return (
    <>
      <p>
        <code>{pointer}</code> of the {of}, {type} <Rests on={provenance} />
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
