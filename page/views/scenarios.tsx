import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Scenario } from '../../generated/mock/control.ts';
import type { ShownScenario } from '../../src/mock/scenarios/scenarios.ts';
import { count } from '../../src/text/words.ts';
import { change } from '../control.ts';
import { about } from '../live.ts';
import { Action, save } from '../parts/controls.tsx';
import { Choice, Field, SearchField } from '../parts/inputs.tsx';
import { Empty, Page } from '../parts/layout.tsx';
import { operations } from '../served.ts';
import { useControl } from './load.ts';

export function ScenariosView(): JSX.Element {
  const { scenarios: all = [] } = useControl<{ scenarios: readonly Scenario[] }>('/scenarios') ?? {};
  const { active = [] } = useControl<{ active: readonly ShownScenario[] }>('/scenarios/active') ?? {};
  const words = useSignal('');
  const scope = useScope();
  const wanted = all.filter(({ name, title, description }) =>
    `${name} ${title} ${description}`.toLowerCase().includes(words.value.toLowerCase()),
  );
  return (
    <Page
      title="Scenarios"
      intro="Named behaviour of the mock: a bad token, a slow day, an answer that drifted. Turn one on and watch what your application does."
    >
      <ActiveList active={active} />
      <NextAnswer />
      <h2>Turn on</h2>
      <fieldset class="card pad line">
        <legend class="soft">For which requests</legend>
        {scope.fields}
      </fieldset>
      <SearchField words={words} label="Search scenarios" />
      <ul class="tiles">
        {wanted.map(({ name, title, description, active }) => (
          <li key={name} class="card pad stack">
            <b>{title ?? name}</b>
            {description && <p class="soft">{description}</p>}
            <p class="line">
              <Action
                act={() => change('POST', '/scenarios/active', { name, ...scope.body() })}
                done={`${name} is active`}
                aria-describedby={`scenario-${name}`}
              >
                {active ? 'Turn on once more' : 'Turn on'}
              </Action>
              <code id={`scenario-${name}`}>{name}</code>
            </p>
          </li>
        ))}
      </ul>
      {wanted.length === 0 && all.length > 0 && <Empty title="No scenario matches" />}
    </Page>
  );
}

function NextAnswer(): JSX.Element {
  const operation = useSignal('*');
  const status = useSignal('503');
  const times = useSignal('1');
  const answer = { status: Number(status.value) };
  return (
    <section class="card pad line" aria-label="Next answer">
      <b>Next answer</b>
      <label>
        operation
        <Choice chosen={operation} of={[['*', 'any'], ...operations.value.map(({ operationId }) => operationId)]} />
      </label>
      <Field text={status} label="status" type="number" min="100" />
      <Field text={times} label="for the next" type="number" min="1">
        requests
      </Field>
      <Action
        class="primary"
        act={() => change('POST', '/answer-once', { operation: operation.value, answer, times: Number(times.value) })}
        done={`The next answer is ${status.value}`}
      >
        Set
      </Action>
    </section>
  );
}

function useScope(): { readonly fields: JSX.Element; readonly body: () => object } {
  const operation = useSignal('');
  const times = useSignal('');
  const tenant = useSignal('');
  const name = about.value?.tenant ?? null;
  const fields = (
    <>
      <label>
        operation
        <Choice
          chosen={operation}
          of={[['', 'all its operations'], ...operations.value.map(({ operationId }) => operationId)]}
        />
      </label>
      <Field text={times} label="the next" type="number" min="1" placeholder="all">
        requests
      </Field>
      {name && <Field text={tenant} label={name} placeholder="everyone" />}
    </>
  );
  const body = (): object => {
    const scope = {
      ...(operation.value && { operations: [operation.value] }),
      ...(times.value && { times: Number(times.value) }),
      ...(name && tenant.value && { parameters: { [name]: tenant.value } }),
    };
    return Object.keys(scope).length > 0 ? { scope } : {};
  };
  return { fields, body };
}

function ActiveList({ active }: { readonly active: readonly ShownScenario[] }): JSX.Element {
  return (
    <section aria-label="Active scenarios">
      <h2>Active</h2>
      {active.length === 0 && <p class="soft">No active scenario.</p>}
      <ul class="stack">
        {active.map((one) => (
          <li key={one.id} class="card pad line">
            <b>{one.name}</b>
            <span class="soft">{scopeOf(one)}</span>
            <span class="chip push" title="How often one of its rules came">
              {count(one.hits, 'hit')}
            </span>
            <Action
              act={() => save(`${one.name}.json`, 'application/json', JSON.stringify(one.definition, null, 2))}
              title="A file for --scenario"
            >
              Save
            </Action>
            <Action act={() => change('DELETE', `/scenarios/active/${one.id}`)} done={`${one.name} is off`}>
              Turn off
            </Action>
          </li>
        ))}
      </ul>
    </section>
  );
}

function scopeOf({ definition: { rules = [] } }: ShownScenario): string {
  const names = new Set(rules.flatMap((rule) => rule.operations ?? []));
  const values = new Set(
    rules.flatMap(({ parameters = {} }) => Object.entries(parameters).map(([name, value]) => `${name} ${value}`)),
  );
  const times = Math.max(0, ...rules.map((rule) => rule.times ?? 0));
  const shown = names.has('*') ? '' : names.size > 3 ? `${names.size} operations` : [...names].join(', ');
  const words = [shown || 'every operation', [...values].join(', '), times > 0 && count(times, 'request')];
  return words.filter(Boolean).join(' · ');
}
