import { type Signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { JournalEntry } from '../../src/journal/entry.ts';
import type { Repair, Repeated } from '../../src/mock/control/repeat.ts';
import type { Why } from '../../src/mock/control/why.ts';
import { change, Refused, read } from '../control.ts';
import { Action, Copy, say } from '../parts/controls.tsx';
import { go, linkTo } from '../route.ts';
import { headerOf } from './message.tsx';

/** Sends a request of the journal again, from within the mock, and goes to what came of it. */
export async function repeat(seq: number, repair: Repair): Promise<void> {
  const { seq: next, status } = await change<Repeated>('POST', `/journal/${seq}/repeat`, repair);
  say(`Repeated as exchange ${next}: ${status}`);
  go(['exchange', next]);
}

/** Why an exchange was refused, or what a stricter mock would have refused of it; null where nothing is to be said. */
export function useWhy({ seq, response }: JournalEntry): Signal<Why | null> {
  const why = useSignal<Why | null>(null);
  const isRefusal =
    response !== null && (response.status >= 400 || headerOf(response.headers, 'x-mock-warning') !== undefined);
  useEffect(() => {
    why.value = null;
    if (!isRefusal) return;
    const asked = new AbortController();
    read<Why>(`/why?seq=${seq}`, asked.signal).then(
      (told) => {
        why.value = told;
      },
      (error: unknown) => {
        // forgotten by the mock, which the rest of the page tells
        if (!(error instanceof Refused) && !asked.signal.aborted) throw error;
      },
    );
    return () => asked.abort();
  }, [seq, isRefusal, why]);
  return why;
}

/** The step of the order of judgement that refused, what was wrong there, and what would pass. */
export function WhyCard({ why, seq }: { readonly why: Why; readonly seq: number }): JSX.Element {
  const {
    rule,
    step,
    order = [],
    message,
    where,
    wouldPass,
    reference,
    scenarios,
    warning,
    example,
    nearest = [],
    existing = [],
    repair,
  } = why;
  const reached = order.indexOf(step);
  const isToldByPlace = where.some((one) => message === `${one.pointer} ${one.message}` || message === one.message);
  return (
    <section class="why card" aria-label="Why it was refused">
      <h2>
        {warning === null ? 'Refused' : 'Served, with a warning'}: <code>{rule}</code>
      </h2>
      {reached >= 0 && (
        <ol class="steps" aria-label="Order of judgement">
          {order.map((name, index) => (
            <li
              key={name}
              class={index < reached ? 'passed' : index === reached ? 'stopped' : 'unreached'}
              aria-current={index === reached ? 'step' : undefined}
            >
              {name}
            </li>
          ))}
        </ol>
      )}
      {!isToldByPlace && <p>{message}</p>}
      {where.length > 0 && (
        <ul class="where">
          {where.map((one) => (
            <li key={`${one.in} ${one.pointer ?? one.name} ${one.message}`}>
              <code>{[one.in, one.pointer ?? one.name].filter(Boolean).join(' ')}</code> {one.message}
            </li>
          ))}
        </ul>
      )}
      <dl class="pairs">
        <dt>would pass</dt>
        <dd>{wouldPass}</dd>
        <dt>rests on</dt>
        <dd>{reference}</dd>
        {scenarios.length > 0 && (
          <>
            <dt>scenarios</dt>
            <dd>
              <a href={linkTo('scenarios')}>{scenarios.join(', ')}</a>
            </dd>
          </>
        )}
        {nearest.length > 0 && (
          <>
            <dt>nearest</dt>
            <dd>
              {nearest.map((near) => (
                <div key={near.operationId}>
                  <a href={linkTo('reference', near.operationId)}>
                    <code>
                      {near.method} {near.path}
                    </code>
                  </a>
                </div>
              ))}
            </dd>
          </>
        )}
        {existing.length > 0 && (
          <>
            <dt>there are</dt>
            <dd>
              {existing.map((id) => (
                <code class="id" key={id}>
                  {id}
                </code>
              ))}
            </dd>
          </>
        )}
      </dl>
      <div class="actions">
        {repair && Object.keys(repair).length > 0 && (
          <Action class="primary" act={() => repeat(seq, repair)}>
            Repeat with {repairWords(repair)}
          </Action>
        )}
        {example !== null && (
          <Copy text={() => example} what="a request that passes">
            Copy a request that passes
          </Copy>
        )}
      </div>
    </section>
  );
}

function repairWords({ method, path, token, fit }: Repair): string {
  const words = [token && 'a fresh token', fit && 'the body repaired', method && `${method}`, path && `path ${path}`];
  return words.filter(Boolean).join(', ');
}
