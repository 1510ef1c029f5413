import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { read } from '../control.ts';
import { sayError } from './controls.tsx';
import type { FieldSource } from './fields.ts';

interface Lines {
  readonly line: number;
  readonly from: number;
  readonly lines: readonly string[];
}

export function SourceLink({ source }: { readonly source: FieldSource | undefined }): JSX.Element | null {
  const shown = useSignal<Lines | null>(null);
  if (source === undefined) return null;
  const { file, line } = source;
  const name = line === undefined ? file : `${file}:${line}`;
  const toggle = async (): Promise<void> => {
    if (shown.value) {
      shown.value = null;
      return;
    }
    try {
      shown.value = await read<Lines>(
        `/source?file=${encodeURIComponent(file)}${line === undefined ? '' : `&line=${line}`}`,
      );
    } catch (error) {
      sayError(error);
    }
  };
  return (
    <>
      <button type="button" class="link" aria-expanded={shown.value !== null} onClick={toggle}>
        {name}
      </button>
      {shown.value && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
        <pre class="source card pad" tabIndex={0}>
          {shown.value.lines.map((text, index) => {
            const number = (shown.value?.from ?? 1) + index;
            return (
              <span key={number} class={number === line ? 'here' : undefined}>
                <i>{number}</i> {text}
                {'\n'}
              </span>
            );
          })}
        </pre>
      )}
    </>
  );
}
