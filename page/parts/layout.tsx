import { type ComponentChildren, Fragment, type JSX } from 'preact';

interface PageProps {
  readonly title: string;
  readonly intro: ComponentChildren;
  readonly children?: ComponentChildren;
}

export function Page({ title, intro, children }: PageProps): JSX.Element {
  return (
    <div class="page">
      <h1>{title}</h1>
      <p class="soft">{intro}</p>
      {children}
    </div>
  );
}

interface SplitProps {
  readonly title: string;
  readonly list: ComponentChildren;
  readonly detail?: { readonly label: string; readonly back: string; readonly children: ComponentChildren } | undefined;
}

export function Split({ title, list, detail }: SplitProps): JSX.Element {
  return (
    <div class={detail ? 'split is-open' : 'split'}>
      <h1 class="off-screen">{title}</h1>
      <section class="list" aria-label={title}>
        {list}
      </section>
      {detail && (
        <section class="detail" aria-label={detail.label}>
          <a class="back" href={detail.back}>
            Close
          </a>
          {detail.children}
        </section>
      )}
    </div>
  );
}

export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}): JSX.Element {
  return (
    <div class="empty soft">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

interface PairsProps {
  /** Pairs whose value is null, undefined or false are left out. */
  readonly of: readonly (readonly [name: ComponentChildren, value: ComponentChildren])[];
}

export function Pairs({ of }: PairsProps): JSX.Element {
  return (
    <dl class="pairs">
      {of.map(
        ([name, value], index) =>
          value != null &&
          value !== false && (
            <Fragment key={index}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ),
      )}
    </dl>
  );
}

interface TableProps {
  readonly heads: readonly ComponentChildren[];
  readonly class?: string;
  readonly children: ComponentChildren;
}

export function Table({ heads, class: classes, children }: TableProps): JSX.Element {
  return (
    <table class={classes}>
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
