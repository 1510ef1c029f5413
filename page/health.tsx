import type { JSX } from 'preact';
import { count } from '../src/text/words.ts';
import { about, connection, health } from './live.ts';
import { Pairs } from './parts/layout.tsx';
import { duration } from './parts/words.ts';

const WORDS = { ok: 'healthy', stale: 'stale', 'store-unavailable': 'store is down' } as const;

const KEYS = [
  ['j, k', 'the next and the previous row'],
  ['/', 'search'],
  ['Esc', 'close the detail, leave a field'],
  ['?', 'open and close this box'],
] as const;

const NOWHERE = { file: null, line: null, column: null };

export function HealthPill(): JSX.Element {
  const now = health.value;
  const isAway = now === null || connection.value === 'lost';
  const remarks = [
    ...(now?.problem ? [{ ...now.problem, tone: 'error', hint: 'The last good version is still served.' }] : []),
    ...(now?.store
      ? [{ ...NOWHERE, message: now.store, tone: 'error', hint: 'No record can be read or written until it is back.' }]
      : []),
    ...(now?.notices ?? []).map((notice) => ({ ...notice, tone: 'warning' })),
  ];
  const tone = isAway ? 'error' : remarks.length > 0 ? 'warning' : 'good';
  const word = isAway ? (connection.value === 'connecting' ? 'connecting' : 'away') : WORDS[now.status];
  return (
    <details
      class="health"
      onFocusOut={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget as Element | null)) currentTarget.open = false;
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !event.currentTarget.open) return;
        event.stopPropagation();
        event.currentTarget.open = false;
        event.currentTarget.querySelector('summary')?.focus();
      }}
    >
      <summary class={`chip ${tone}`}>
        {word}
        {remarks.length > 0 && `, ${count(remarks.length, 'warning')}`}
      </summary>
      <div class="popover card pad stack" tabIndex={-1}>
        {remarks.length === 0 && (
          <p>{isAway ? 'The mock does not answer.' : 'The files are served as they are; nothing is wrong.'}</p>
        )}
        {remarks.map(({ file, line, column, message, hint, tone }) => (
          <p key={`${file} ${line} ${message}`} class={`told ${tone}`}>
            {file && <code>{[file, line, column].filter((part) => part !== null).join(':')}</code>}
            {message} <span class="soft">{hint}</span>
          </p>
        ))}
        {now && (
          <Pairs
            of={[
              ['address', <code>{now.url}</code>],
              ['contract', `${now.contract}, read again ${now.reloads === 1 ? 'once' : `${now.reloads} times`}`],
              ['up', duration(now.uptime)],
              ['version', about.value?.version],
            ]}
          />
        )}
        <h2>Keys</h2>
        <Pairs of={KEYS.map(([key, what]) => [<kbd>{key}</kbd>, what])} />
      </div>
    </details>
  );
}
