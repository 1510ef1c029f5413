import type { JSX } from 'preact';
import { change } from './control.ts';
import { HealthPill } from './health.tsx';
import { about, health, useMockTime } from './live.ts';
import { Action, PROVENANCES, ProvenanceMark } from './parts/controls.tsx';
import { linkTo } from './route.ts';
import { served } from './served.ts';

export function Bar(): JSX.Element {
  return (
    <header class="bar line">
      <a class="brand" href={linkTo('journal')}>
        {served.value?.info.title ?? about.value?.name ?? 'Mock'} <small>mock</small>
      </a>
      <HealthPill />
      <ActiveScenarios />
      <span class="legend line push">
        {Object.keys(PROVENANCES).map((name) => (
          <ProvenanceMark key={name} of={name} />
        ))}
      </span>
      <ClockFace />
      <Action
        class="quiet"
        act={() => change('POST', '/reset')}
        done="The mock is as it was at its start"
        confirm="Reset the mock? It clears journal, scenarios, clock, webhooks and records. Tokens stay valid."
      >
        Reset
      </Action>
    </header>
  );
}

function ActiveScenarios(): JSX.Element | null {
  const names = health.value?.scenarios ?? [];
  if (names.length === 0) return null;
  const [first, ...more] = names;
  return (
    <span class="line">
      <a class="chip warning" href={linkTo('scenarios')}>
        {first}
        {more.length > 0 && ` +${more.length}`}
      </a>
      <Action class="quiet" act={() => change('DELETE', '/scenarios/active')} done="No scenario is active">
        All off
      </Action>
    </span>
  );
}

function ClockFace(): JSX.Element | null {
  const time = useMockTime();
  if (time === null) return null;
  const now = new Date(time);
  const isMoved = health.value?.clock.moved === true;
  return (
    <a
      class={`line push ${isMoved ? 'chip warning' : 'quiet'}`}
      href={linkTo('clock')}
      title="The time of the mock, UTC"
    >
      <span class="off-screen">Clock of the mock </span>
      <time dateTime={now.toISOString()}>
        {isMoved && `${now.toISOString().slice(0, 10)} `}
        {now.toISOString().slice(11, 19)}
      </time>
    </a>
  );
}
