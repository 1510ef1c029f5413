import type { ComponentChildren, JSX } from 'preact';

interface TableProps {
  readonly heads: readonly ComponentChildren[];
  readonly class?: string;
  /** The rows. */
  readonly children: ComponentChildren;
}

/** Rows under heads. */
export function Table({ heads, class: classes = '', children }: TableProps): JSX.Element {
  return (
    <table class={`grid ${classes}`}>
      <thead>
        <tr>
          {heads.map((head, index) => (
            <th key={index} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
