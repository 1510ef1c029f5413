import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Audited } from '../../src/audit/judge-caller.ts';
import { Empty } from '../parts/controls.tsx';
import { Check } from '../parts/inputs.tsx';
import { Table } from '../parts/table.tsx';
import { linkTo } from '../route.ts';
import { operations, type ServedOperation } from '../served.ts';
import { tenant } from '../tenants.ts';
import { fieldsByOperation, usage } from '../usage.ts';
import { useControl } from './load.ts';

const OUTCOMES = {
  kept: ['good', 'kept'],
  broken: ['error', 'broken'],
  'not-exercised': ['soft', 'not exercised'],
} as const;

/** What is broken first, and last what nothing was heard of. */
const ORDER = ['broken', 'kept', 'not-exercised'] as const;

/** What of the contract the application has used in this session, and how it keeps to its rules. */
export function CoverageView(): JSX.Element {
  const audited = useControl<Audited>('/audit').value.value;
  const isAll = useSignal(false);
  const all = operations.value;
  const used = all.filter(({ operationId }) => usage.value.has(operationId));
  const late = used.filter(({ deprecated }) => deprecated);
  const fields = [...fieldsByOperation.value.values()].flat();
  const usedFields = fields.filter(({ times }) => times > 0);
  return (
    <div class="page">
      <h1>Coverage</h1>
      <p>
        What your application has used since the journal began{tenant.value && ', of everyone'}. What you send from this
        page is not counted.
      </p>
      <div class="figures">
        <Figure of={used.length} all={all.length} what="operations" />
        <Figure of={usedFields.length} all={fields.length} what="fields" />
        <Figure
          of={late.length}
          all={all.filter(({ deprecated }) => deprecated).length}
          what="deprecated operations"
          isBad={late.length > 0}
        />
      </div>
      {late.length > 0 && (
        <section class="card pad" aria-label="Deprecated operations that are still called">
          <h2>Still called, though deprecated</h2>
          <ul class="where">
            {late.map(({ operationId }) => {
              const { calls = 0, last = 0 } = usage.value.get(operationId) ?? {};
              return (
                <li key={operationId}>
                  <a href={linkTo('reference', operationId)}>{operationId}</a>, {calls} {calls === 1 ? 'call' : 'calls'}
                  , the last is <a href={linkTo('exchange', last)}>exchange {last}</a>
                </li>
              );
            })}
          </ul>
        </section>
      )}
      <h2>Score card</h2>
      {audited === null ? (
        <p class="soft">The journal is being judged.</p>
      ) : audited.calls === 0 ? (
        <Empty title="Nothing to judge yet">
          <p>The rules are those of banking-api audit; each needs traffic of your application.</p>
        </Empty>
      ) : (
        <ScoreCard audited={audited} />
      )}
      <h2>Operations</h2>
      <p class="tools">
        <Check checked={isAll}>show those that were not used, too</Check>
      </p>
      <Table heads={['operation', 'calls', 'good', 'refused', 'fields used']}>
        {(isAll.value ? all : used).map((one) => (
          <Line key={one.operationId} operation={one} />
        ))}
      </Table>
    </div>
  );
}

function Figure({
  of,
  all,
  what,
  isBad,
}: {
  readonly of: number;
  readonly all: number;
  readonly what: string;
  readonly isBad?: boolean;
}): JSX.Element {
  return (
    <div class="card pad figure">
      <p class={isBad ? 'big is-bad' : 'big'}>
        {of} <small>of {all}</small>
      </p>
      <p class="soft">{what}</p>
    </div>
  );
}

function Line({ operation: { operationId, deprecated } }: { readonly operation: ServedOperation }): JSX.Element {
  const { calls, good, refused } = usage.value.get(operationId) ?? { calls: 0, good: 0, refused: 0 };
  const fields = fieldsByOperation.value.get(operationId) ?? [];
  return (
    <tr>
      <td>
        <a href={linkTo('provenance', operationId)}>{operationId}</a>
        {deprecated && <span class="rests deprecated">deprecated</span>}
      </td>
      <td>{calls}</td>
      <td>{good}</td>
      <td>{refused}</td>
      <td>{fields.length === 0 ? '–' : `${fields.filter(({ times }) => times > 0).length} of ${fields.length}`}</td>
    </tr>
  );
}

function ScoreCard({ audited: { rules, findings, callers, notes } }: { readonly audited: Audited }): JSX.Element {
  const byOutcome = ORDER.map((outcome) => [outcome, rules.filter((rule) => rule.outcome === outcome)] as const);
  return (
    <>
      <p class="facts scores">
        {byOutcome.map(([outcome, its]) => (
          <span key={outcome}>
            <b>{its.length}</b> <span class={`code ${OUTCOMES[outcome][0]}`}>{OUTCOMES[outcome][1]}</span>
          </span>
        ))}
      </p>
      <p class="soft">
        {callers
          .map(({ name, exchanges }) => `${name} (${exchanges} ${exchanges === 1 ? 'exchange' : 'exchanges'})`)
          .join(', ')}
        {notes.map((note) => ` ${note}`)}
      </p>
      <Table class="stacked rules" heads={['rule', 'outcome', 'evidence']}>
        {byOutcome
          .flatMap(([, its]) => its)
          .map(({ rule, outcome, evidence }) => (
            <tr key={rule} class={outcome === 'not-exercised' ? 'soft' : undefined}>
              <td>
                <code>{rule}</code>
              </td>
              <td>
                <span class={`code ${OUTCOMES[outcome][0]}`}>{OUTCOMES[outcome][1]}</span>
              </td>
              <td>
                {evidence}
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
