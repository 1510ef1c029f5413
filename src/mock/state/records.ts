import { jsonOf } from './json-of.ts';
import { type Packed, PackedTexts } from './packed-texts.ts';

/** A record, or a part of a record. Values are never changed in place: a change stores a new value. */
export type Value = Readonly<Record<string, unknown>>;

/** The kind of the counters. They count the records made per kind, and new ids derive from them. */
const COUNTERS = '#made';

/** The records every tenant starts with: shared, and never written to. */
export type StartRecords = Readonly<Record<string, ReadonlyMap<string, Value>>>;

/** A tenant's own record. `order` is the creation order within its kind. A null value marks a removed record. */
export interface Kept {
  readonly order: number;
  readonly value: Value | null;
}

export interface RecordChange extends Kept {
  readonly kind: string;
  readonly id: string;
}

/** Most created records of a kind per tenant. The oldest are dropped, so that load tests don't fill the memory. */
export const MOST_CREATED = 10_000;

/** Further created records are kept as bytes. Reading them takes longer, but they do not slow other requests. */
const MOST_OBJECTS = MOST_CREATED / 2;

/** When the next record of a kind is due, among the start records and the changed records. */
interface NextDue {
  readonly start: StartRecords;
  readonly timeOf: (value: Value) => number;
  next: number;
}

const NONE: ReadonlyMap<string, Kept> = new Map();
const NO_VALUES: ReadonlyMap<string, Value> = new Map();

/** The records of one tenant: its changes over the records that all tenants start with. */
export class TenantRecords {
  readonly #base: () => StartRecords;
  readonly #own = new Map<string, Map<string, Kept | Packed>>();
  readonly #packed = new PackedTexts();
  readonly #due = new Map<string, NextDue>();
  readonly #oldest = new Map<string, { readonly id: string; readonly ids: Iterator<string> }>();
  #order = 0;

  constructor(base: () => StartRecords) {
    this.#base = base;
  }

  get(kind: string, id: string): Value | undefined {
    const own = this.#unpacked(this.#own.get(kind)?.get(id));
    if (own) return own.value ?? undefined;
    return this.#base()[kind]?.get(id);
  }

  #unpacked(kept: Kept | Packed | undefined): Kept | undefined {
    if (typeof kept !== 'number') return kept;
    const text = this.#packed.unpack(kept);
    const end = text.indexOf('\n');
    return { order: Number(text.slice(0, end)), value: JSON.parse(text.slice(end)) as Value | null };
  }

  /** The first wanted record, with unsaved changes: of the seed's, then of created records, each in their order. */
  first(
    kind: string,
    isWanted: (value: Value) => boolean,
    changes: ReadonlyMap<string, Kept> = NONE,
  ): Value | undefined {
    const own: ReadonlyMap<string, Kept | Packed> = this.#own.get(kind) ?? NONE;
    const base: ReadonlyMap<string, Value> = this.#base()[kind] ?? NO_VALUES;
    for (const [id, value] of base) {
      const changed = changes.get(id) ?? this.#unpacked(own.get(id));
      const now = changed ? changed.value : value;
      if (now && isWanted(now)) return now;
    }
    for (const [id, kept] of own) {
      const value = (changes.get(id) ?? this.#unpacked(kept))?.value;
      if (value && !base.has(id) && isWanted(value)) return value;
    }
    for (const [id, { value }] of changes) if (value && !base.has(id) && !own.has(id) && isWanted(value)) return value;
    return undefined;
  }

  /** In the order of {@link first}. An iterator would take several times as long. */
  forEach(kind: string, use: (value: Value) => void, changes?: ReadonlyMap<string, Kept>): void {
    const useAndGoOn = (value: Value): boolean => {
      use(value);
      return false;
    };
    this.first(kind, useAndGoOn, changes);
  }

  /** A lower bound for the next due time of a kind. Cached, since every request reads it. */
  nextDue(kind: string, timeOf: NextDue['timeOf']): number {
    const start = this.#base();
    const known = this.#due.get(kind);
    if (known?.start === start && known.timeOf === timeOf) return known.next;
    let next = Number.POSITIVE_INFINITY;
    this.forEach(kind, (value) => {
      next = Math.min(next, timeOf(value));
    });
    this.#due.set(kind, { start, timeOf, next });
    return next;
  }

  /** Makes {@link nextDue} search again, because the cached record is no longer due. */
  forgetDue(kind: string): void {
    this.#due.delete(kind);
  }

  orderOf(kind: string, id: string): number | undefined {
    return this.#unpacked(this.#own.get(kind)?.get(id))?.order;
  }

  get lastOrder(): number {
    return this.#order;
  }

  /** @param changes new records in their order */
  apply(changes: readonly RecordChange[]): void {
    for (const change of changes) {
      const { kind, id, order, value } = change;
      const own = this.#own.get(kind) ?? new Map<string, Kept | Packed>();
      this.#own.set(kind, own);
      if (order > this.#order) this.#order = order;
      this.#noteDue(kind, value);
      const before = own.get(id);
      if (typeof before === 'number') this.#packed.drop(before);
      // a removed record needs an entry only if the seed contains it
      if (value === null && !this.#base()[kind]?.has(id)) own.delete(id);
      else own.set(id, this.#kept(change, before === undefined && own.size >= MOST_OBJECTS));
    }
  }

  #kept(change: RecordChange, isPacked: boolean): Kept | Packed {
    return (isPacked ? this.#packed.pack(`${change.order}\n${jsonOf(change.value)}`) : undefined) ?? change;
  }

  #noteDue(kind: string, value: Value | null): void {
    const due = this.#due.get(kind);
    if (due && value) due.next = Math.min(due.next, due.timeOf(value));
  }

  /** The oldest created record of a kind, if the kind has too many. */
  surplus(kind: string): string | undefined {
    const own = this.#own.get(kind);
    if (!own || own.size < MOST_CREATED) return undefined;
    const known = this.#oldest.get(kind);
    if (known && own.has(known.id)) return known.id;
    // Continues the last iteration: a new one would pass the places of all removed records.
    const ids = known?.ids ?? own.keys();
    for (let next = ids.next(); !next.done; next = ids.next()) {
      if (this.#base()[kind]?.has(next.value)) continue;
      this.#oldest.set(kind, { id: next.value, ids });
      return next.value;
    }
    this.#oldest.delete(kind);
    return undefined;
  }
}

/** A unit of work on a tenant's records. It sees its own changes, which are saved all together or not at all. */
export class Draft {
  readonly before: TenantRecords;
  #changes: Map<string, Map<string, RecordChange>> | undefined;
  #count = 0;

  constructor(records: TenantRecords) {
    this.before = records;
  }

  get untouched(): boolean {
    return this.#changes === undefined;
  }

  get changes(): readonly RecordChange[] {
    const all: RecordChange[] = [];
    for (const changes of this.#changes?.values() ?? []) for (const change of changes.values()) all.push(change);
    return all;
  }

  get(kind: string, id: string): Value | undefined {
    const change = this.#changes?.get(kind)?.get(id);
    return change ? (change.value ?? undefined) : this.before.get(kind, id);
  }

  list(kind: string): Value[] {
    const all: Value[] = [];
    this.before.forEach(kind, (value) => all.push(value), this.#changes?.get(kind));
    return all;
  }

  first(kind: string, isWanted: (value: Value) => boolean): Value | undefined {
    return this.before.first(kind, isWanted, this.#changes?.get(kind));
  }

  put(kind: string, id: string, value: Value): Value {
    this.#change(kind, id, value);
    return value;
  }

  remove(kind: string, id: string): void {
    this.#change(kind, id, null);
  }

  next(kind: string): number {
    const count = Number(this.get(COUNTERS, kind)?.count ?? 0) + 1;
    this.put(COUNTERS, kind, { count });
    const surplus = this.before.surplus(kind);
    if (surplus !== undefined) this.remove(kind, surplus);
    return count;
  }

  #change(kind: string, id: string, value: Value | null): void {
    this.#changes ??= new Map();
    const changes = this.#changes.get(kind) ?? new Map<string, RecordChange>();
    this.#changes.set(kind, changes);
    this.#count += 1;
    // a removed record has no place
    const before = value && (changes.get(id)?.order ?? this.before.orderOf(kind, id));
    const order = before ?? this.before.lastOrder + this.#count;
    changes.set(id, { kind, id, order, value });
  }
}
