import { type Signal, signal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ControlError } from '../control.ts';
import { find } from '../surface.ts';

const notice: Signal<{ readonly text: string; readonly isBad: boolean; readonly at: number } | null> = signal(null);

export function say(text: string, isBad = false): void {
  const at = Date.now();
  notice.value = { text, isBad, at };
  setTimeout(
    () => {
      if (notice.value?.at === at) notice.value = null;
    },
    isBad ? 12_000 : 4_000,
  );
}

export function sayError(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  const hint =
    error instanceof ControlError && error.status === 403 ? ' Open the page by the address that the mock printed.' : '';
  say(text + hint, true);
}

export function StatusMessage(): JSX.Element {
  const shown = notice.value;
  return (
    <div class="notice-place" role="status" aria-live="polite">
      {shown && (
        <p class={shown.isBad ? 'notice line error' : 'notice line'}>
          {shown.text}{' '}
          <button type="button" class="quiet" aria-label="Close this message" onClick={() => (notice.value = null)}>
            ×
          </button>
        </p>
      )}
    </div>
  );
}

interface ActionProps {
  readonly act: () => unknown;
  readonly done?: string | undefined;
  readonly confirm?: string | undefined;
  readonly class?: string | undefined;
  readonly title?: string | undefined;
  readonly disabled?: boolean | undefined;
  readonly 'aria-describedby'?: string;
  readonly children: ComponentChildren;
}

export function Action({ act, done, confirm: question, disabled, children, ...more }: ActionProps): JSX.Element {
  const [isBusy, setBusy] = useState(false);
  const run = async (): Promise<void> => {
    if (isBusy) return;
    if (question !== undefined && !confirm(question)) return;
    setBusy(true);
    try {
      await act();
      if (done !== undefined) say(done);
    } catch (error) {
      sayError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    // a disabled button would lose the focus
    <button type="button" {...more} disabled={disabled} aria-disabled={isBusy} onClick={run}>
      {children}
    </button>
  );
}

interface CopyProps {
  readonly text: () => string | Promise<string>;
  readonly children: ComponentChildren;
  readonly what: string;
}

export function Copy({ text, children, what }: CopyProps): JSX.Element {
  return (
    <Action act={async () => copy(await text())} done={`Copied: ${what}`}>
      {children}
    </Action>
  );
}

export async function copy(text: string): Promise<void> {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  // pages of an address that is not loopback have no clipboard without TLS
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'off-screen';
  find('.shell')?.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (!isCopied) throw new Error('This browser lets the page copy nothing.');
}

export function save(name: string, type: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function StatusCode({ status }: { readonly status: number | null | undefined }): JSX.Element {
  const tone = status == null || status >= 500 ? 'error' : status >= 400 ? 'warning' : status >= 300 ? 'info' : 'good';
  return <span class={`chip code ${tone}`}>{status ?? 'cut'}</span>;
}

export const PROVENANCES: Readonly<Record<string, string>> = {
  documented: 'the reference states it',
  observed: 'a recording saw it',
  assumed: 'the mock made it up',
};

export function ProvenanceMark({ of }: { readonly of: string | undefined }): JSX.Element | null {
  return of === undefined ? null : (
    <span class={`provenance ${of}`} title={PROVENANCES[of]}>
      <i class="cell" />
      {of}
    </span>
  );
}
