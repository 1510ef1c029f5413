import type { JSX } from 'preact';
import type { JournalBody, JournalEntry } from '../../src/journal/entry.ts';
import { plain, plainLines } from '../../src/plain.ts';
import type { Wrong } from '../control.ts';
import { Json } from '../parts/json.tsx';

export function headerOf(headers: JournalEntry['request']['headers'], name: string): string | undefined {
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

/** Request or response: its header fields and its body, with what is wrong marked at its place. */
export function Side({ title, headers, body, marks, wrong, provenance }: SideProps): JSX.Element {
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
                {plain(value)}
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
          <pre class="text">
            <Marked text={body.text} at={marks.find(({ position }) => position !== undefined)} />
          </pre>
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

/** A text with the place marked at which it could not be read on. */
function Marked({ text, at }: { readonly text: string; readonly at: Wrong | undefined }): JSX.Element {
  const { position: { line, column } = { line: 0, column: 0 }, message } = at ?? { message: '' };
  const lines = text.split('\n');
  const here = lines[line - 1];
  // what is masked before it in its line has another length
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
