import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Moment } from '../../src/mock/control/moments.ts';
import { change } from '../control.ts';
import { health, refreshHealth } from '../live.ts';
import { useMockTime } from '../mock-time.ts';
import { Action } from '../parts/controls.tsx';
import { duration } from '../parts/duration.ts';
import { Field } from '../parts/inputs.tsx';
import { useControl } from './load.ts';

const STEPS = [
  ['1 minute', 60],
  ['1 hour', 3_600],
  ['1 day', 86_400],
  ['1 week', 604_800],
  ['30 days', 2_592_000],
] as const;

/** The time of the mock: forward, to what happens next, and back. */
export function ClockView(): JSX.Element {
  const { value, again } = useControl<{ moments: readonly Moment[] }>('/clock/next');
  const date = useSignal('');
  const clock = health.value?.clock;
  const after = async (): Promise<void> => {
    await Promise.all([refreshHealth(), again()]);
  };
  const advance = (seconds: number) => async (): Promise<void> => {
    await change('POST', '/clock/advance', { seconds });
    await after();
  };
  const put = (now: string) => async (): Promise<void> => {
    await change('PUT', '/clock', { now });
    await after();
  };
  const now = useMockTime() ?? Date.now();
  const moments = value.value?.moments ?? [];
  return (
    <div class="page">
      <h1>Clock</h1>
      <p>Tokens, settlements and dates go by the mock's own time. Latency and time limits stay real.</p>
      <section class="card pad" aria-label="Now">
        <p class="big">
          <time dateTime={new Date(now).toISOString()}>
            {new Date(now).toISOString().replace('T', ' ').slice(0, 19)}
          </time>{' '}
          <small>UTC</small>
        </p>
        <p class="soft">
          {clock?.moved
            ? `moved: the machine's clock says ${new Date().toISOString().replace('T', ' ').slice(0, 19)}`
            : "the machine's time"}
        </p>
        <p class="actions">
          {STEPS.map(([words, seconds]) => (
            <Action key={words} act={advance(seconds)} done={`${words} later`}>
              + {words}
            </Action>
          ))}
        </p>
        <p class="actions">
          {STEPS.slice(1, 3).map(([words, seconds]) => (
            <Action key={words} act={advance(-seconds)} done={`${words} earlier`}>
              − {words}
            </Action>
          ))}
          <Action
            act={async () => {
              await change('DELETE', '/clock');
              await after();
            }}
            done="The mock has the machine's time again"
            disabled={clock?.moved !== true}
          >
            Back to real time
          </Action>
        </p>
        <form
          class="actions"
          onSubmit={(event) => {
            event.preventDefault();
          }}
        >
          <Field text={date} label="date and time, UTC" type="datetime-local" />
          <Action act={put(date.value)} disabled={date.value === ''} done="The clock is set">
            Set
          </Action>
        </form>
      </section>
      <h2>What happens next</h2>
      {moments.length === 0 && (
        <p class="soft">Nothing changes by itself: no token is valid, and no record waits for a date.</p>
      )}
      <ul class="plain">
        {moments.map(({ at, what }) => (
          <li key={`${at} ${what}`} class="card line">
            <span>{what}</span>
            <span class="soft">
              in {duration((Date.parse(at) - now) / 1000)}, {at.replace('T', ' ').slice(0, 19)}
            </span>
            <span class="bar-space" />
            <Action act={put(new Date(Date.parse(at) + 1_000).toISOString())} done={`It has happened: ${what}`}>
              Go there
            </Action>
          </li>
        ))}
      </ul>
    </div>
  );
}
