import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Moment } from '../../generated/mock/control.ts';
import { change } from '../control.ts';
import { health, useMockTime } from '../live.ts';
import { Action } from '../parts/controls.tsx';
import { Field, Form } from '../parts/inputs.tsx';
import { Page } from '../parts/layout.tsx';
import { duration, moment } from '../parts/words.ts';
import { useControl } from './load.ts';

const STEPS = [
  ['1 minute', 60],
  ['1 hour', 3_600],
  ['1 day', 86_400],
  ['1 week', 604_800],
  ['30 days', 2_592_000],
] as const;

export function ClockView(): JSX.Element {
  const { moments = [] } = useControl<{ moments: readonly Moment[] }>('/clock/next') ?? {};
  const date = useSignal('');
  const clock = health.value?.clock;
  const put = (now: string) => () => change('PUT', '/clock', { now });
  const now = useMockTime() ?? Date.now();
  return (
    <Page
      title="Clock"
      intro="Tokens, settlements and dates go by the mock's own time. Latency and time limits stay real."
    >
      <section class="card pad stack" aria-label="Now">
        <p class="big">
          <time dateTime={new Date(now).toISOString()}>{moment(new Date(now).toISOString())}</time> <small>UTC</small>
        </p>
        <p class="soft">
          {clock?.moved ? `moved: the machine's clock says ${moment(new Date().toISOString())}` : "the machine's time"}
        </p>
        <p class="line">
          {STEPS.map(([words, seconds]) => (
            <Action key={words} act={() => change('POST', '/clock/advance', { seconds })} done={`${words} later`}>
              + {words}
            </Action>
          ))}
        </p>
        <p class="line">
          <Action
            act={() => change('DELETE', '/clock')}
            done="The mock has the machine's time again"
            disabled={clock?.moved !== true}
          >
            Back to real time
          </Action>
        </p>
        <Form>
          <Field text={date} label="date and time, UTC" type="datetime-local" />
          <Action act={put(date.value)} disabled={date.value === ''} done="The clock is set">
            Set
          </Action>
        </Form>
      </section>
      <h2>What happens next</h2>
      {moments.length === 0 && (
        <p class="soft">Nothing changes by itself: no token is valid, and no record waits for a date.</p>
      )}
      <ul class="stack">
        {moments.map(({ at, what }) => (
          <li key={`${at} ${what}`} class="card pad line">
            <span>{what}</span>
            <span class="soft">
              in {duration((Date.parse(at) - now) / 1000)}, {moment(at)}
            </span>
            <Action
              class="push"
              act={put(new Date(Date.parse(at) + 1_000).toISOString())}
              done={`It has happened: ${what}`}
            >
              Go there
            </Action>
          </li>
        ))}
      </ul>
    </Page>
  );
}
