import type { JSX } from 'preact';
import { count } from '../../src/text/words.ts';
import { usages } from '../exchanges.ts';
import { ProvenanceMark } from '../parts/controls.tsx';
import {
  bodiesOf,
  type FieldSource,
  fieldsByOperation,
  type SchemaField,
  schemaFields,
  shownProvenance,
  withoutLine,
} from '../parts/fields.ts';
import { Empty } from '../parts/layout.tsx';
import { route } from '../route.ts';
import {
  deref,
  operationById,
  type ServedDocument,
  type ServedOperation,
  type ServedSchema,
  served,
} from '../served.ts';
import { TryIt } from './try-it.tsx';

/** One operation: a form that sends it, and its fields with the evidence for each. `#/reference/getCard/from-17` fills the form from an exchange. */
export function OperationDetail({ operationId }: { readonly operationId: string }): JSX.Element {
  const operation = operationById(operationId);
  const document = served.value;
  if (document === null) return <Empty title="Reading the contract" />;
  if (operation === undefined) return <Empty title={`The mock serves no ${operationId}`} />;
  const { raw, method, path, summary } = operation;
  const [, , part = ''] = route.value;
  const from = part.startsWith('from-') ? part : undefined;
  const [request] = bodiesOf(document, raw.requestBody);
  const notShown = (raw['x-not-shown'] ?? []) as readonly string[];
  const rules = (raw['x-rules'] ?? []) as readonly { readonly id: string; readonly statement: string }[];
  const used = fieldsByOperation.value.get(operationId) ?? [];
  const { successes = [], others = [] } = Object.groupBy(responsesOf(operation), ([status]) =>
    status.startsWith('2') ? 'successes' : 'others',
  );
  const good = successes[0]?.[0];
  const shownResponse = ([status, response]: readonly [string, unknown]) => {
    const [body] = bodiesOf(document, response).filter(({ type }) => type !== PROBLEM_TYPE);
    return [
      body && (
        <Fields
          key={status}
          title={`Response ${status}, ${body.type}`}
          fields={status === good ? used.filter(({ of }) => of === 'response') : schemaFields(document, body.schema)}
        />
      ),
      (!body || status !== good) && <Problems key={`${status} problems`} status={status} response={response} />,
    ];
  };
  return (
    <article class="stack">
      <h2>{summary}</h2>
      <p class="line soft">
        <b class="method">{method}</b> <code>{path}</code> <code>{operationId}</code>
        <ProvenanceMark of={operation.provenance} />
        {operation.deprecated && <b class="chip warning">deprecated</b>}
        <span>{count(usages.value.get(operationId)?.calls ?? 0, 'call')}</span>
        <code>{placeOf(raw['x-source'] as FieldSource | undefined)}</code>
      </p>
      <p>{withoutLine(raw.description as string | undefined)}</p>
      <p class="soft">{shownProvenance(raw.description)}</p>
      {notShown.length > 0 && <p class="soft">Not shown in the reference: {notShown.map(spaced).join(', ')}.</p>}
      {rules.map(({ id, statement }) => (
        <p key={id}>{statement}</p>
      ))}
      {request && <Fields title={`Request body, ${request.type}`} fields={used.filter(({ of }) => of === 'request')} />}
      {successes.map(shownResponse)}
      <TryIt key={`${operationId} ${from}`} operation={operation} request={request} from={from} />
      {others.map(shownResponse)}
    </article>
  );
}

const PROBLEM_TYPE = 'application/problem+json';

interface ProblemsProps {
  readonly status: string;
  readonly response: unknown;
}

/** The meaning of a response without fields of its own, and the problem types that the mock sends with it. */
function Problems({ status, response }: ProblemsProps): JSX.Element {
  const document = served.value as ServedDocument;
  const { description } = deref(document, response as { readonly description?: string });
  const kinds = bodiesOf(document, response).flatMap(({ schema }) => deref<ServedSchema>(document, schema).oneOf ?? []);
  return (
    <section aria-label={`Response ${status}`}>
      <h3>
        Response {status}
        {status === '4XX' && ', for any request'}
      </h3>
      {kinds.length === 0 && <p class="soft">{withoutLine(description) || 'The reference shows no body.'}</p>}
      <ul>
        {kinds.map((kind) => {
          const { description: title, properties } = deref<ServedSchema>(document, kind);
          return (
            <li key={title} class="line">
              <code>{String(properties?.type?.const).replace(/.*\//, '')}</code> {withoutLine(title)}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** The words of a name in camelCase. */
function spaced(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** Successes first. In the object, `401` comes before `2XX`. */
function responsesOf({ raw }: ServedOperation): readonly (readonly [status: string, response: unknown])[] {
  return Object.entries(raw.responses ?? {}).sort(([one], [other]) => (one < other ? -1 : 1));
}

interface FieldsProps {
  readonly title: string;
  readonly fields: readonly SchemaField[];
}

function Fields({ title, fields }: FieldsProps): JSX.Element {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {fields.length === 0 && <p class="soft">Its fields are not shown.</p>}
      <ul>
        {fields.map((field) => (
          <FieldLine key={field.pointer} field={field} />
        ))}
      </ul>
    </section>
  );
}

function FieldLine({ field }: { readonly field: SchemaField }): JSX.Element {
  const { name, depth, type, required, provenance, description, source } = field;
  return (
    <li class={`field marked line ${provenance}`} style={{ marginLeft: `${depth * 16}px` }}>
      <b>{name}</b>
      <span class="soft">{type}</span>
      {required && <b>required</b>}
      <ProvenanceMark of={provenance} />
      <span>{description}</span>
      <small class="line soft">
        {evidenceOf(field)}
        <code>{placeOf(source)}</code>
      </small>
    </li>
  );
}

function evidenceOf({ provenance, reference, since, seen }: SchemaField): string {
  if (provenance === 'assumed') return 'no evidence: an assumption of the mock';
  if (provenance === 'observed')
    return seen === undefined
      ? 'a recording'
      : `a recording: ${typeof seen === 'object' ? JSON.stringify(seen) : `seen ${seen} times`}`;
  return [reference ? `API reference, ${reference}` : 'the line that it is written at', since && `since ${since}`]
    .filter(Boolean)
    .join(', ');
}

function placeOf(source: FieldSource | undefined): string {
  return [source?.file, source?.line].filter((part) => part !== undefined).join(':');
}
