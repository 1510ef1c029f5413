import type { JSX } from 'preact';
import type { JournalEntry } from '../../src/journal/entry.ts';
import { header } from '../../src/model/exchange.ts';
import { plain } from '../../src/text/plain.ts';
import { health } from '../live.ts';
import { Action, Copy, ProvenanceMark, StatusCode } from '../parts/controls.tsx';
import { curlOf } from '../parts/snippets.ts';
import { testOf } from '../parts/test-code.ts';
import { moment } from '../parts/words.ts';
import { linkTo } from '../route.ts';
import { operationById } from '../served.ts';
import { DiagnosisCard, sendAgain, useDiagnosis } from './diagnosis.tsx';
import { Marks, MessageSide, millisecondsOf } from './message.tsx';

export function ExchangeDetail({ entry }: { readonly entry: JournalEntry }): JSX.Element {
  const { seq, method, path, operationId, response, startedAt, token, connection } = entry;
  const why = useDiagnosis(entry);
  const rests = header(response?.headers ?? [], 'x-mock-provenance');
  const operation = operationById(operationId);
  const url = `${health.value?.url ?? ''}${path}`;
  return (
    <article class="stack">
      <h2 class="line">
        <StatusCode status={response?.status} /> {method} <code>{plain(path)}</code>
      </h2>
      <p class="soft line">
        <span>#{seq}</span>
        {operationId && <a href={linkTo('reference', operationId)}>{operationId}</a>}
        <Marks entry={entry} />
        <ProvenanceMark of={rests} />
        <time dateTime={startedAt}>{moment(startedAt)}</time>
        <span>{millisecondsOf(entry)} ms</span>
        {connection !== null && <span>connection {connection}</span>}
        {token && (
          <span title={token.expiresIn === null ? undefined : `issued ${token.issuedAt}, for ${token.expiresIn} s`}>
            token <code>{token.id.slice(0, 10)}</code>
          </span>
        )}
      </p>
      <div class="line">
        <Action
          class="primary"
          act={() => sendAgain(seq, {})}
          title="The same request again, with a token of now where it had one"
        >
          Repeat
        </Action>
        <Copy text={() => curlOf(entry, url)} what="the request as curl">
          Copy curl
        </Copy>
        <Copy text={() => JSON.stringify(entry, null, 2)} what="the line of the journal">
          Copy JSON
        </Copy>
        <span class="line">
          Make this a test:
          {(['vitest', 'playwright'] as const).map((runner) => (
            <Copy key={runner} text={() => testOf(entry, runner)} what={`a test for ${runner}`}>
              {runner}
            </Copy>
          ))}
        </span>
        {operation && (
          <a class="button" href={linkTo('reference', operation.operationId, `from-${seq}`)}>
            Open in try-it
          </a>
        )}
      </div>
      {why.value && <DiagnosisCard why={why.value} />}
      <div class="tiles sides">
        <MessageSide of="request" entry={entry} wrong={why.value?.where} />
        <MessageSide of="response" entry={entry} />
      </div>
    </article>
  );
}
