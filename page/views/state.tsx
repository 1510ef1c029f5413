import type { JSX } from 'preact';
import type { ShownTenants } from '../../src/mock/control/state-view.ts';
import { change, readText } from '../control.ts';
import { Action, Empty, save } from '../parts/controls.tsx';
import { linkTo, route } from '../route.ts';
import { tenant } from '../tenants.ts';
import { useControl } from './load.ts';
import { Records } from './records.tsx';

/** What the mock remembers, as tables of the contract's entities: `#/state/cards/card-4001`. */
export function StateView(): JSX.Element {
  const tenants = useControl<ShownTenants>('/tenants').value.value;
  if (tenants === null) return <div class="page" />;
  const { parameter, kinds } = tenants;
  const whose = tenant.value || (tenants.tenants[0]?.id ?? '');
  const [, wanted = '', id] = route.value;
  const kind = kinds.find(({ plural }) => plural === wanted) ?? kinds[0];
  return (
    <div class="page wide">
      <h1>State</h1>
      <p>
        What the mock remembers, by the entities of the contract. Secrets are masked; a masked value that you send back
        stays what it is.
      </p>
      <div class="tools">
        {parameter && <Whose tenants={tenants} whose={whose} />}
        <Action
          act={async () => save('seed.yaml', 'application/yaml', await readText(`/seed${queryOf(parameter, whose)}`))}
          title="A file for --seed-data: the mock starts with what it remembers now. It holds secrets in clear."
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
      <nav class="tabs" aria-label="Kinds of records">
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
        <Records key={`${whose} ${kind.plural}`} kind={kind} query={queryOf(parameter, whose)} open={id} />
      )}
    </div>
  );
}

function queryOf(parameter: string | null, whose: string): string {
  return parameter === null ? '' : `?${encodeURIComponent(parameter)}=${encodeURIComponent(whose)}`;
}

function Whose({
  tenants: { parameter, tenants },
  whose,
}: {
  readonly tenants: ShownTenants;
  readonly whose: string;
}): JSX.Element {
  const ids = [...new Set([...tenants.map(({ id }) => id), whose])];
  return (
    <label class="choice">
      {parameter}
      <select
        value={whose}
        onChange={({ currentTarget }) => {
          tenant.value = currentTarget.value;
        }}
      >
        {ids.map((id) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </select>
    </label>
  );
}
