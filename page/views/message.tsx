import type { JSX } from 'preact';
import type { JournalBody, JournalEntry } from '../../src/journal/entry.ts';
import { header } from '../../src/model/exchange.ts';
import { plain, plainLines } from '../../src/text/plain.ts';
import { count } from '../../src/text/words.ts';
import type { RequestProblem } from '../control.ts';
import { fieldsByOperation } from '../parts/fields.ts';
import { JsonTree } from '../parts/json.tsx';
import { operationById } from '../served.ts';

export function Marks({ entry: { operationId, response } }: { readonly entry: JournalEntry }): JSX.Element {
  const headers = response?.headers ?? [];
  const scenario = header(headers, 'x-mock-scenario');
  return (
    <>
      {header(headers, 'x-mock-warning') !== undefined && <span class="chip warning">warning</span>}
      {scenario !== undefined && <span class="chip info">{scenario}</span>}
      {operationById(operationId)?.deprecated && <span class="chip warning">deprecated</span>}
    </>
  );
}

export function millisecondsOf({ startedAt, endedAt }: JournalEntry): number {
  return Math.max(0, Date.parse(endedAt) - Date.parse(startedAt));
}

interface HeadersProps {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly faulty?: ReadonlyMap<string, string>;
}

export function HeaderTable({ headers, faulty = new Map() }: HeadersProps): JSX.Element {
  const unsent = [...faulty.keys()].filter((name) => header(headers, name) === undefined);
  return (
    <dl class="headers">
      {[...headers, ...unsent.map((name) => [name, ''] as const)].map(([name, value], index) => {
        const fault = faulty.get(name.toLowerCase());
        return (
          <div key={index} class={fault === undefined ? 'line' : 'line is-wrong'}>
            <dt>{name}:</dt>
            <dd>
              {plain(value)}
              {fault !== undefined && <em class="wrong-here">{fault}</em>}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

interface SideProps {
  readonly of: 'request' | 'response';
  readonly entry: JournalEntry;
  readonly wrong?: readonly RequestProblem[] | undefined;
}

export function MessageSide({ of, entry, wrong = [] }: SideProps): JSX.Element {
  const message = entry[of];
  if (message === null)
    return (
      <section class="card pad stack" aria-label="Response">
        <h3>No response</h3>
        <p>{entry.failure?.message ?? 'The connection ended before an answer.'}</p>
      </section>
    );
  const { headers, body } = message;
  const title = of === 'request' ? 'Request' : 'Response';
  const faulty = new Map(
    wrong.filter((one) => one.in === 'header').map((one) => [(one.name ?? '').toLowerCase(), one.message]),
  );
  const marks = wrong.filter((one) => one.in === undefined || one.in === 'body');
  const isProblem = of === 'response' && (entry.response?.status ?? 0) >= 300;
  const fields = isProblem ? [] : (fieldsByOperation.value.get(entry.operationId ?? '') ?? []);
  const known = new Map(
    fields.filter((field) => field.of === of).map(({ pointer, provenance }) => [pointer, provenance]),
  );
  return (
    <section class="card pad stack" aria-label={title}>
      <h3>{title}</h3>
      <details open={headers.length <= 5 || faulty.size > 0}>
        <summary class="soft">{count(headers.length, 'header field')}</summary>
        <HeaderTable headers={headers} faulty={faulty} />
      </details>
      <BodyOf
        body={body}
        marks={marks}
        // all items of a list share one provenance
        provenance={(pointer) => known.get(pointer.replace(/\/\d+(?=\/|$)/g, '/*'))}
      />
    </section>
  );
}

interface BodyProps {
  readonly body: JournalBody | null;
  readonly marks: readonly RequestProblem[];
  readonly provenance: (pointer: string) => string | undefined;
}

function BodyOf({ body, marks, provenance }: BodyProps): JSX.Element {
  if (body === null) {
    return (
      <>
        <p class="soft">no body</p>
        {marks.length > 0 && <JsonTree value={undefined} marks={marks} />}
      </>
    );
  }
  if (body.kind !== 'json' && body.kind !== 'form' && body.kind !== 'text')
    return (
      <p class="soft">
        {body.bytes} bytes{body.kind === 'binary' ? ' of binary data' : ', above the limit of the journal'}
      </p>
    );
  return (
    <>
      <p class="soft">
        {body.bytes} bytes{body.state !== 'complete' && `, ${body.state}`}
      </p>
      {body.kind === 'text' ? (
        <pre>
          <Marked text={body.text} at={marks.find(({ position }) => position !== undefined)} />
        </pre>
      ) : (
        <JsonTree
          value={body.kind === 'json' ? body.json : Object.fromEntries(body.fields)}
          marks={marks}
          provenance={provenance}
        />
      )}
    </>
  );
}

/** A text with a mark at the position of the parse error. */
function Marked({ text, at }: { readonly text: string; readonly at: RequestProblem | undefined }): JSX.Element {
  const { position: { line, column } = { line: 0, column: 0 }, message } = at ?? { message: '' };
  const lines = text.split('\n');
  const here = lines[line - 1];
  // masked text earlier in the line has another length than the original
  if (here === undefined || column > here.length + 1 || here.slice(0, column).includes('[redacted'))
    return <>{plainLines(text)}</>;
  const [before, after] = [lines.slice(0, line - 1), lines.slice(line)];
  return (
    <>
      {plainLines([...before, here.slice(0, column - 1)].join('\n'))}
      <mark class="is-wrong">{plainLines(here.slice(column - 1, column)) || '⏎'}</mark>
      <em class="wrong-here">{message}</em>
      {plainLines([here.slice(column), ...after].join('\n'))}
    </>
  );
}
