import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Delivery } from '../../src/mock/webhooks/delivery.ts';
import type { InboxMessage } from '../../src/mock/webhooks/inbox.ts';
import type { ShownWebhook } from '../../src/mock/webhooks/webhooks.ts';
import { change } from '../control.ts';
import { Action, Copy, StatusCode, say } from '../parts/controls.tsx';
import { Check, Choice, Field } from '../parts/inputs.tsx';
import { Json } from '../parts/json.tsx';
import { useControl } from './load.ts';

const SIGNATURES = {
  good: ['good', 'signature holds'],
  bad: ['error', 'signature does not hold'],
  none: ['info', 'not signed'],
} as const;

/** Where events are sent, what became of each, and an inbox for who has no receiver yet. */
export function WebhooksView(): JSX.Element {
  const hooks = useControl<{ webhooks: readonly ShownWebhook[]; events: readonly string[] }>('/webhooks');
  const sent = useControl<{ deliveries: readonly Delivery[] }>('/webhooks/deliveries');
  const inbox = useControl<{ messages: readonly InboxMessage[] }>('/webhooks/inbox');
  const again = async (): Promise<void> => {
    await Promise.all([hooks.again(), sent.again(), inbox.again()]);
  };
  const webhooks = hooks.value.value?.webhooks ?? [];
  return (
    <div class="page">
      <h1>Webhooks</h1>
      <p>
        How the API delivers events is not shown: payload, signature (Standard Webhooks) and retries are the mock's own.
      </p>
      <Register
        events={hooks.value.value?.events ?? []}
        hasInbox={webhooks.some(({ url }) => url === 'inbox:')}
        again={again}
      />
      <ul class="plain">
        {webhooks.map((one) => (
          <li key={one.id} class="card line">
            <b>{one.url === 'inbox:' ? 'the inbox below' : one.url}</b>
            <span class="soft">
              {[
                one.event,
                one.signed && 'signed',
                !one.automatic && 'by hand',
                one.duplicates > 0 && `${one.duplicates} duplicates`,
                one.outOfOrder && 'out of order',
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
            {one.disabled && <span class="code error">disabled by 410</span>}
            <span class="bar-space" />
            <Action act={() => change('POST', `/webhooks/${one.id}/fire`, {}).then(again)} done="Sent">
              Send now
            </Action>
            <Action act={() => change('DELETE', `/webhooks/${one.id}`).then(again)} done="Removed">
              Remove
            </Action>
          </li>
        ))}
      </ul>
      <h2>Inbox</h2>
      <Inbox messages={inbox.value.value?.messages ?? []} again={again} />
      <h2>Deliveries</h2>
      <Deliveries deliveries={sent.value.value?.deliveries ?? []} again={again} />
    </div>
  );
}

interface RegisterProps {
  readonly events: readonly string[];
  readonly hasInbox: boolean;
  readonly again: () => Promise<void>;
}

function Register({ events, hasInbox, again }: RegisterProps): JSX.Element {
  const url = useSignal('');
  const event = useSignal('');
  const isSigned = useSignal(true);
  const register = async (to: string): Promise<void> => {
    const secret = isSigned.value ? newSecret() : undefined;
    await change('POST', '/webhooks', {
      url: to,
      ...(event.value && { event: event.value }),
      ...(secret && { secret }),
    });
    if (secret && to !== 'inbox:') {
      await navigator.clipboard?.writeText(secret);
      say('Registered; its secret is in the clipboard');
    }
    url.value = '';
    await again();
  };
  return (
    <form
      class="actions card pad"
      onSubmit={(submitted) => {
        submitted.preventDefault();
      }}
    >
      <Field text={url} label="URL" type="url" placeholder="http://127.0.0.1:3000/hooks" />
      {events.length > 1 && (
        <label class="choice">
          event
          <Choice chosen={event} of={events} />
        </label>
      )}
      <Check checked={isSigned}>signed</Check>
      <Action act={() => register(url.value)} disabled={url.value === ''} done={undefined}>
        Register
      </Action>
      <Action
        class="primary"
        act={() => register('inbox:')}
        disabled={hasInbox}
        done="The inbox receives every event from now on"
      >
        Use the inbox
      </Action>
    </form>
  );
}

function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}

function Inbox({
  messages,
  again,
}: {
  readonly messages: readonly InboxMessage[];
  readonly again: () => Promise<void>;
}): JSX.Element {
  if (messages.length === 0)
    return <p class="soft">Empty. Use the inbox above, then change a record that emits an event.</p>;
  return (
    <>
      <p class="actions">
        <Action act={() => change('DELETE', '/webhooks/inbox').then(again)} done="The inbox is empty">
          Empty the inbox
        </Action>
      </p>
      <ul class="plain">
        {messages.map(({ number, at, headers, body, signature, earlier }) => (
          <li key={number} class="card">
            <details>
              <summary class="line">
                <b>{typeOf(body) ?? `message ${number}`}</b>
                <span class={`code ${SIGNATURES[signature][0]}`}>{SIGNATURES[signature][1]}</span>
                {earlier > 0 && <span class="code warning">a repeat</span>}
                <time class="soft">{at.replace('T', ' ').slice(0, 19)}</time>
              </summary>
              <dl class="headers pad">
                {headers.map(([name, value]) => (
                  <div key={name}>
                    <dt>{name}</dt>
                    <dd>{value}</dd>
                  </div>
                ))}
              </dl>
              <div class="pad">
                <Json value={JSON.parse(body)} />
              </div>
            </details>
          </li>
        ))}
      </ul>
    </>
  );
}

function typeOf(body: string): string | null {
  const value = JSON.parse(body) as { readonly type?: unknown } | null;
  return typeof value?.type === 'string' ? value.type : null;
}

function Deliveries({
  deliveries,
  again,
}: {
  readonly deliveries: readonly Delivery[];
  readonly again: () => Promise<void>;
}): JSX.Element {
  if (deliveries.length === 0) return <p class="soft">Nothing was sent yet.</p>;
  return (
    <ul class="plain">
      {deliveries.map(({ id, url, outcome, tries, body }, index) => (
        <li key={`${id} ${index}`} class="card">
          <details>
            <summary class="line">
              <span class={`code ${outcome === 'delivered' ? 'good' : 'error'}`}>{outcome}</span>
              <b>{url === 'inbox:' ? 'inbox' : url}</b>
              <span class="soft">
                {tries.length} {tries.length === 1 ? 'try' : 'tries'}
              </span>
              <code class="soft">{id}</code>
            </summary>
            <div class="pad">
              <ul class="where">
                {tries.map(({ at, status, failure }) => (
                  <li key={at}>
                    {at.replace('T', ' ').slice(0, 19)} {status === null ? failure : <StatusCode status={status} />}
                  </li>
                ))}
              </ul>
              <Json value={JSON.parse(body)} />
              <p class="actions">
                <Action
                  act={() => change('POST', `/webhooks/deliveries/${encodeURIComponent(id)}/replay`, {}).then(again)}
                  done="Sent once more"
                >
                  Replay
                </Action>
                <Copy text={() => body} what="the payload">
                  Copy payload
                </Copy>
              </p>
            </div>
          </details>
        </li>
      ))}
    </ul>
  );
}
