import type { IntentKey } from '../drive/intents.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { header } from '../model/exchange.ts';
import { parsePointer } from '../text/pointer.ts';
import { type Flag, usage } from './args.ts';

export const INTENT_KEY_FLAG: Flag = {
  value: 'header:NAME|json:/POINTER',
  help: 'what names the intent of a write (operation and body)',
};

export function intentKeyOf(text: string | undefined): IntentKey | undefined {
  if (text === undefined) return undefined;
  const [, kind, name = ''] = /^(header|json):(.+)$/.exec(text) ?? [];
  if (kind === 'header') return { kind, name };
  if (kind === 'json' && parsePointer(name) !== null) return { kind, name };
  throw usage(`--intent-key must be header:NAME or json:/POINTER (got ${JSON.stringify(text)}).`);
}

/** The value at the key. Undefined if it is missing or masked. */
export function intentIn({ request }: JournalEntry, { kind, name }: IntentKey): string | undefined {
  const json = request.body?.kind === 'json' ? request.body.json : undefined;
  const value =
    kind === 'header'
      ? header(request.headers, name.toLowerCase())
      : (parsePointer(name) ?? []).reduce<unknown>((at, key) => Object(at)[key], json);
  return value === undefined || String(value).includes('[redacted') ? undefined : String(value);
}
