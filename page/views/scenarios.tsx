import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { KnownScenario } from '../../src/mock/control/scenario-routes.ts';
import type { ShownScenario } from '../../src/mock/scenarios/scenarios.ts';
import { change, readText } from '../control.ts';
import { about, refreshHealth } from '../live.ts';
import { Action, Copy, Empty, save } from '../parts/controls.tsx';
import { Choice, Field, SearchField, Text } from '../parts/inputs.tsx';
import { operations } from '../served.ts';
import { useControl } from './load.ts';

/** Effects that belong together, by the names of the scenario schema; what is in none stands under the last. */
const GROUPS: readonly (readonly [title: string, effects: readonly string[]])[] = [
  ['Tokens', ['token', 'expired', 'issue']],
  ['Limits', ['quota']],
  ['Deprecation', ['withdraw']],
  ['Drift', ['change', 'rewrite']],
  ['Connection', ['fault']],
  ['Refusals and failures', ['answer']],
  ['Latency', ['delay']],
  ['Other', []],
];

function groupOf({ effects }: KnownScenario): string {
  const found = GROUPS.find(([, its]) => effects.some((effect) => its.includes(effect)));
  return found?.[0] ?? 'Other';
}

/** Named behaviour: which there is, for what part of the requests, and how often it came. */
export function ScenariosView(): JSX.Element {
  const known = useControl<{ scenarios: readonly KnownScenario[] }>('/scenarios');
  const active = useControl<{ active: readonly ShownScenario[] }>('/scenarios/active');
  const words = useSignal('');
  const scope = useScope();
  const again = async (): Promise<void> => {
    await Promise.all([known.again(), active.again(), refreshHealth()]);
  };
  const all = known.value.value?.scenarios ?? [];
  const wanted = all.filter(({ name, title, description }) =>
    `${name} ${title} ${description}`.toLowerCase().includes(words.value.toLowerCase()),
  );
  return (
    <div class="page">
      <h1>Scenarios</h1>
      <p>
        Named behaviour of the mock: a bad token, a slow day, an answer that drifted. Turn one on and watch what your
        application does.
      </p>
      <ActiveList active={active.value.value?.active ?? []} again={again} />
      <h2>Turn on</h2>
      <fieldset class="scope card">
        <legend>For which requests</legend>
        {scope.fields}
      </fieldset>
      <p class="tools">
        <SearchField words={words} label="Search scenarios" />
      </p>
      {GROUPS.map(([title]) => {
        const its = wanted.filter((one) => groupOf(one) === title);
        return (
          its.length > 0 && (
            <section key={title}>
              <h3>{title}</h3>
              <ul class="tiles-list">
                {its.map((one) => (
                  <li key={one.name} class="card">
                    <h4>{one.title ?? one.name}</h4>
                    <p class="soft">{one.description}</p>
                    <p class="actions">
                      <Action
                        act={async () => {
                          await change('POST', '/scenarios/active', { name: one.name, ...scope.body() });
                          await again();
                        }}
                        done={`${one.name} is active`}
                      >
                        {one.active ? 'Turn on once more' : 'Turn on'}
                      </Action>
                      <code>{one.name}</code>
                    </p>
                  </li>
                ))}
              </ul>
            </section>
          )
        );
      })}
      {wanted.length === 0 && all.length > 0 && <Empty title="No scenario is called so" />}
      <Own again={again} />
    </div>
  );
}

/** What a scenario is narrowed to when it is turned on. */
function useScope(): { readonly fields: JSX.Element; readonly body: () => object } {
  const operation = useSignal('');
  const times = useSignal('');
  const tenant = useSignal('');
  const name = about.value?.tenant ?? null;
  const fields = (
    <div class="actions">
      <label class="choice">
        operation
        <Choice
          chosen={operation}
          of={[['', 'all that it concerns'], ...operations.value.map(({ operationId }) => operationId)]}
        />
      </label>
      <Field text={times} label="the next" type="number" min="1" placeholder="all">
        requests
      </Field>
      {name && <Field text={tenant} label={name} placeholder="everyone" />}
    </div>
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

function ActiveList({
  active,
  again,
}: {
  readonly active: readonly ShownScenario[];
  readonly again: () => Promise<void>;
}): JSX.Element {
  return (
    <section aria-label="Active scenarios">
      <h2>Active</h2>
      {active.length === 0 && <p class="soft">None: the mock behaves.</p>}
      <ul class="plain">
        {active.map((one) => (
          <li key={one.id} class="card line">
            <b>{one.name}</b>
            <span class="soft">{scopeOf(one)}</span>
            <span class="pill" title="How often one of its rules came">
              {one.hits} {one.hits === 1 ? 'hit' : 'hits'}
            </span>
            <span class="bar-space" />
            <Copy text={() => yamlOf(one)} what="the scenario as YAML">
              Copy YAML
            </Copy>
            <Action act={async () => save(`${one.name}.yaml`, 'application/yaml', await yamlOf(one))}>As YAML</Action>
            <Action
              act={async () => {
                await change('DELETE', `/scenarios/active/${one.id}`);
                await again();
              }}
              done={`${one.name} is off`}
            >
              Turn off
            </Action>
          </li>
        ))}
      </ul>
    </section>
  );
}

function yamlOf({ id }: ShownScenario): Promise<string> {
  return readText(`/scenarios/active/${id}/yaml`);
}

/** What the rules of a scenario concern, in words. */
function scopeOf({ definition: { rules = [] } }: ShownScenario): string {
  const names = new Set(rules.flatMap((rule) => rule.operations ?? []));
  const values = new Set(
    rules.flatMap(({ parameters = {} }) => Object.entries(parameters).map(([name, value]) => `${name} ${value}`)),
  );
  const times = Math.max(0, ...rules.map((rule) => rule.times ?? 0));
  const shown = names.has('*') ? '' : names.size > 3 ? `${names.size} operations` : [...names].join(', ');
  const words = [
    shown || 'every operation',
    [...values].join(', '),
    times > 0 && `${times} ${times === 1 ? 'request' : 'requests'}`,
  ];
  return words.filter(Boolean).join(' · ');
}

const EXAMPLE = `name: mine
rules:
  - operations: ['*']
    answer: { status: 503 }
    times: 3
`;

function Own({ again }: { readonly again: () => Promise<void> }): JSX.Element {
  const yaml = useSignal(EXAMPLE);
  return (
    <details class="own">
      <summary>
        <h2>One of your own</h2>
      </summary>
      <label>
        <span class="soft">YAML as schemas/scenario.schema.json describes it</span>
        <Text text={yaml} rows={8} />
      </label>
      <Action
        class="primary"
        act={async () => {
          await change('POST', '/scenarios/active', { yaml: yaml.value });
          await again();
        }}
        done="Your scenario is active"
      >
        Turn on
      </Action>
    </details>
  );
}
