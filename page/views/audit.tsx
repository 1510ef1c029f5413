import type { JSX } from 'preact';
import type { Scenario } from '../../generated/mock/control.ts';
import type { Audited } from '../../src/audit/judge-caller.ts';
import { count } from '../../src/text/words.ts';
import { change } from '../control.ts';
import { Action } from '../parts/controls.tsx';
import { Page, Table } from '../parts/layout.tsx';
import { linkTo } from '../route.ts';
import { useControl } from './load.ts';

const OUTCOMES = [
  ['broken', 'error', 'broken'],
  ['kept', 'good', 'kept'],
  ['undecided', '', 'undecided'],
  ['not-exercised', '', 'not exercised'],
] as const;

export function AuditView(): JSX.Element {
  return (
    <Page
      title="Score card"
      intro="How your application keeps to the rules of banking-api audit. What you send from this page is not counted."
    >
      <ScoreCard />
    </Page>
  );
}

function ScoreCard(): JSX.Element {
  const audited = useControl<Audited>('/audit');
  const { scenarios = [] } = useControl<{ scenarios: readonly Scenario[] }>('/scenarios') ?? {};
  if (audited === null) return <p class="soft">The journal is being judged.</p>;
  const { rules, findings, callers, notes } = audited;
  const sorted = OUTCOMES.flatMap(([outcome, tone, words]) =>
    rules.filter((rule) => rule.outcome === outcome).map((rule) => ({ ...rule, tone, words })),
  );
  return (
    <>
      {audited.calls === 0 && <p>Use your application. Each rule says what it needs.</p>}
      <p class="line">
        {OUTCOMES.map(([outcome, tone, words]) => {
          const number = rules.filter((rule) => rule.outcome === outcome).length;
          return (
            <span key={outcome} class={number > 0 ? `chip ${tone}` : 'chip'}>
              {number} {words}
            </span>
          );
        })}
        <span class="soft">
          {callers.map(({ name, exchanges }) => `${name} (${count(exchanges, 'exchange')})`).join(', ')}
          {notes.map((note) => ` ${note}`)}
        </span>
      </p>
      <Table class="stacked" heads={['rule', 'outcome', 'evidence']}>
        {sorted.map(({ rule, outcome, tone, words, evidence }) => (
          <tr key={rule} class={tone === '' ? 'soft' : undefined}>
            <td>
              <code>{rule}</code>
            </td>
            <td>
              <span class={`chip ${tone}`}>{words}</span>
            </td>
            <td>
              {evidence}
              {(outcome === 'not-exercised' || outcome === 'undecided') && (
                <span class="line">
                  {scenarios
                    .filter(({ exercises }) => exercises.includes(rule))
                    .map(({ name, active }) => (
                      <Action
                        key={name}
                        act={() => change('POST', '/scenarios/active', { name })}
                        done={`${name} is active. Now use your application.`}
                        disabled={active}
                      >
                        Turn on {name}
                      </Action>
                    ))}
                </span>
              )}
              {findings
                .filter((finding) => finding.rule === rule)
                .map(({ fingerprint, severity, message, exchanges }) => (
                  <p key={fingerprint} class={severity === 'error' ? 'wrong' : 'soft'}>
                    {message}{' '}
                    {exchanges.slice(0, 5).map((seq) => (
                      <a key={seq} href={linkTo('exchange', seq)}>
                        #{seq}{' '}
                      </a>
                    ))}
                  </p>
                ))}
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}
