import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { plainLines } from '../../src/plain.ts';
import { addressOf, change, readSecret } from '../control.ts';
import { exchange, exchanges, newest } from '../exchanges.ts';
import { about } from '../live.ts';
import { Action, Rests, StatusCode } from '../parts/controls.tsx';
import type { BodyShape } from '../parts/fields.ts';
import { Choice, Text } from '../parts/inputs.tsx';
import { Json } from '../parts/json.tsx';
import { linkTo } from '../route.ts';
import { type Parameter, pathParameters, type ServedOperation } from '../served.ts';
import { isFromPage } from '../usage.ts';

interface TryItProps {
  readonly operation: ServedOperation;
  readonly request: BodyShape | undefined;
  readonly from: string | undefined;
}

interface Sent {
  readonly status: number;
  readonly ms: number;
  readonly type: string;
  readonly body: unknown;
  readonly provenance: string | undefined;
  /** Number of the exchange in the journal, where it has arrived there. */
  readonly seq: number | undefined;
}

type Values = Readonly<Record<string, string>>;

const TOKENS = [
  ['fresh', 'a fresh one'],
  ['none', 'none'],
  ['bad', 'one that the mock never issued'],
] as const;

/** Marks what the reader sends by hand: no doing of the application. */
const FROM_PAGE = { 'x-mock-page': 'try-it' };

/** Sends a request of an operation to the mock, with ids that exist and a token filled in. */
export function TryIt({ operation, request, from }: TryItProps): JSX.Element {
  const before = beginWith(operation, request, from);
  const values = useSignal<Values>(before.values);
  const body = useSignal(before.body);
  const token = useSignal<string>('fresh');
  const sent = useSignal<Sent | null>(null);
  const issues = about.value?.tokenOperation === operation.operationId;
  const shown = operation.parameters.filter(({ in: place }) => place !== 'cookie');

  const send = async (): Promise<void> => {
    const headers: Record<string, string> = { ...FROM_PAGE };
    const form = new URLSearchParams();
    if (issues) {
      const { username, password } = await readSecret<{ username: string; password: string }>('/credentials');
      if (about.value?.clientAuthentication === 'basic')
        headers.authorization = `Basic ${base64(`${username}:${password}`)}`;
      else {
        form.set('client_id', username);
        form.set('client_secret', password);
      }
    } else if (token.value !== 'none')
      headers.authorization = `Bearer ${token.value === 'bad' ? 'no-token-of-this-mock' : await freshToken()}`;
    const at = new URL(
      addressOf('/').replace(/\/__mock\/$/, '') + filled(operation.path, shown, values.value),
      location.href,
    );
    for (const { name, in: place } of shown) {
      const value = values.value[`${place} ${name}`] ?? '';
      if (value === '') continue;
      if (place === 'query') at.searchParams.set(name, value);
      else if (place === 'header') headers[name] = value;
    }
    const hasBody = request !== undefined && body.value.trim() !== '';
    if (hasBody) headers['content-type'] = request.type;
    const last = newest();
    const began = performance.now();
    const response = await fetch(at, {
      method: operation.method,
      headers,
      ...(hasBody && { body: [body.value, form.toString()].filter(Boolean).join('&') }),
    });
    const text = await response.text();
    const ms = Math.round(performance.now() - began);
    const provenance = response.headers.get('x-mock-provenance') ?? undefined;
    const type = response.headers.get('content-type') ?? '';
    sent.value = {
      status: response.status,
      ms,
      type,
      body: readable(text),
      provenance,
      seq: await numberOf(last, operation.operationId),
    };
  };

  return (
    <section class="card pad try" aria-label="Try it">
      <h2>Try it</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
        }}
      >
        {shown.map((parameter) => {
          const key = `${parameter.in} ${parameter.name}`;
          return (
            <label key={key} class="try-line">
              <span>
                {parameter.name} <small class="soft">{parameter.in}</small>
              </span>
              <input
                value={values.value[key] ?? ''}
                required={parameter.required === true}
                onInput={({ currentTarget }) => {
                  values.value = { ...values.value, [key]: currentTarget.value };
                }}
              />
            </label>
          );
        })}
        {!issues && (
          <label class="try-line">
            <span>token</span>
            <Choice chosen={token} of={TOKENS} />
          </label>
        )}
        {request && (
          <label class="try-line">
            <span>
              body <small class="soft">{request.type}</small>
            </span>
            <Text text={body} rows={Math.min(16, body.value.split('\n').length + 1)} />
          </label>
        )}
        <p class="actions">
          <Action class="primary" act={send}>
            Send
          </Action>
        </p>
      </form>
      {sent.value && <Answer sent={sent.value} />}
    </section>
  );
}

function Answer({ sent: { status, ms, type, body, provenance, seq } }: { readonly sent: Sent }): JSX.Element {
  return (
    <section class="answer" aria-label="Answer" aria-live="polite">
      <p class="facts">
        <StatusCode status={status} />
        <Rests on={provenance} />
        <span class="soft">{ms} ms</span>
        <span class="soft">{type}</span>
        {seq !== undefined && <a href={linkTo('exchange', seq)}>exchange {seq}</a>}
      </p>
      {typeof body === 'string' ? (
        <pre class="text">{plainLines(body)}</pre>
      ) : (
        body !== undefined && <Json value={body} />
      )}
    </section>
  );
}

/** What stands in the form at first: the request of an exchange, or examples of the document. */
function beginWith(
  operation: ServedOperation,
  request: BodyShape | undefined,
  from: string | undefined,
): { readonly values: Values; readonly body: string } {
  const entry = from?.startsWith('from-') ? exchange(Number(from.slice(5)))?.entry : undefined;
  const own = Object.fromEntries(
    operation.parameters.map(({ in: place, name, example }) => [
      `${place} ${name}`,
      example === undefined || place !== 'path' ? '' : String(example),
    ]),
  );
  const example = request?.example;
  const empty =
    example === undefined
      ? ''
      : typeof example === 'string'
        ? example
        : request?.type.includes('form')
          ? formOf(example)
          : JSON.stringify(example, null, 2);
  if (!entry) return { values: own, body: empty };
  const query = new URLSearchParams(entry.path.split('?')[1] ?? '');
  const sent = {
    ...Object.fromEntries(
      Object.entries(pathParameters(operation.path, entry.path)).map(([name, value]) => [`path ${name}`, value]),
    ),
    ...Object.fromEntries([...query].map(([name, value]) => [`query ${name}`, value])),
  };
  const { body } = entry.request;
  return {
    values: { ...own, ...sent },
    body: body?.kind === 'json' ? JSON.stringify(body.json, null, 2) : body?.kind === 'text' ? body.text : empty,
  };
}

function formOf(example: unknown): string {
  return new URLSearchParams(Object.entries(example as Record<string, string>)).toString();
}

function filled(path: string, parameters: readonly Parameter[], values: Values): string {
  return parameters.reduce(
    (at, { name, in: place }) =>
      place === 'path' ? at.replaceAll(`{${name}}`, encodeURIComponent(values[`path ${name}`] ?? '')) : at,
    path,
  );
}

function readable(text: string): unknown {
  if (text === '') return undefined;
  try {
    return masked(JSON.parse(text));
  } catch {
    return text;
  }
}

/** A token that the reader asked for is not shown: it can be copied where tokens are. */
function masked(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, 'access_token'))
    return value;
  return { ...value, access_token: '[not shown]' };
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

/** Issued by the control API, so that no token request is counted. */
async function freshToken(): Promise<string> {
  return (await change<{ access_token: string }>('POST', '/tokens')).access_token;
}

/** The exchange that was just heard; the stream may be a moment late. */
async function numberOf(after: number, operationId: string): Promise<number | undefined> {
  for (let tries = 0; tries < 20; tries += 1) {
    const found = exchanges().findLast(
      ({ entry, order }) => order > after && entry.operationId === operationId && isFromPage(entry),
    );
    if (found) return found.entry.seq;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return undefined;
}
