import { randomBytes } from 'node:crypto';
import { ToolError } from '../../errors.ts';
import type { Answer } from '../message/answer.ts';
import type { ReceivedRequest } from '../message/call.ts';
import type { createControl } from './control.ts';
import type { Controls, Engine } from './controls.ts';

/** Creates the control API of a mock. The first request loads it. */
export function attachControl(engine: Engine, url: () => string) {
  const token = heldToken(engine.options.controlToken) ?? randomBytes(24).toString('base64url');
  const controls: Controls = { ...engine, url, token, startedAt: Date.now() };
  let control: Promise<ReturnType<typeof createControl>> | undefined;
  return {
    token,
    // the first byte after the slash identifies nearly every path of the API
    owns: (path: string): boolean => path.charCodeAt(1) === 95 && (path === '/__mock' || path.startsWith('/__mock/')),
    async handle(call: ReceivedRequest): Promise<Answer> {
      control ??= import('./control.ts').then(({ createControl }) => createControl(controls));
      return (await control).handle(call);
    },
    close(): void {
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
