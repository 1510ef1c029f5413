import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Empty, Rests } from '../parts/controls.tsx';
import { bodyOf, type Field, fieldsOf, provenanceLine, withoutLine } from '../parts/fields.ts';
import { Icon } from '../parts/icon.tsx';
import { SearchField } from '../parts/inputs.tsx';
import { beside, useWalk } from '../parts/keys.ts';
import { SourceLink } from '../parts/source.tsx';
import { go, linkTo, route } from '../route.ts';
import {
  operationById,
  operations,
  type Schema,
  type ServedDocument,
  type ServedOperation,
  served,
} from '../served.ts';
import { TryIt } from './try-it.tsx';

/** What the mock serves, with what each part of it rests on, and a form that sends a request. */
export function ReferenceView(): JSX.Element {
  const [, wanted, from] = route.value;
  const words = useSignal('');
  const document = served.value;
  const chosen = operationById(wanted ?? null);
  const needles = words.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = operations.value.filter((one) =>
    needles.every((needle) =>
      `${one.operationId} ${one.method} ${one.path} ${one.summary}`.toLowerCase().includes(needle),
    ),
  );
  useWalk({
    step(by) {
      const next = beside(found, chosen, by);
      if (next) go(['reference', next.operationId], { replace: chosen !== undefined });
    },
    close: wanted === undefined ? undefined : () => go(['reference']),
    list: '.operations a',
  });
  if (document === null) return <div class="page" />;
  return (
    <div class={wanted === undefined ? 'master' : 'master is-open'}>
      <section class="list" aria-label="Operations">
        {wanted === undefined && <h1 class="off-screen">API reference</h1>}
        <search class="tools">
          <SearchField words={words} label="Search operations" />
          <output class="soft">
            {found.length} {found.length === 1 ? 'operation' : 'operations'}
          </output>
        </search>
        <nav class="operations" aria-label="Operations of the contract">
          {[...Map.groupBy(found, ({ tag }) => tag)].map(([tag, its]) => (
            <section key={tag}>
              <h2>{tag}</h2>
              {its.map((one) => (
                <a
                  key={one.operationId}
                  href={linkTo('reference', one.operationId)}
                  aria-current={one === chosen ? 'page' : undefined}
                >
                  <span class={`rests-bar ${one.raw['x-provenance'] ?? ''}`} />
                  <b class="method">{one.method}</b>
                  <span class="summary">
                    {one.summary}
                    {one.deprecated && <span class="rests deprecated">deprecated</span>}
                  </span>
                </a>
              ))}
            </section>
          ))}
          {found.length === 0 && <Empty title="No operation is called so" />}
        </nav>
      </section>
      {chosen ? (
        <section class="detail" aria-label={chosen.summary}>
          <Operation key={`${chosen.operationId} ${from}`} document={document} operation={chosen} from={from} />
        </section>
      ) : (
        wanted !== undefined && (
          <section class="detail">
            <Empty title={`The mock serves no ${wanted}`} />
          </section>
        )
      )}
    </div>
  );
}

interface OperationProps {
  readonly document: ServedDocument;
  readonly operation: ServedOperation;
  /** `from-17`: the request of that exchange is filled in. */
  readonly from: string | undefined;
}

function Operation({ document, operation, from }: OperationProps): JSX.Element {
  const { raw, method, path, summary, operationId } = operation;
  const request = bodyOf(document, raw.requestBody);
  const notShown = (raw['x-not-shown'] ?? []) as readonly string[];
  const rules = (raw['x-rules'] ?? []) as readonly { readonly id: string; readonly statement: string }[];
  return (
    <article class="exchange">
      <header class="detail-head">
        <a class="back" href={linkTo('reference')} aria-label="Back to the operations">
          <Icon name="back" />
        </a>
        <h1>{summary}</h1>
        <p class="soft facts">
          <span>
            <b class="method">{method}</b> <code>{path}</code>
          </span>
          <code>{operationId}</code>
          <Rests on={raw['x-provenance'] as string | undefined} />
          {operation.deprecated && <b class="rests deprecated">deprecated</b>}
          <SourceLink source={raw['x-source'] as never} />
        </p>
        <p>{withoutLine(raw.description as string | undefined)}</p>
        <p class="soft">{provenanceLine(raw.description)}</p>
        {notShown.length > 0 && <p class="soft">Not shown in the reference: {notShown.join(', ')}.</p>}
        {rules.length > 0 && (
          <ul class="where">
            {rules.map(({ id, statement }) => (
              <li key={id}>{statement}</li>
            ))}
          </ul>
        )}
      </header>
      <TryIt operation={operation} request={request} from={from} />
      {request && <Fields title={`Request body, ${request.type}`} document={document} schema={request.schema} />}
      {responsesOf(raw).map(([status, response]) => {
        const body = bodyOf(document, response);
        const { description } = (response ?? {}) as { readonly description?: string };
        return body ? (
          <Fields key={status} title={`Response ${status}, ${body.type}`} document={document} schema={body.schema} />
        ) : (
          <section key={status}>
            <h2 class="fields-title">Response {status}</h2>
            <p class="soft">{withoutLine(description) || 'No body is shown.'}</p>
          </section>
        );
      })}
    </article>
  );
}

/** A good one first: an object gives `401` before `2XX`. */
function responsesOf({ responses }: ServedOperation['raw']): readonly (readonly [status: string, response: unknown])[] {
  return Object.entries(responses ?? {}).sort(([one], [other]) => (one < other ? -1 : 1));
}

function Fields({
  title,
  document,
  schema,
}: {
  readonly title: string;
  readonly document: ServedDocument;
  readonly schema: Schema;
}): JSX.Element {
  const fields = fieldsOf(document, schema);
  return (
    <section aria-label={title}>
      <h2 class="fields-title">{title}</h2>
      {fields.length === 0 && <p class="soft">Its fields are not shown.</p>}
      <ul class="fields">
        {fields.map((field) => (
          <FieldLine key={field.pointer} field={field} />
        ))}
      </ul>
    </section>
  );
}

function FieldLine({ field }: { readonly field: Field }): JSX.Element {
  const { name, depth, type, required, provenance, description, source, since } = field;
  return (
    <li class={`p-${provenance}`} style={{ paddingLeft: `${0.7 + depth}rem` }}>
      <code class="field-name">{name}</code>
      <span class="soft">{type}</span>
      {required && <b>required</b>}
      <Rests on={provenance} />
      {since && <span class="soft">since {since}</span>}
      <span class="field-words">{description}</span>
      <SourceLink source={source} />
    </li>
  );
}
