import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Empty } from '../parts/controls.tsx';
import { SearchField } from '../parts/inputs.tsx';
import { beside, useWalk } from '../parts/keys.ts';
import { go, linkTo, route } from '../route.ts';
import { operationById, operations, type ServedOperation, served } from '../served.ts';
import { fieldsByOperation, type UsedField, usage } from '../usage.ts';
import { keyOf, ProvenanceDetail } from './evidence.tsx';

const COLOURS = [
  ['documented', 'the reference states it'],
  ['observed', 'a recording saw it'],
  ['assumed', 'the mock made it up'],
] as const;

/** Every operation and field by what it rests on: the idea of the product, on one screen. */
export function ProvenanceView(): JSX.Element {
  const [, wanted, at] = route.value;
  const only = useSignal<string>('');
  const words = useSignal('');
  const chosen = operationById(wanted ?? null);
  const field = chosen && fieldsOf(chosen).find((one) => keyOf(one) === at);
  const needle = words.value.toLowerCase();
  const shown = operations.value.filter(
    (one) =>
      (needle === '' ||
        `${one.operationId} ${one.path} ${one.tag}`.toLowerCase().includes(needle) ||
        fieldsOf(one).some(({ name }) => name.toLowerCase().includes(needle))) &&
      (only.value === '' ||
        one.raw['x-provenance'] === only.value ||
        fieldsOf(one).some(({ provenance }) => provenance === only.value)),
  );
  useWalk({
    step(by) {
      const next = beside(shown, chosen, by);
      if (next) go(['provenance', next.operationId], { replace: chosen !== undefined });
    },
    close: wanted ? () => go(['provenance']) : undefined,
    list: '.map-line a',
  });
  return (
    <div class={wanted ? 'master is-open map-page' : 'master map-page'}>
      <div class="list">
        <div class="map">
          <h1>Provenance</h1>
          <p class="soft">
            What <b>{served.value?.info.title}</b> rests on. A ring is an operation, a square a field of its request or
            its answer; filled, where your application has used it in this session.
          </p>
          <Legend only={only.value} choose={(name) => (only.value = name)} />
          <div class="tools">
            <SearchField words={words} label="Search operations and fields" />
            <output class="soft">
              {shown.length} {shown.length === 1 ? 'operation' : 'operations'}
            </output>
          </div>
          {shown.length === 0 && <Empty title="Nothing is like that" />}
          <div class="map-groups">
            {[...Map.groupBy(shown, ({ tag }) => tag)].map(([tag, its]) => (
              <section key={tag} aria-label={tag} class="card map-group">
                <h2>{tag}</h2>
                <ul>
                  {its.map((one) => (
                    <MapLine
                      key={one.operationId}
                      operation={one}
                      only={only.value}
                      isOpen={one === chosen}
                      field={one === chosen ? field : undefined}
                    />
                  ))}
                </ul>
              </section>
            ))}
          </div>
        </div>
      </div>
      {wanted && (
        <section class="detail" aria-label={wanted}>
          {chosen ? (
            <ProvenanceDetail operation={chosen} field={field} />
          ) : (
            <Empty title={`The mock serves no ${wanted}`} />
          )}
        </section>
      )}
    </div>
  );
}

function fieldsOf({ operationId }: ServedOperation): readonly UsedField[] {
  return fieldsByOperation.value.get(operationId) ?? [];
}

interface LegendProps {
  readonly only: string;
  readonly choose: (name: string) => void;
}

/** The three colours with their shares; each shows its own alone. */
function Legend({ only, choose }: LegendProps): JSX.Element {
  const all = operations.value.flatMap((one) => fieldsOf(one));
  const shares = COLOURS.map(([name, words]) => ({
    ...{ name, words },
    fields: all.filter(({ provenance }) => provenance === name).length,
    located: operations.value.filter(({ raw }) => raw['x-provenance'] === name).length,
  }));
  return (
    <>
      <div class="proportion" aria-hidden="true">
        {shares.map(({ name, fields }) => fields > 0 && <i key={name} class={name} style={{ flexGrow: fields }} />)}
      </div>
      <div class="legend">
        {shares.map(({ name, words, fields, located }) => (
          <button
            type="button"
            key={name}
            class={`legend-item ${name}`}
            aria-pressed={only === name}
            onClick={() => choose(only === name ? '' : name)}
          >
            <span class="legend-name">
              <i class={`cell ${name} used`} /> <b>{name}</b>
            </span>
            <span class="legend-share">
              {all.length === 0 ? 0 : Math.round((100 * fields) / all.length)}
              <small> %</small>
            </span>
            <span class="soft">
              {words}: {located} {located === 1 ? 'operation' : 'operations'}, {fields}{' '}
              {fields === 1 ? 'field' : 'fields'}
            </span>
          </button>
        ))}
      </div>
    </>
  );
}

interface MapLineProps {
  readonly operation: ServedOperation;
  readonly only: string;
  readonly isOpen: boolean;
  readonly field: UsedField | undefined;
}

function MapLine({ operation, only, isOpen, field }: MapLineProps): JSX.Element {
  const { operationId, method, raw, deprecated } = operation;
  const fields = fieldsOf(operation);
  const line = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isOpen) line.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  const provenance = raw['x-provenance'] as string | undefined;
  const calls = usage.value.get(operationId)?.calls ?? 0;
  const isDimmed = only !== '' && provenance !== only;
  return (
    <li ref={line} class={isOpen ? 'map-line is-open' : 'map-line'}>
      <a class="map-name" href={linkTo('provenance', operationId)} aria-current={isOpen ? 'true' : undefined}>
        <i class={`dot-round ${provenance}${calls > 0 ? ' used' : ''}${isDimmed ? ' dimmed' : ''}`} />
        <b class="method">{method}</b>
        <span class={deprecated ? 'map-word is-deprecated' : 'map-word'}>{operationId}</span>
        <span class="off-screen">
          {[
            provenance,
            deprecated && 'deprecated',
            ...COLOURS.map(([name]) => {
              const count = fields.filter((one) => one.provenance === name).length;
              return count > 0 && `${count} ${name} fields`;
            }),
          ]
            .filter(Boolean)
            .join(', ')}
        </span>
      </a>
      {/* for the eye and the mouse; who has neither finds each field in the detail of its operation */}
      <span class="map-cells" aria-hidden="true">
        {(['request', 'response'] as const).map((of) => {
          const its = fields.filter((one) => one.of === of);
          return (
            its.length > 0 && (
              <span key={of} class="cells-group">
                <small class="soft">{of === 'request' ? '→' : '←'}</small>
                {its.map((one) => (
                  // biome-ignore lint/a11y/useAnchorContent: it is hidden from who listens, who finds it in the detail by its name
                  <a
                    key={keyOf(one)}
                    tabIndex={-1}
                    href={linkTo('provenance', operationId, keyOf(one))}
                    class={`cell ${one.provenance}${one.times > 0 ? ' used' : ''}${only !== '' && one.provenance !== only ? ' dimmed' : ''}${one === field ? ' is-chosen' : ''}`}
                    title={`${one.pointer}: ${one.provenance}`}
                  />
                ))}
              </span>
            )
          );
        })}
      </span>
    </li>
  );
}
