import { type Signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { JournalBody, JournalEntry } from '../../src/journal/entry.ts';
import { change, Refused, read, type Wrong } from '../control.ts';
import { health } from '../live.ts';
import { Action, Copy, Rests, StatusCode, say } from '../parts/controls.tsx';
import { Icon } from '../parts/icon.tsx';
import { Json } from '../parts/json.tsx';
import { curlOf, fetchOf } from '../parts/snippets.ts';
import { go, linkTo } from '../route.ts';
import { operationById } from '../served.ts';
import { fieldsByOperation } from '../usage.ts';

/** What the mock says of a refusal (`/__mock/why`). */
interface Why {
  readonly rule: string;
  readonly step: string;
  /** All steps of the judgement, in their order. */
  readonly order?: readonly string[];
  readonly message: string;
  readonly where: readonly Wrong[];
  readonly wouldPass: string;
  readonly reference: string;
  readonly scenarios: readonly string[];
  /** Why a stricter mock would have refused what was served; null where none would. */
  readonly warning: string | null;
  readonly example: string | null;
  /** Paths of the contract that are nearest to one that is none. */
  readonly nearest?: readonly { readonly method: string; readonly path: string; readonly operationId: string }[];
  /** Ids that exist where the one that was asked for does not. */
  readonly existing?: readonly string[];
  /** What of the request would pass: the members of a repeat. */
  readonly repair?: Repair;
}

interface Repair {
  readonly method?: string;
  readonly path?: string;
  readonly token?: 'fresh';
}

/** One exchange: request beside response, and where it was refused, why. */
export function ExchangeDetail({ entry }: { readonly entry: JournalEntry }): JSX.Element {
  const { seq, method, path, operationId, request, response, failure, startedAt, endedAt, token, connection } = entry;
  const why = useWhy(entry);
  const wrong = why.value?.where ?? [];
  const rests = headerOf(response?.headers ?? [], 'x-mock-provenance');
  const operation = operationById(operationId);
  const url = `${health.value?.url ?? ''}${path}`;
  return (
    <article class="exchange">
      <header class="detail-head">
        <a class="back" href={linkTo('journal')} aria-label="Back to the journal">
          <Icon name="back" />
        </a>
        <h1>
          <StatusCode status={response?.status} /> <b>{method}</b> <span class="path">{path}</span>
        </h1>
        <p class="soft facts">
          <span>#{seq}</span>
          {operationId && (
            <span>
              <a href={linkTo('reference', operationId)}>{operationId}</a>
              {operation?.deprecated && <b class="rests deprecated">deprecated</b>}
            </span>
          )}
          <Rests on={rests} />
          <time dateTime={startedAt}>{startedAt.replace('T', ' ').slice(0, 19)}</time>
          <span>{Math.max(0, Date.parse(endedAt) - Date.parse(startedAt))} ms</span>
          {connection !== null && <span>connection {connection}</span>}
          {token && (
            <span title={token.expiresIn === null ? undefined : `issued ${token.issuedAt}, for ${token.expiresIn} s`}>
              token <code>{token.id.slice(0, 10)}</code>
            </span>
          )}
        </p>
        <div class="actions">
          <Action
            class="primary"
            act={() => repeat(seq, {})}
            title="The same request again, with a token of now where it had one"
          >
            Repeat
          </Action>
          <Copy text={() => curlOf(entry, url)} what="the request as curl">
            Copy curl
          </Copy>
          <Copy text={() => fetchOf(entry, url)} what="the request as fetch">
            Copy fetch
          </Copy>
          <Copy text={() => JSON.stringify(entry, null, 2)} what="the line of the journal">
            Copy JSON
          </Copy>
          {operation && (
            <a class="button" href={linkTo('reference', operation.operationId, `from-${seq}`)}>
              Open in try-it
            </a>
          )}
        </div>
      </header>
      {why.value && <WhyCard why={why.value} seq={seq} />}
      <div class="sides">
        <Side
          title="Request"
          headers={request.headers}
          body={request.body}
          marks={wrong.filter((one) => one.in === undefined || one.in === 'body')}
          wrong={wrong}
          provenance={provenanceFor(operationId, 'request')}
        />
        {response ? (
          <Side
            title="Response"
            headers={response.headers}
            body={response.body}
            marks={[]}
            wrong={[]}
            provenance={provenanceFor(response.status < 300 ? operationId : null, 'response')}
          />
        ) : (
          <section class="side card" aria-label="Response">
            <h2>No response</h2>
            <p>{failure?.message ?? 'The connection ended before an answer.'}</p>
          </section>
        )}
      </div>
    </article>
  );
}

/** Sends a request of the journal again, from within the mock, and goes to what came of it. */
async function repeat(seq: number, repair: Repair): Promise<void> {
  const { seq: next, status } = await change<{ seq: number; status: number }>('POST', `/journal/${seq}/repeat`, repair);
  say(`Repeated as exchange ${next}: ${status}`);
  go(['exchange', next]);
}

function useWhy({ seq, response }: JournalEntry): Signal<Why | null> {
  const why = useSignal<Why | null>(null);
  const isRefusal =
    response !== null && (response.status >= 400 || headerOf(response.headers, 'x-mock-warning') !== undefined);
  useEffect(() => {
    why.value = null;
    if (!isRefusal) return;
    const asked = new AbortController();
    read<Why>(`/why?seq=${seq}`, asked.signal).then(
      (told) => {
        why.value = told;
      },
      (error: unknown) => {
        // forgotten by the mock, which the rest of the page tells
        if (!(error instanceof Refused) && !asked.signal.aborted) throw error;
      },
    );
    return () => asked.abort();
  }, [seq, isRefusal, why]);
  return why;
}

function WhyCard({ why, seq }: { readonly why: Why; readonly seq: number }): JSX.Element {
  const {
    rule,
    step,
    order = [],
    message,
    where,
    wouldPass,
    reference,
    scenarios,
    warning,
    example,
    nearest = [],
    existing = [],
    repair,
  } = why;
  const reached = order.indexOf(step);
  return (
    <section class="why card" aria-label="Why it was refused">
      <h2>
        {warning === null ? 'Refused' : 'Served, with a warning'}: <code>{rule}</code>
      </h2>
      {reached >= 0 && (
        <ol class="steps" aria-label="Order of judgement">
          {order.map((name, index) => (
            <li
              key={name}
              class={index < reached ? 'passed' : index === reached ? 'stopped' : 'unreached'}
              aria-current={index === reached ? 'step' : undefined}
            >
              {name}
            </li>
          ))}
        </ol>
      )}
      <p>{message}</p>
      {where.length > 0 && (
        <ul class="where">
          {where.map((one) => (
            <li key={`${one.in} ${one.pointer ?? one.name}`}>
              <code>{[one.in, one.pointer ?? one.name].filter(Boolean).join(' ')}</code> {one.message}
            </li>
          ))}
        </ul>
      )}
      <dl class="pairs">
        <dt>would pass</dt>
        <dd>{wouldPass}</dd>
        <dt>rests on</dt>
        <dd>{reference}</dd>
        {scenarios.length > 0 && (
          <>
            <dt>scenarios</dt>
            <dd>
              <a href={linkTo('scenarios')}>{scenarios.join(', ')}</a>
            </dd>
          </>
        )}
        {nearest.length > 0 && (
          <>
            <dt>nearest</dt>
            <dd>
              {nearest.map((near) => (
                <div key={near.operationId}>
                  <a href={linkTo('reference', near.operationId)}>
                    <code>
                      {near.method} {near.path}
                    </code>
                  </a>
                </div>
              ))}
            </dd>
          </>
        )}
        {existing.length > 0 && (
          <>
            <dt>there are</dt>
            <dd>
              {existing.map((id) => (
                <code class="id" key={id}>
                  {id}
                </code>
              ))}
            </dd>
          </>
        )}
      </dl>
      <div class="actions">
        {repair && Object.keys(repair).length > 0 && (
          <Action class="primary" act={() => repeat(seq, repair)}>
            Repeat with {repairWords(repair)}
          </Action>
        )}
        {example !== null && (
          <Copy text={() => example} what="a request that passes">
            Copy a request that passes
          </Copy>
        )}
      </div>
    </section>
  );
}

function repairWords({ method, path, token }: Repair): string {
  const words = [token && 'a fresh token', method && `${method}`, path && `path ${path}`];
  return words.filter(Boolean).join(', ');
}

/** What each place of a body rests on, by JSON pointer; the items of a list are alike. */
function provenanceFor(
  operationId: string | null,
  of: 'request' | 'response',
): (pointer: string) => string | undefined {
  const fields = fieldsByOperation.value.get(operationId ?? '') ?? [];
  const known = new Map(
    fields.filter((field) => field.of === of).map(({ pointer, provenance }) => [pointer, provenance]),
  );
  return (pointer) => known.get(pointer.replace(/\/\d+(?=\/|$)/g, '/*'));
}

function headerOf(headers: JournalEntry['request']['headers'], name: string): string | undefined {
  return headers.find(([one]) => one.toLowerCase() === name)?.[1];
}

interface SideProps {
  readonly provenance: (pointer: string) => string | undefined;
  readonly title: string;
  readonly headers: JournalEntry['request']['headers'];
  readonly body: JournalBody | null;
  readonly marks: readonly Wrong[];
  readonly wrong: readonly Wrong[];
}

function Side({ title, headers, body, marks, wrong, provenance }: SideProps): JSX.Element {
  const faulty = new Map(
    wrong.filter((one) => one.in === 'header').map((one) => [one.name?.toLowerCase(), one.message]),
  );
  return (
    <section class="side card" aria-label={title}>
      <h2>{title}</h2>
      <details open={headers.length <= 5 || faulty.size > 0}>
        <summary class="soft">
          {headers.length} header {headers.length === 1 ? 'field' : 'fields'}
        </summary>
        <dl class="headers">
          {headers.map(([name, value], index) => (
            <div key={index} class={faulty.has(name.toLowerCase()) ? 'is-wrong' : undefined}>
              <dt>{name}</dt>
              <dd>
                {value}
                {faulty.has(name.toLowerCase()) && <em class="wrong-here">{faulty.get(name.toLowerCase())}</em>}
              </dd>
            </div>
          ))}
          {[...faulty]
            .filter(([name]) => !headers.some(([one]) => one.toLowerCase() === name))
            .map(([name, message]) => (
              <div key={name} class="is-wrong">
                <dt>{name}</dt>
                <dd>
                  <em class="wrong-here">{message}</em>
                </dd>
              </div>
            ))}
        </dl>
      </details>
      <BodyOf body={body} marks={marks} provenance={provenance} />
    </section>
  );
}

function BodyOf({ body, marks, provenance }: Pick<SideProps, 'body' | 'marks' | 'provenance'>): JSX.Element {
  if (body === null) {
    return (
      <>
        <p class="soft">no body</p>
        {marks.length > 0 && <Json value={undefined} marks={marks} />}
      </>
    );
  }
  const about = (
    <p class="soft">
      {body.bytes} bytes{body.state !== 'complete' && `, ${body.state}`}
    </p>
  );
  switch (body.kind) {
    case 'json':
      return (
        <>
          {about}
          <Json value={body.json} marks={marks} provenance={provenance} />
        </>
      );
    case 'form':
      return (
        <>
          {about}
          <Json value={Object.fromEntries(body.fields)} marks={marks} provenance={provenance} />
        </>
      );
    case 'text':
      return (
        <>
          {about}
          <pre class="text">{body.text}</pre>
        </>
      );
    default:
      return (
        <p class="soft">
          {body.kind === 'binary' ? `${body.bytes} bytes that are no text` : `${body.bytes} bytes, too many to be kept`}
        </p>
      );
  }
}
