import { type Signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Repair, Repeated, Why } from '../../generated/mock/control.ts';
import type { JournalEntry } from '../../src/journal/entry.ts';
import { header } from '../../src/model/exchange.ts';
import { change, read } from '../control.ts';
import { Action, Copy, say } from '../parts/controls.tsx';
import { Pairs } from '../parts/layout.tsx';
import { go, linkTo } from '../route.ts';

export async function sendAgain(seq: number, repair: Repair): Promise<void> {
  const { seq: next, status } = await change<Repeated>('POST', `/journal/${seq}/repeat`, repair);
  say(`Repeated as exchange ${next}: ${status}`);
  go(['exchange', next]);
}

/** Why an exchange was rejected, or why a stricter mock would reject it; null for any other exchange. */
export function useDiagnosis({ seq, response }: JournalEntry): Signal<Why | null> {
  const why = useSignal<Why | null>(null);
  const isRefusal =
    response !== null && (response.status >= 400 || header(response.headers, 'x-mock-warning') !== undefined);
  useEffect(() => {
    if (!isRefusal) return;
    read<Why>(`/why?seq=${seq}`).then(
      (diagnosis) => {
        why.value = diagnosis;
      },
      // the mock no longer has the exchange, or does not answer; the rest of the page reports that
      () => {},
    );
  }, [seq, isRefusal, why]);
  return why;
}

export function DiagnosisCard({ why }: { readonly why: Why }): JSX.Element {
  const { seq, status, rule, step, order, message, where, wouldPass, reference } = why;
  const { scenarios, example, nearest, existing, repair } = why;
  const reached = order.indexOf(step);
  const isToldByPlace = where.some((one) => message === `${one.pointer} ${one.message}` || message === one.message);
  return (
    <section class="card pad stack told warning" aria-label="Why it was refused">
      <h3>
        {status < 400 ? (
          'Served, with a warning'
        ) : (
          <>
            Refused: <code>{rule}</code>
          </>
        )}
      </h3>
      {reached >= 0 && (
        <ol class="line" aria-label="Order of judgement">
          {order.map((name, index) => (
            <li
              key={name}
              class={`chip ${index < reached ? 'good' : index === reached ? 'error' : ''}`}
              aria-current={index === reached ? 'step' : undefined}
            >
              {name}
            </li>
          ))}
        </ol>
      )}
      {!isToldByPlace && <p>{message}</p>}
      {where.map((one) => (
        <p key={`${one.in} ${one.pointer ?? one.name} ${one.message}`}>
          <code>{[one.in, one.pointer ?? one.name].filter(Boolean).join(' ')}</code> {one.message}
        </p>
      ))}
      <Pairs
        of={[
          ['would pass', wouldPass],
          ['source', reference],
          ['scenarios', scenarios.length > 0 && <a href={linkTo('scenarios')}>{scenarios.join(', ')}</a>],
          [
            'nearest',
            nearest.length > 0 &&
              nearest.map((near) => (
                <div key={near.operationId}>
                  <a href={linkTo('reference', near.operationId)}>
                    <code>
                      {near.method} {near.path}
                    </code>
                  </a>
                </div>
              )),
          ],
          [
            'there are',
            existing.length > 0 &&
              existing.map((id) => (
                <code class="chip" key={id}>
                  {id}
                </code>
              )),
          ],
        ]}
      />
      <div class="line">
        {Object.keys(repair).length > 0 && (
          <Action class="primary" act={() => sendAgain(seq, repair)}>
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
