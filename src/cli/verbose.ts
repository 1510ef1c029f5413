import type { JournalEntry } from '../journal/entry.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Redactor } from '../redact/redact.ts';
import { plain } from '../text/plain.ts';
import type { Args, Flag } from './args.ts';

export const VERBOSE_FLAG: Readonly<Record<'verbose', Flag>> = {
  verbose: { help: 'print each request on stderr: method, path, status, milliseconds, why it was sent again' },
};

/**
 * Returns a function that prints each exchange, redacted; undefined without the flag.
 *
 * @param write prints a line
 */
export async function verbosePrinter(
  args: Args,
  write: (line: string) => void,
  redactorFor: () => Redactor | Promise<Redactor>,
): Promise<((exchange: Exchange, repeated?: Exchange) => void) | undefined> {
  if (!args.switch('verbose')) return undefined;
  const { createJournalWriter } = await import('../journal/write.ts');
  let repeated: Exchange | undefined;
  const redactor = await redactorFor();
  const writer = createJournalWriter((_, entry) => write(`${verboseLine(entry, repeated)}\n`), { redactor });
  return (exchange, before) => {
    repeated = before;
    writer.append(exchange);
  };
}

/** @param repeated the attempt that this one repeats */
export function verboseLine(entry: JournalEntry, repeated?: Exchange): string {
  const { seq, method, path, startedAt, endedAt } = entry;
  const milliseconds = Date.parse(endedAt) - Date.parse(startedAt);
  const again = repeated === undefined ? '' : `, sent again after: ${outcomeOf(repeated)}`;
  return plain(`#${seq} ${method} ${path} -> ${outcomeOf(entry)}, ${milliseconds} ms${again}`);
}

function outcomeOf({ response, failure }: Pick<Exchange | JournalEntry, 'response' | 'failure'>): string {
  if (response != null) return failure == null ? String(response.status) : `${response.status}, ${failure.message}`;
  return failure?.message ?? 'no answer';
}
