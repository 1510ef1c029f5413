import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { controlUrl, credentials, freshToken } from '../control.ts';
import { exchange, exchanges, PAGE_MARK, revision } from '../exchanges.ts';
import { about } from '../live.ts';
import { Action, StatusCode } from '../parts/controls.tsx';
import type { BodyShape } from '../parts/fields.ts';
import { Choice, Text } from '../parts/inputs.tsx';
import { linkTo } from '../route.ts';
import { pathValues, type ServedOperation } from '../served.ts';
import { headerValue, MessageSide } from './message.tsx';

interface TryItProps {
  readonly operation: ServedOperation;
  readonly request: BodyShape | undefined;
  readonly from: string | undefined;
}

interface Sent {
  readonly id: string;
  readonly status: number;
  readonly ms: number;
}

type Values = Readonly<Record<string, string>>;

const TOKENS = [
  ['fresh', 'a fresh one'],
  ['none', 'none'],
  ['bad', 'one that the mock never issued'],
] as const;

export function TryIt({ operation, request, from }: TryItProps): JSX.Element {
  const before = beginWith(operation, request, from);
  const values = useSignal<Values>(before.values);
  const body = useSignal(before.body);
  const token = useSignal<string>('fresh');
  const sent = useSignal<Sent | null>(null);
  const issues = about.value?.tokenOperation === operation.operationId;
  const shown = operation.parameters.filter(({ in: place }) => place !== 'cookie');

  const send = async (): Promise<void> => {
    const id = `try-it-${crypto.getRandomValues(new Uint32Array(1))[0]}`;
    const headers: Record<string, string> = { [PAGE_MARK]: id };
    const form = new URLSearchParams();
    if (issues) {
      const { username, password } = await credentials();
      if (about.value?.clientAuthentication === 'basic')
        headers.authorization = `Basic ${base64(`${username}:${password}`)}`;
      else {
        form.set('client_id', username);
        form.set('client_secret', password);
      }
    } else if (token.value !== 'none')
      headers.authorization = `Bearer ${token.value === 'bad' ? 'no-token-of-this-mock' : await freshToken()}`;
    const at = new URL(controlUrl('/').replace(/\/__mock\/$/, '') + filled(operation, values.value), location.href);
    for (const { name, in: place } of shown) {
      const value = values.value[`${place} ${name}`] ?? '';
      if (value === '') continue;
      if (place === 'query') at.searchParams.set(name, value);
      else if (place === 'header') headers[name] = value;
    }
    const hasBody = request !== undefined && body.value.trim() !== '';
    if (hasBody) headers['content-type'] = request.type;
    const began = performance.now();
    const { status } = await fetch(at, {
      method: operation.method,
      headers,
      ...(hasBody && { body: [body.value, form.toString()].filter(Boolean).join('&') }),
    });
    sent.value = { id, status, ms: Math.round(performance.now() - began) };
  };

  return (
    <section class="card pad stack" aria-label="Try it">
      <h3>Try it</h3>
      <form class="stack" onSubmit={(event) => event.preventDefault()}>
        {shown.map((parameter) => {
          const key = `${parameter.in} ${parameter.name}`;
          return (
            <label key={key} class="field-line">
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
          <label class="field-line">
            <span>token</span>
            <Choice chosen={token} of={TOKENS} />
          </label>
        )}
        {request && (
          <label class="field-line">
            <span>
              body <small class="soft">{request.type}</small>
            </span>
            <Text text={body} rows={Math.min(16, body.value.split('\n').length + 1)} />
          </label>
        )}
        <p>
          <Action class="primary" act={send}>
            Send
          </Action>
        </p>
      </form>
      {sent.value && <Answer sent={sent.value} />}
    </section>
  );
}

/** The status appears at once, the rest when the journal has the exchange. It is redacted like all output. */
function Answer({ sent: { id, status, ms } }: { readonly sent: Sent }): JSX.Element {
  revision.value;
  const entry = exchanges().findLast((one) => headerValue(one.entry.request.headers, PAGE_MARK) === id)?.entry;
  return (
    <section class="stack" aria-label="Answer" aria-live="polite">
      <p class="line">
        <StatusCode status={status} />
        <span class="soft">{ms} ms</span>
        {entry && <a href={linkTo('exchange', entry.seq)}>exchange {entry.seq}</a>}
      </p>
      {entry && <MessageSide of="response" entry={entry} />}
    </section>
  );
}

function beginWith(
  operation: ServedOperation,
  request: BodyShape | undefined,
  from: string | undefined,
): { readonly values: Values; readonly body: string } {
  const entry = from === undefined ? undefined : exchange(Number(from.slice(5)))?.entry;
  const values = exampleValues(operation);
  const body = entry?.request.body;
  if (entry) {
    for (const [name, value] of Object.entries(pathValues(operation.path, entry.path))) values[`path ${name}`] = value;
    for (const [name, value] of new URLSearchParams(entry.path.split('?')[1] ?? '')) values[`query ${name}`] = value;
  }
  if (body?.kind === 'json') return { values, body: JSON.stringify(body.json, null, 2) };
  if (body?.kind === 'text') return { values, body: body.text };
  return { values, body: request?.example === undefined ? '' : textOf(request.type, request.example) };
}

function textOf(type: string, example: unknown): string {
  if (typeof example === 'string') return example;
  if (type.includes('form')) return new URLSearchParams(Object.entries(example as Record<string, string>)).toString();
  return JSON.stringify(example, null, 2);
}

/** Example values by place and name. The served document uses ids of its seed as examples. */
export function exampleValues({ parameters }: ServedOperation): Record<string, string> {
  const path = parameters.filter(({ in: place }) => place === 'path');
  return Object.fromEntries(path.map(({ name, example }) => [`path ${name}`, String(example ?? '')]));
}

export function filled({ path, parameters }: ServedOperation, values: Values): string {
  return parameters.reduce(
    (at, { name, in: place }) =>
      place === 'path' ? at.replaceAll(`{${name}}`, encodeURIComponent(values[`path ${name}`] ?? '')) : at,
    path,
  );
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
