import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Method } from '../../src/contract/contract.ts';
import { createMatcher } from '../../src/contract/paths.ts';
import { header } from '../../src/model/exchange.ts';
import { changes, controlUrl, credentials } from '../control.ts';
import { exchange, exchanges, PAGE_MARK, revision } from '../exchanges.ts';
import { about, bearerToken } from '../live.ts';
import { Action, StatusCode } from '../parts/controls.tsx';
import { type BodyShape, exampleOf } from '../parts/fields.ts';
import { type Bindable, bound, Choice, Text } from '../parts/inputs.tsx';
import { linkTo } from '../route.ts';
import { refreshServed, type ServedOperation, type ServedParameter, served } from '../served.ts';
import { useReveal } from '../surface.ts';
import { MessageSide } from './message.tsx';

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

/** Values of parameters by place and name (`path cardId`), and the `body`. */
type Values = Readonly<Record<string, string>>;

const TOKENS = [
  ['fresh', 'a fresh one'],
  ['none', 'none'],
  ['bad', 'one that the mock never issued'],
] as const;
const WRONG = 'no-token-of-this-mock';

export function TryIt({ operation, request, from }: TryItProps): JSX.Element {
  const edited = useSignal<Values>({});
  const token = useSignal<string>('fresh');
  const sent = useSignal<Sent | null>(null);
  useEffect(() => void refreshServed(), []);
  const values = { ...examplesOf(operation), ...bodyOf(request), ...valuesFrom(operation, from), ...edited.value };
  const issues = about.value?.tokenOperation === operation.operationId;
  const form = useReveal<HTMLElement>(from !== undefined);
  const shown = operation.parameters.filter(({ in: place }) => place !== 'cookie');
  const field = (key: string): Bindable => ({
    get value() {
      return values[key] ?? '';
    },
    set value(text) {
      edited.value = { ...edited.value, [key]: text };
    },
  });

  const send = async (): Promise<void> => {
    const id = `try-it-${crypto.getRandomValues(new Uint32Array(1))[0]}`;
    const { target, headers } = await requestOf(operation, values, token.value);
    let { body = '' } = values;
    if (issues && about.value?.clientAuthentication !== 'basic') {
      const { username, password } = await credentials();
      const form = new URLSearchParams(body);
      form.set('client_id', username);
      form.set('client_secret', password);
      body = String(form);
    }
    const isMultipart = request?.type === 'multipart/form-data';
    const type = request && !isMultipart ? { 'content-type': request.type } : {};
    const began = performance.now();
    const { status } = await fetch(controlUrl('/').replace(/\/__mock\/$/, '') + target, {
      method: operation.method,
      headers: { ...headers, [PAGE_MARK]: id, ...(body.trim() !== '' && type) },
      // the browser states the type of a multipart body, with its boundary
      ...(request && body.trim() !== '' && { body: isMultipart ? partsOf(body) : body }),
      // the browser would ask for a password after a challenge
      credentials: 'omit',
    });
    changes.value += 1;
    sent.value = { id, status, ms: Math.round(performance.now() - began) };
  };

  return (
    <section class="card pad stack" aria-label="Try it" ref={form}>
      <h3>Try it</h3>
      <form class="stack" onSubmit={(event) => event.preventDefault()}>
        {shown.map((parameter) => {
          const key = `${parameter.in} ${parameter.name}`;
          return (
            <label key={key} class="stack">
              <span>
                {parameter.name} <small class="soft">{parameter.in}</small>
              </span>
              <input
                {...bound(field(key))}
                required={parameter.required === true}
                placeholder={parameter.required ? '' : String(parameter.example ?? '')}
              />
            </label>
          );
        })}
        {!issues && (
          <label class="stack">
            <span>token</span>
            <Choice chosen={token} of={TOKENS} />
          </label>
        )}
        {request && (
          <label class="stack">
            <span>
              body <small class="soft">{request.type}</small>
            </span>
            <Text text={field('body')} rows={Math.min(16, `${values.body}`.split('\n').length + 1)} />
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
  const entry = exchanges().findLast((one) => header(one.entry.request.headers, PAGE_MARK) === id)?.entry;
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

/** The values of an exchange of the journal: `from-17`. */
function valuesFrom({ method, path }: ServedOperation, from = ''): Values {
  const entry = exchange(Number(from.slice(5)))?.entry;
  if (entry === undefined) return {};
  const match = createMatcher([{ method: method as Method, path }])(entry.method, entry.path);
  const body = entry.request.body;
  const query = new URLSearchParams(entry.path.split('?')[1]);
  return {
    ...(match?.kind === 'operation' && placed('path', Object.entries(match.pathParameters))),
    ...placed('query', query),
    ...(body?.kind === 'json' && { body: JSON.stringify(body.json, null, 2) }),
    ...(body?.kind === 'text' && { body: body.text }),
  };
}

function placed(place: ServedParameter['in'], values: Iterable<readonly [name: string, value: string]>): Values {
  return Object.fromEntries([...values].map(([name, value]) => [`${place} ${name}`, value]));
}

function bodyOf(request: BodyShape | undefined): Values {
  const { type = '', example } = request ?? {};
  if (example === undefined) return {};
  if (typeof example === 'string') return { body: example };
  if (!type.includes('form')) return { body: JSON.stringify(example, null, 2) };
  const fields = Object.entries(example ?? {}).map(([name, value]) => [
    name,
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  ]);
  return { body: String(new URLSearchParams(fields)) };
}

function partsOf(form: string): FormData {
  const parts = new FormData();
  for (const [name, text] of new URLSearchParams(form)) parts.append(name, text);
  return parts;
}

/** Examples of the required parameters. The served document names records that exist. Without one, any text will do. */
export function examplesOf({ parameters }: ServedOperation): Values {
  const document = served.value;
  const required = parameters.filter((one) => one.required === true);
  return Object.fromEntries(
    required.map((one) => [`${one.in} ${one.name}`, String((document && exampleOf(document, one)) ?? one.name)]),
  );
}

/** Path, query and header fields of a request, with the credentials that its operation needs. */
export async function requestOf(
  operation: ServedOperation,
  values: Values,
  token = 'fresh',
): Promise<{ readonly target: string; readonly headers: Readonly<Record<string, string>> }> {
  const given = operation.parameters.map((one) => [one.in, one.name, values[`${one.in} ${one.name}`] ?? ''] as const);
  const headers: Record<string, string> = {};
  const query = new URLSearchParams();
  let target = operation.path;
  for (const [place, name, value] of [...given, ...(await credentialsOf(operation, token))]) {
    if (place === 'path') target = target.replaceAll(`{${name}}`, encodeURIComponent(value));
    else if (value !== '' && place === 'query') query.set(name, value);
    else if (value !== '' && place === 'header') headers[name] = value;
  }
  return { target: query.size > 0 ? `${target}?${query}` : target, headers };
}

type Placed = readonly [place: ServedParameter['in'], name: string, value: string];

async function credentialsOf({ operationId, raw }: ServedOperation, token: string): Promise<readonly Placed[]> {
  if (token === 'none') return [];
  const authorization = (scheme: string, value: string): Placed => ['header', 'Authorization', `${scheme} ${value}`];
  const { username, password } = await credentials();
  const basic = authorization('Basic', base64(`${username}:${password}`));
  if (operationId === about.value?.tokenOperation) return about.value.clientAuthentication === 'basic' ? [basic] : [];
  const bearer = authorization('Bearer', token === 'bad' ? WRONG : await bearerToken());
  const [needed = {}] = (raw.security ?? served.value?.security ?? []) as readonly object[];
  return Object.keys(needed).map((name): Placed => {
    const {
      type,
      scheme,
      in: place = 'header',
      name: field = '',
    } = served.value?.components?.securitySchemes?.[name] ?? {};
    if (type === 'apiKey') return [place, field, token === 'bad' ? WRONG : password];
    return scheme?.toLowerCase() === 'basic' && token !== 'bad' ? basic : bearer;
  });
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
