import type { Signal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';

/** A signal, or a part of one. */
export interface Bindable {
  value: string;
}

export function bound(text: Bindable) {
  return {
    value: text.value,
    onInput({ currentTarget }: { readonly currentTarget: { readonly value: string } }) {
      text.value = currentTarget.value;
    },
  };
}

interface SearchProps {
  readonly words: Signal<string>;
  readonly label: string;
  readonly placeholder?: string;
}

/** The key `/` focuses it. */
export function SearchField({ words, label, placeholder = label }: SearchProps): JSX.Element {
  return <input type="search" placeholder={placeholder} aria-label={label} {...bound(words)} />;
}

interface FieldProps {
  readonly text: Signal<string>;
  readonly label: string;
  readonly type?: 'text' | 'url' | 'number' | 'datetime-local';
  readonly min?: string;
  readonly placeholder?: string;
  readonly children?: ComponentChildren;
}

export function Field({ text, label, type = 'text', children, ...more }: FieldProps): JSX.Element {
  return (
    <label>
      {label}
      <input
        type={type as 'text'}
        size={type === 'url' ? 30 : 14}
        step={type === 'datetime-local' ? '1' : undefined}
        {...more}
        {...bound(text)}
      />
      {children}
    </label>
  );
}

interface TextProps {
  readonly text: Bindable;
  readonly rows: number;
  readonly label?: string;
}

export function Text({ text, rows, label }: TextProps): JSX.Element {
  return <textarea rows={rows} spellcheck={false} aria-label={label} {...bound(text)} />;
}

interface ChoiceProps {
  readonly chosen: Signal<string>;
  /** Values, each with a label if the value does not explain itself. */
  readonly of: readonly (string | readonly [value: string, words: string])[];
  readonly label?: string;
}

export function Choice({ chosen, of, label }: ChoiceProps): JSX.Element {
  return (
    <select aria-label={label} {...bound(chosen)}>
      {of.map((one) => {
        const [value, words] = typeof one === 'string' ? [one, one] : one;
        return (
          <option key={value} value={value}>
            {words}
          </option>
        );
      })}
    </select>
  );
}
