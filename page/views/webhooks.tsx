import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Delivery, Webhook } from '../../generated/mock/control.ts';
import { change } from '../control.ts';
import { Action, Copy, copy, StatusCode, say } from '../parts/controls.tsx';
import { Choice, Field } from '../parts/inputs.tsx';
import { JsonTree } from '../parts/json.tsx';
import { Page } from '../parts/layout.tsx';
import { moment } from '../parts/words.ts';
import { linkTo } from '../route.ts';
import { useControl } from './load.ts';
import { HeaderTable } from './message.tsx';

const INBOX = 'inbox:';

interface Registered {
  readonly webhooks: readonly Webhook[];
  readonly events: readonly string[];
  readonly emitters: Readonly<Record<string, readonly string[]>>;
}

export function WebhooksView(): JSX.Element {
  const { webhooks = [], events = [], emitters = {} } = useControl<Registered>('/webhooks') ?? {};
  const { deliveries = [] } = useControl<{ deliveries: readonly Delivery[] }>('/webhooks/deliveries') ?? {};
  return (
    <Page
      title="Webhooks"
      intro="How the API delivers events is not shown: payload and signature (Standard Webhooks) are the mock's own."
    >
      <Register events={events} hasInbox={webhooks.some(({ url }) => url === INBOX)} />
      {Object.entries(emitters).map(([event, ids]) => (
        <p key={event} class="line">
          These calls emit <code>{event}</code>
          {ids.map((id) => (
            <a key={id} href={linkTo('reference', id)}>
              {id}
            </a>
          ))}
        </p>
      ))}
      <ul class="stack">
        {webhooks.map((one) => (
          <li key={one.id} class="card pad line">
            <b>{nameOf(one.url)}</b>
            <span class="soft">
              {[one.event, one.signed && 'signed', !one.automatic && 'by hand'].filter(Boolean).join(' · ')}
            </span>
            <Action class="push" act={() => change('POST', `/webhooks/${one.id}/fire`, {})} done="Sent">
              Send now
            </Action>
            <Action act={() => change('DELETE', `/webhooks/${one.id}`)} done="Removed">
              Remove
            </Action>
          </li>
        ))}
      </ul>
      <h2>Deliveries</h2>
      {deliveries.length === 0 && (
        <p class="soft">
          {Object.keys(emitters).length > 0
            ? 'Nothing was sent yet. Use the inbox above, then send one of the calls that emit an event.'
            : 'No call of this contract emits an event. Use the inbox above, then Send now.'}
        </p>
      )}
      <ul class="stack">
        {deliveries.map((one, index) => (
          <li key={`${one.id} ${index}`} class="card pad">
            <DeliveryDetails delivery={one} />
          </li>
        ))}
      </ul>
    </Page>
  );
}

function nameOf(url: string): string {
  return url === INBOX ? 'the inbox' : url;
}

interface RegisterProps {
  readonly events: readonly string[];
  readonly hasInbox: boolean;
}

function Register({ events, hasInbox }: RegisterProps): JSX.Element {
  const url = useSignal('');
  const event = useSignal('');
  const register = async (to: string): Promise<void> => {
    const secret = newSecret();
    await change('POST', '/webhooks', { url: to, secret, ...(event.value && { event: event.value }) });
    if (to !== INBOX) {
      await copy(secret);
      say('Registered; its secret is in the clipboard');
    }
    url.value = '';
  };
  return (
    <section class="card pad" aria-label="Register">
      <div class="line">
        <Field text={url} label="URL" type="url" placeholder="http://127.0.0.1:3000/hooks" />
        {events.length > 1 && (
          <label>
            event
            <Choice chosen={event} of={events} />
          </label>
        )}
        <Action act={() => register(url.value)} disabled={url.value === ''}>
          Register
        </Action>
        <Action
          class="primary"
          act={() => register(INBOX)}
          disabled={hasInbox}
          done="The inbox receives every event from now on"
        >
          Use the inbox
        </Action>
      </div>
    </section>
  );
}

function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}

function DeliveryDetails({ delivery }: { readonly delivery: Delivery }): JSX.Element {
  const { id, url, at, exchange, outcome, status, failure, headers, body } = delivery;
  const payload = JSON.parse(body) as { readonly type?: unknown } | null;
  return (
    <details>
      <summary class="line">
        <span class={`chip ${outcome === 'delivered' ? 'good' : 'error'}`}>{outcome}</span>
        <b>{typeof payload?.type === 'string' ? payload.type : 'event'}</b>
        <span>to {nameOf(url)}</span>
        {status === null ? <span class="soft">{failure}</span> : <StatusCode status={status} />}
        <span class="soft">{headers['webhook-signature'] ? 'signed' : 'not signed'}</span>
        <time class="soft">{moment(at)}</time>
      </summary>
      <div class="stack">
        {exchange !== null && (
          <p class="soft">
            Emitted by <a href={linkTo('exchange', exchange)}>exchange {exchange}</a>.
          </p>
        )}
        <HeaderTable headers={Object.entries(headers)} />
        <JsonTree value={payload} />
        <p class="line">
          <Action
            act={() => change('POST', `/webhooks/deliveries/${encodeURIComponent(id)}/replay`, {})}
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
  );
}
