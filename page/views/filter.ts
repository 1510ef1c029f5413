import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { createReading, exchanges, type Kind, newest, revision, type Shown } from '../exchanges.ts';
import { isOf, tenant, tenants } from '../tenants.ts';

/** What is looked for in the journal. */
export const words: Signal<string> = signal('');
export const status: Signal<string> = signal('');
export const operation: Signal<string> = signal('');
/** The exchange after which nothing is shown while the list is paused, in the order in which they ended; null while it is not. */
export const pausedAt: Signal<number | null> = signal(null);

export const STATUSES = [
  ['', 'any status'],
  ['2xx', '2xx'],
  ['3xx', '3xx'],
  ['4xx', '4xx'],
  ['401', '401'],
  ['5xx', '5xx'],
  ['cut', 'no answer'],
] as const;

interface Filter {
  readonly needles: readonly string[];
  readonly status: string;
  readonly operation: string;
  readonly tenant: string;
  readonly last: number | null;
  /** Changes where the contract says otherwise whose an exchange was. */
  readonly tenants: readonly string[];
}

export interface Found {
  readonly shown: readonly Shown[];
}

const unread = createReading();
let before: Filter | undefined;
let found: Shown[] = [];

/** The exchanges that the filters let through. A filter that lets through less looks at what is shown only, a new exchange at nothing else. */
export const matching: ReadonlySignal<Found> = computed(() => {
  revision.value;
  const filter: Filter = {
    needles: words.value.toLowerCase().split(/\s+/).filter(Boolean),
    status: status.value,
    operation: operation.value,
    tenant: tenant.value,
    last: pausedAt.value,
    tenants: tenant.value === '' ? [] : tenants.value,
  };
  const isNarrower = before !== undefined && narrows(filter, before);
  const isSame = isNarrower && before !== undefined && narrows(before, filter);
  before = filter;
  const holds = holder(filter);
  const came = unread(!isNarrower, () => {
    found = [];
  });
  const oldest = exchanges()[0]?.order ?? newest();
  const gone = found.findIndex(({ order }) => order >= oldest);
  if (gone !== 0 && found.length > 0) found.splice(0, gone < 0 ? found.length : gone);
  if (!isSame) found = found.filter(holds);
  for (const shown of came) if (holds(shown)) found.push(shown);
  return { shown: found };
});

/** How many came since the list was paused. */
export function waiting(): number {
  const last = pausedAt.value;
  return last === null ? 0 : newest() - last;
}

/** Index of an exchange in what is shown; -1 where it is not there. */
export function indexOf({ shown }: Found, { order }: Shown): number {
  let [from, to] = [0, shown.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((shown[middle]?.order ?? 0) < order) from = middle + 1;
    else to = middle;
  }
  return shown[from]?.order === order ? from : -1;
}

/** Whether a filter lets through nothing that another does not. */
function narrows(filter: Filter, other: Filter): boolean {
  return (
    other.needles.every((needle) => filter.needles.some((one) => one.includes(needle))) &&
    (other.status === '' || other.status === filter.status) &&
    (other.operation === '' || other.operation === filter.operation) &&
    (other.tenant === '' || (other.tenant === filter.tenant && other.tenants === filter.tenants)) &&
    (other.last === null || (filter.last !== null && filter.last <= other.last))
  );
}

function holder(filter: Filter): (shown: Shown) => boolean {
  const { tenant: whose, last } = filter;
  const left = leftOver(filter);
  return (shown) => {
    const { order, kind, number } = shown;
    if (last !== null && order > last) return false;
    const needles = left(kind);
    if (needles === null) return false;
    for (const needle of needles) if (!number.includes(needle)) return false;
    return whose === '' || isOf(whose, shown);
  };
}

/** What of the words is still to be looked for in the number of an exchange; null where nothing of its kind is let through. Looked for once. */
function leftOver({ needles, status: wanted, operation: only }: Filter): (kind: Kind) => readonly string[] | null {
  const [least, most] = rangeOf(wanted);
  const known = new Map<Kind, readonly string[] | null>();
  return (kind) => {
    const before = known.get(kind);
    if (before !== undefined) return before;
    const isMeant = kind.status >= least && kind.status <= most && (only === '' || kind.operationId === only);
    const left = isMeant ? needles.filter((needle) => !kind.haystack.includes(needle)) : null;
    const found = left?.every((needle) => /^#?\d*$/.test(needle)) ? left : null;
    known.set(kind, found);
    return found;
  };
}

/** Least and greatest status of a choice; no answer counts as 0. */
function rangeOf(wanted: string): readonly [least: number, most: number] {
  if (wanted === '') return [0, Number.POSITIVE_INFINITY];
  if (wanted === 'cut') return [0, 0];
  const first = Number(wanted.replace('xx', '00'));
  return [first, wanted.endsWith('xx') ? first + 99 : first];
}
