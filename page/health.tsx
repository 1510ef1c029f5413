import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { about, connection, health } from './live.ts';
import { duration } from './parts/duration.ts';

const WORDS = { ok: 'healthy', stale: 'stale', 'store-unavailable': 'store is down' } as const;

interface Place {
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
}

/** How the mock is in a word; opened, everything that is wrong or worth a look, each with its place. */
export function HealthPill(): JSX.Element {
  const box = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event): void => {
      const { current } = box;
      if (!current?.open) return;
      if (event instanceof KeyboardEvent) {
        if (event.key !== 'Escape') return;
        current.querySelector('summary')?.focus();
      } else if (current.contains(event.target as Node)) return;
      current.open = false;
    };
    addEventListener('pointerdown', close);
    addEventListener('keydown', close);
    return () => {
      removeEventListener('pointerdown', close);
      removeEventListener('keydown', close);
    };
  }, []);
  const now = health.value;
  const isAway = now === null || connection.value === 'lost';
  const problems = [now?.problem?.message, now?.store].filter((problem) => problem != null);
  const notices = now?.notices ?? [];
  const tone = isAway ? 'error' : problems.length > 0 || notices.length > 0 ? 'warning' : 'good';
  const word = isAway ? (connection.value === 'connecting' ? 'connecting' : 'away') : WORDS[now.status];
  const count = problems.length + notices.length;
  return (
    <details class="health" ref={box}>
      <summary class={`pill ${tone}`}>
        <i class={`dot ${tone}`} /> {word}
        {count > 0 && <Counted of={count} />}
      </summary>
      <div class="popover card">
        {count === 0 && (
          <p>{isAway ? 'The mock does not answer.' : 'The files are served as they are; nothing is wrong.'}</p>
        )}
        {now?.problem && (
          <Told tone="wrong" at={now.problem} what={now.problem.message}>
            What was good before is still served.
          </Told>
        )}
        {now?.store && (
          <Told tone="wrong" what={now.store}>
            Records cannot be read or written until it is back.
          </Told>
        )}
        {notices.map((one) => (
          <Told key={`${one.file} ${one.line} ${one.message}`} tone="warned" at={one} what={one.message}>
            {one.hint}
          </Told>
        ))}
        {now && (
          <dl class="pairs">
            <dt>address</dt>
            <dd>
              <code>{now.url}</code>
            </dd>
            <dt>contract</dt>
            <dd>
              {now.contract}, read again {now.reloads === 1 ? 'once' : `${now.reloads} times`}
            </dd>
            <dt>up</dt>
            <dd>{duration(now.uptime)}</dd>
            <dt>version</dt>
            <dd>{about.value?.version}</dd>
          </dl>
        )}
      </div>
    </details>
  );
}

function Counted({ of }: { readonly of: number }): JSX.Element {
  return (
    <b>
      , {of} {of === 1 ? 'warning' : 'warnings'}
    </b>
  );
}

interface ToldProps {
  readonly tone: 'wrong' | 'warned';
  readonly what: string;
  readonly at?: Place;
  /** What to do, or what it means. */
  readonly children: ComponentChildren;
}

function Told({ tone, what, at, children }: ToldProps): JSX.Element {
  return (
    <p class={tone}>
      {at?.file && <code class="place">{[at.file, at.line, at.column].filter((part) => part !== null).join(':')}</code>}
      {what} <span class="soft">{children}</span>
    </p>
  );
}
