import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { count } from '../../src/text/words.ts';
import { missing, usages } from '../exchanges.ts';
import { PROVENANCES } from '../parts/controls.tsx';
import { type BodyField, fieldsByOperation } from '../parts/fields.ts';
import { Choice, SearchField } from '../parts/inputs.tsx';
import { beside, useWalk } from '../parts/keys.ts';
import { Empty, Split } from '../parts/layout.tsx';
import { go, linkTo, route } from '../route.ts';
import { operationById, operations, type ServedOperation, served } from '../served.ts';
import { useReveal } from '../surface.ts';
import { OperationDetail } from './operation.tsx';

export function ReferenceView(): JSX.Element {
  const [, wanted] = route.value;
  const only = useSignal('');
  const words = useSignal('');
  const chosen = operationById(wanted ?? null);
  const needle = words.value.toLowerCase();
  const shown = operations.value.filter((one) => {
    const fields = fieldsOf(one);
    const text = `${one.operationId} ${one.summary} ${one.path} ${one.tag} ${fields.map(({ name }) => name).join(' ')}`;
    const provenances = [one.provenance, ...fields.map(({ provenance }) => provenance)];
    return text.toLowerCase().includes(needle) && (only.value === '' || provenances.includes(only.value));
  });
  useWalk({
    step(by) {
      const next = beside(shown, chosen, by);
      if (next) go(['reference', next.operationId], { replace: chosen !== undefined });
    },
    close: wanted ? () => go(['reference']) : undefined,
  });
  return (
    <Split
      title="API reference"
      list={
        <div class="page scroll">
          <p class="soft">
            A ring is an operation, filled once your application has called it. A square is a field of its request or
            answer: {Object.keys(PROVENANCES).map(shareOf).join(', ')}. Requests from this page do not count.
          </p>
          <div class="line">
            <SearchField words={words} label="Search operations and fields" />
            <Choice
              chosen={only}
              of={[['', 'any provenance'], ...Object.keys(PROVENANCES)]}
              label="Provenance of an operation or field"
            />
            {served.value && (
              <output class="soft">
                {count(shown.length, 'operation')}, {shown.filter((one) => usages.value.has(one.operationId)).length}{' '}
                called{missing() && ` (exchanges${missing()})`}
              </output>
            )}
          </div>
          {served.value && shown.length === 0 && <Empty title="No operation matches" />}
          <div class="map">
            {[...Map.groupBy(shown, ({ tag }) => tag)].map(([tag, its]) => (
              <section key={tag} aria-label={tag} class="card pad">
                <h2 class="soft">{tag}</h2>
                <ul>
                  {its.map((one) => (
                    <MapLine key={one.operationId} operation={one} isOpen={one === chosen} />
                  ))}
                </ul>
              </section>
            ))}
          </div>
        </div>
      }
      detail={
        wanted
          ? { label: wanted, back: linkTo('reference'), children: <OperationDetail operationId={wanted} /> }
          : undefined
      }
    />
  );
}

function fieldsOf({ operationId }: ServedOperation): readonly BodyField[] {
  return fieldsByOperation.value.get(operationId) ?? [];
}

function shareOf(name: string): string {
  const all = operations.value.flatMap(fieldsOf);
  const fields = all.filter(({ provenance }) => provenance === name);
  return `${Math.round((100 * fields.length) / Math.max(1, all.length))} % ${name}`;
}

/** A name in camelCase, or a path, that breaks only between its words. */
function breakable(name: string): ComponentChildren {
  return name.split(/(?=[A-Z/])/).map((word, index) => [<wbr key={index} />, word]);
}

interface MapLineProps {
  readonly operation: ServedOperation;
  readonly isOpen: boolean;
}

function MapLine({ operation, isOpen }: MapLineProps): JSX.Element {
  const { operationId, method, path, provenance, deprecated } = operation;
  const fields = fieldsOf(operation);
  const line = useReveal<HTMLLIElement>(isOpen);
  const { calls = 0, refused = 0 } = usages.value.get(operationId) ?? {};
  return (
    <li ref={line} aria-current={isOpen ? 'true' : undefined}>
      <a class="line" href={linkTo('reference', operationId)}>
        <i class={`cell ring ${provenance}${calls > 0 ? ' used' : ''}`} />
        <b class="method">{method}</b>
        {deprecated ? <s>{breakable(operationId)}</s> : <span>{breakable(operationId)}</span>}
        {calls > 0 && (
          <small class="soft push">
            {calls} {refused > 0 && `(${refused} refused)`}
          </small>
        )}
        <span class="off-screen">{deprecated ? `${provenance}, deprecated` : provenance}</span>
      </a>
      <code class="under soft">{breakable(path)}</code>
      {/* for the eye; the detail names each field */}
      <span class="cells" aria-hidden="true">
        {fields.map((one) => (
          <i
            key={`${one.of} ${one.pointer}`}
            class={`cell ${one.provenance}`}
            title={`${one.of} ${one.pointer}: ${one.provenance}`}
          />
        ))}
      </span>
    </li>
  );
}
