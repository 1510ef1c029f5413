import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { change } from '../control.ts';
import { health, useMockTime } from '../live.ts';
import { Action } from '../parts/controls.tsx';
import { Field } from '../parts/inputs.tsx';
import { Page } from '../parts/layout.tsx';
import { moment } from '../parts/words.ts';

const STEPS = [
  ['1 minute', 60],
  ['1 hour', 3_600],
  ['1 day', 86_400],
  ['1 week', 604_800],
  ['30 days', 2_592_000],
] as const;

export function ClockView(): JSX.Element {
  const date = useSignal('');
  const clock = health.value?.clock;
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
          <Action
            act={() => change('DELETE', '/clock')}
            done="The mock has the machine's time again"
            disabled={clock?.moved !== true}
          >
            Back to real time
          </Action>
        </p>
        <div class="line">
          <Field text={date} label="date and time, UTC" type="datetime-local" />
          <Action
            act={() => change('PUT', '/clock', { now: date.value })}
            disabled={date.value === ''}
            done="The clock is set"
          >
            Set
          </Action>
        </div>
      </section>
    </Page>
  );
}
