import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Tenants } from '../../generated/mock/control.ts';
import { change, fetchText } from '../control.ts';
import { Action, save } from '../parts/controls.tsx';
import { Choice } from '../parts/inputs.tsx';
import { Empty, Page } from '../parts/layout.tsx';
import { linkTo, route } from '../route.ts';
import { useControl } from './load.ts';
import { Records } from './records.tsx';

/** Tenant whose records are listed; empty for the first one. */
const tenant = signal('');

export function StateView(): JSX.Element {
  const tenants = useControl<Tenants>('/tenants');
  if (tenants === null) return <Page title="State" intro="It is being read." />;
  const { parameter, kinds } = tenants;
  const [first = '', ...others] = tenants.tenants.map((one) => one.id);
  const whose = tenant.value || first;
  const [, wanted = '', id] = route.value;
  const kind = kinds.find(({ plural }) => plural === wanted) ?? kinds[0];
  return (
    <Page
      title="State"
      intro="The records of the mock, by entity. Secrets are masked. A masked value that you send back does not change."
    >
      <div class="line">
        {parameter && (
          <label>
            {parameter}
            <Choice chosen={tenant} of={[['', first], ...new Set([...others, tenant.value].filter(Boolean))]} />
          </label>
        )}
        <Action
          act={async () => save('seed.yaml', 'application/yaml', await fetchText(`/seed${queryOf(parameter, whose)}`))}
          title="A file for --seed-data: the mock starts with its current state. It holds secrets in clear."
        >
          Save as seed
        </Action>
        <Action
          act={() => change('DELETE', `/state${queryOf(parameter, whose)}`)}
          confirm={`Put the records of ${whose || 'everyone'} back to the seed?`}
          done="The records are as the seed has them"
        >
          Back to the seed
        </Action>
      </div>
      <nav class="line tabs" aria-label="Kinds of records">
        {kinds.map(({ plural }) => (
          <a key={plural} href={linkTo('state', plural)} aria-current={plural === kind?.plural ? 'page' : undefined}>
            {plural}
          </a>
        ))}
      </nav>
      {kind === undefined ? (
        <Empty title="The contract has no entities">
          <p>Nothing is remembered: every answer is an example.</p>
        </Empty>
      ) : (
        <Records
          key={`${whose} ${kind.plural}`}
          kind={kind}
          references={kinds.map((one) => one.id)}
          query={queryOf(parameter, whose)}
          open={id}
        />
      )}
    </Page>
  );
}

function queryOf(parameter: string | null, whose: string): string {
  return parameter === null ? '' : `?${encodeURIComponent(parameter)}=${encodeURIComponent(whose)}`;
}
