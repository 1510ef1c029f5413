import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { SearchField } from '../parts/inputs.tsx';
import { beside, useWalk } from '../parts/keys.ts';
import { Empty, Split } from '../parts/layout.tsx';
import { counted } from '../parts/words.ts';
import { go, linkTo, route } from '../route.ts';
import { operationById, operations } from '../served.ts';
import { OperationDetail } from './operation.tsx';

export function ReferenceView(): JSX.Element {
  const [, wanted] = route.value;
  const words = useSignal('');
  const chosen = operationById(wanted ?? null);
  const needles = words.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = operations.value.filter((one) => {
    const text = `${one.operationId} ${one.method} ${one.path} ${one.summary}`.toLowerCase();
    return needles.every((needle) => text.includes(needle));
  });
  useWalk({
    step(by) {
      const next = beside(found, chosen, by);
      if (next) go(['reference', next.operationId], { replace: chosen !== undefined });
    },
    close: wanted === undefined ? undefined : () => go(['reference']),
    list: '.list a',
  });
  return (
    <Split
      title="API reference"
      list={
        <>
          <search class="line filters">
            <SearchField words={words} label="Search operations" />
            <output class="soft">{counted(found.length, 'operation')}</output>
          </search>
          <nav class="scroll" aria-label="Operations of the contract">
            {[...Map.groupBy(found, ({ tag }) => tag)].map(([tag, its]) => (
              <section key={tag}>
                <h2 class="soft">{tag}</h2>
                {its.map((one) => (
                  <a
                    key={one.operationId}
                    class={`row marked ${one.provenance ?? ''}`}
                    href={linkTo('reference', one.operationId)}
                    aria-current={one === chosen ? 'page' : undefined}
                  >
                    <b class="method">{one.method}</b>
                    <span class="path">{one.summary}</span>
                    {one.deprecated && <span class="chip warning">deprecated</span>}
                  </a>
                ))}
              </section>
            ))}
            {found.length === 0 && <Empty title="No operation matches" />}
          </nav>
        </>
      }
      detail={
        wanted === undefined
          ? undefined
          : { label: wanted, back: linkTo('reference'), children: <OperationDetail operationId={wanted} /> }
      }
    />
  );
}
