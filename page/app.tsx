import { useSignal } from '@preact/signals';
import type { ComponentType, JSX } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { Bar } from './bar.tsx';
import { controlToken, giveToken } from './control.ts';
import { revision, total } from './exchanges.ts';
import { about, connection } from './live.ts';
import { StatusMessage } from './parts/controls.tsx';
import { bound } from './parts/inputs.tsx';
import { followLink, linkTo, route } from './route.ts';
import { followServed, served } from './served.ts';
import { find, ownsWindow, useKeys } from './surface.ts';
import { AuditView } from './views/audit.tsx';
import { ClockView } from './views/clock.tsx';
import { JournalView } from './views/journal.tsx';
import { ReferenceView } from './views/reference.tsx';
import { ScenariosView } from './views/scenarios.tsx';
import { SnapshotsView } from './views/snapshots.tsx';
import { StateView } from './views/state.tsx';
import { TokensView } from './views/tokens.tsx';
import { WebhooksView } from './views/webhooks.tsx';

interface View {
  readonly name: string;
  readonly title: string;
  readonly show: ComponentType;
  /** Other first parts of an address that lead here. */
  readonly also?: readonly string[];
}

const VIEWS: readonly View[] = [
  { name: 'journal', title: 'Journal', show: JournalView, also: ['exchange'] },
  { name: 'scenarios', title: 'Scenarios', show: ScenariosView },
  { name: 'state', title: 'State', show: StateView },
  { name: 'snapshots', title: 'Snapshots', show: SnapshotsView },
  { name: 'tokens', title: 'Tokens', show: TokensView },
  { name: 'clock', title: 'Clock', show: ClockView },
  { name: 'reference', title: 'Reference', show: ReferenceView, also: ['coverage', 'provenance'] },
  { name: 'audit', title: 'Score card', show: AuditView },
  { name: 'webhooks', title: 'Webhooks', show: WebhooksView },
];

function current(): View {
  const [name = ''] = route.value;
  return VIEWS.find((view) => view.name === name || view.also?.includes(name)) ?? (VIEWS[0] as View);
}

export function App(): JSX.Element {
  useEffect(followServed, []);
  useKeys((event) => {
    if (event.key === '/') {
      const search = find('main [type=search]');
      if (search) event.preventDefault();
      search?.focus();
    } else if (event.key === '?') {
      event.preventDefault();
      // with the focus, Esc closes the box as well
      const box = find('.health > summary');
      box?.focus();
      box?.click();
    }
  });
  const view = current();
  const focused = find(':focus');
  const opener = find('[aria-current="true"] a, .rows');
  useLayoutEffect(() => {
    // a detail that closes hands the focus back to the list
    if (focused?.isConnected === false) (opener?.isConnected ? opener : find('main'))?.focus();
  });
  useEffect(() => {
    if (ownsWindow()) document.title = `${view.title} · ${served.value?.info.title ?? 'mock'}`;
  });
  const { show: Shown } = view;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: it hears the clicks on links
    <div class="frame" onClick={followLink}>
      <div class="shell">
        <button type="button" class="skip" onClick={() => find('main')?.focus()}>
          To the contents
        </button>
        <Bar />
        <nav class="rail" aria-label="Views">
          {VIEWS.map(({ name, title }) => (
            <a key={name} href={linkTo(name)} aria-current={name === view.name ? 'page' : undefined}>
              {title}
              {name === 'journal' && <Count />}
            </a>
          ))}
        </nav>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys */}
        <main tabIndex={0} aria-label={view.title}>
          {connection.value === 'lost' && (
            <p class="pad error" role="alert">
              The mock does not answer. This page shows its last state and continues when the mock is back.
            </p>
          )}
          {about.value !== null && controlToken.value === null && <TokenWanted />}
          <Shown />
        </main>
        <StatusMessage />
      </div>
    </div>
  );
}

/** A mock that is bound beyond loopback gives its token only to the person who started it. */
function TokenWanted(): JSX.Element {
  const given = useSignal('');
  return (
    <form
      class="pad warning"
      onSubmit={(event) => {
        event.preventDefault();
        if (given.value.trim() !== '') giveToken(given.value.trim());
      }}
    >
      This page can only read. To change something, give the control token that the mock printed when it started:{' '}
      <input type="password" autocomplete="off" aria-label="Control token" {...bound(given)} />{' '}
      <button type="submit">Use it</button>
    </form>
  );
}

function Count(): JSX.Element {
  revision.value;
  return <span class="count push">{total()}</span>;
}
