import type { JSX } from 'preact';
import type { JournalEntry } from '../../src/journal/entry.ts';
import { plain } from '../../src/plain.ts';
import { health } from '../live.ts';
import { Action, Copy, Rests, StatusCode } from '../parts/controls.tsx';
import { Icon } from '../parts/icon.tsx';
import { curlOf, fetchOf } from '../parts/snippets.ts';
import { linkTo } from '../route.ts';
import { operationById } from '../served.ts';
import { fieldsByOperation } from '../usage.ts';
import { headerOf, Side } from './message.tsx';
import { repeat, useWhy, WhyCard } from './why.tsx';

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
          <StatusCode status={response?.status} /> <b>{method}</b> <span class="path">{plain(path)}</span>
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
