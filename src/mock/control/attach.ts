import { randomBytes } from 'node:crypto';
import { ToolError } from '../../errors.ts';
import { type RecordedExchange, toExchange } from '../http/recorder.ts';
import type { Answer } from '../message/answer.ts';
import type { ReceivedRequest } from '../message/call.ts';
import { emitEvents, eventsOf } from '../webhooks/events.ts';
import { createWebhooks } from '../webhooks/webhooks.ts';
import type { createControl } from './control.ts';
import type { Controls } from './controls.ts';
import { createJournal } from './journal.ts';

export type Attached = ReturnType<typeof attachControl>;

/** Creates the journal, webhooks and control API of a mock. The first request loads the control API. */
export function attachControl(parts: Omit<Controls, 'token' | 'startedAt' | 'journal' | 'webhooks'>) {
  const { options, credentials, tokens, clock } = parts;
  const journal = createJournal({
    credentials,
    toExchange: (recorded) => toExchange(tokens, recorded),
    secrets: () => parts.served().plan.secrets,
  });
  const webhooks = createWebhooks(options.webhookHosts ?? [], clock.now, () => eventsOf(parts.served()));
  const token = heldToken(options.controlToken) ?? randomBytes(24).toString('base64url');
  const controls: Controls = { ...parts, token, startedAt: Date.now(), journal, webhooks };
  let control: Promise<ReturnType<typeof createControl>> | undefined;
  return {
    journal,
    webhooks,
    token,
    // the first byte after the slash identifies nearly every path of the API
    owns: (path: string): boolean => path.charCodeAt(1) === 95 && (path === '/__mock' || path.startsWith('/__mock/')),
    async handle(call: ReceivedRequest): Promise<Answer> {
      control ??= import('./control.ts').then(({ createControl }) => createControl(controls));
      return (await control).handle(call);
    },
    onRecorded(recorded: RecordedExchange): void {
      journal.add(recorded);
      if (webhooks.busy) emitEvents(parts.served(), recorded, webhooks.emit);
      options.onExchange?.(toExchange(tokens, recorded));
    },
    reset(): void {
      journal.clear();
      webhooks.reset();
    },
    close(): void {
      webhooks.close();
      void control?.then(({ close }) => close());
    },
  };
}

/** The token appears in URLs (`#token=`), so it needs no escaping. It is secret: the message does not repeat it. */
function heldToken(token: string | undefined): string | undefined {
  if (token === undefined || /^[\w-]{16,200}$/.test(token)) return token;
  throw new ToolError('usage', 'The control token is 16 to 200 letters, digits, hyphens and underscores.', {
    hint: 'openssl rand -hex 16 makes one.',
  });
}
