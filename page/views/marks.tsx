import type { JSX } from 'preact';
import type { JournalEntry } from '../../src/journal/entry.ts';
import { operationById } from '../served.ts';
import { headerOf } from './message.tsx';

export function Marks({ entry: { operationId, response } }: { readonly entry: JournalEntry }): JSX.Element {
  const headers = response?.headers ?? [];
  const scenario = headerOf(headers, 'x-mock-scenario');
  return (
    <>
      {headerOf(headers, 'x-mock-warning') !== undefined && <span class="chip warning">warning</span>}
      {scenario !== undefined && <span class="chip info">{scenario}</span>}
      {operationById(operationId)?.deprecated && <span class="chip warning">deprecated</span>}
    </>
  );
}

export function millisecondsOf({ startedAt, endedAt }: JournalEntry): number {
  return Math.max(0, Date.parse(endedAt) - Date.parse(startedAt));
}
