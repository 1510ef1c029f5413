import type { Signal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';

/** A field that is found by `/`. */
export function SearchField({
  words,
  label,
  placeholder = label,
}: {
  readonly words: Signal<string>;
  readonly label: string;
  readonly placeholder?: string;
}): JSX.Element {
  return (
    <input
      type="search"
      placeholder={placeholder}
      aria-label={label}
      value={words.value}
      onInput={({ currentTarget }) => {
        words.value = currentTarget.value;
      }}
    />
  );
}

interface FieldProps {
  readonly text: Signal<string>;
  /** What stands before it, as its name. */
  readonly label: string;
  readonly type?: 'text' | 'url' | 'number' | 'datetime-local';
  readonly min?: string;
  readonly placeholder?: string;
  /** What stands behind it. */
  readonly children?: ComponentChildren;
}

/** One line of text behind its name. */
export function Field({ text, label, type = 'text', min, placeholder, children }: FieldProps): JSX.Element {
  return (
    <label class="choice">
      {label}
      <input
        type={type as 'text'}
        class={type === 'number' ? 'short' : type === 'url' ? 'long' : undefined}
        min={min}
        step={type === 'datetime-local' ? '1' : undefined}
        placeholder={placeholder}
        value={text.value}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
        }}
      />
      {children}
    </label>
  );
}

/** JSON or YAML to be written. */
export function Text({
  text,
  rows,
  label,
}: {
  readonly text: Signal<string>;
  readonly rows: number;
  readonly label?: string;
}): JSX.Element {
  return (
    <textarea
      rows={rows}
      spellcheck={false}
      aria-label={label}
      value={text.value}
      onInput={({ currentTarget }) => {
        text.value = currentTarget.value;
      }}
    />
  );
}

/** One of some values; each with words where it does not speak for itself. */
export function Choice({
  chosen,
  of,
  label,
}: {
  readonly chosen: Signal<string>;
  readonly of: readonly (string | readonly [value: string, words: string])[];
  readonly label?: string;
}): JSX.Element {
  return (
    <select
      aria-label={label}
      value={chosen.value}
      onChange={({ currentTarget }) => {
        chosen.value = currentTarget.value;
      }}
    >
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

export function Check({
  checked,
  children,
}: {
  readonly checked: Signal<boolean>;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <label class="choice">
      <input
        type="checkbox"
        checked={checked.value}
        onChange={({ currentTarget }) => {
          checked.value = currentTarget.checked;
        }}
      />
      {children}
    </label>
  );
}
