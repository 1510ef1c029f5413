/** Initial size in bytes; the buffer grows as needed. */
const FIRST = 256 * 1024;
/** Most UTF-8 bytes per UTF-16 unit. */
const UNIT = 3;
const ABSENT = -1;

/** A text and two byte strings, each null if absent. */
export interface RingRecord {
  readonly text: string;
  readonly parts: readonly [Buffer | null, Buffer | null];
}

/**
 * The newest records, copied into one buffer. For a small request, the garbage collection of long-lived objects would
 * cost more than everything else; bytes cost nothing. The newest record is always kept.
 */
export class RecordRing {
  readonly #most: number;
  readonly #bytes: number;
  readonly #starts: Float64Array;
  readonly #lengths: readonly [text: Int32Array, one: Int32Array, other: Int32Array];
  #buffer = Buffer.alloc(0);
  #first = 0;
  #end = 0;
  /** Start of the next record. */
  #free = 0;

  /**
   * @param most number of records
   * @param bytes of all records together
   */
  constructor(most: number, bytes: number) {
    this.#most = most;
    this.#bytes = bytes;
    this.#starts = new Float64Array(most);
    this.#lengths = [new Int32Array(most), new Int32Array(most), new Int32Array(most)];
  }

  /** The number of the oldest kept record, from 0. */
  get first(): number {
    return this.#first;
  }

  /** The number of records ever pushed, which is the number of the next one. */
  get end(): number {
    return this.#end;
  }

  push(text: string, [one, other]: RingRecord['parts'] = [null, null]): void {
    if (this.#end - this.#first === this.#most) this.#first += 1;
    const parts = (one?.length ?? 0) + (other?.length ?? 0);
    const start = this.#roomFor(text.length * UNIT + parts);
    const written = this.#buffer.write(text, start);
    one?.copy(this.#buffer, start + written);
    other?.copy(this.#buffer, start + written + (one?.length ?? 0));
    const slot = this.#end % this.#most;
    const [texts, ones, others] = this.#lengths;
    this.#starts[slot] = start;
    texts[slot] = written;
    ones[slot] = one?.length ?? ABSENT;
    others[slot] = other?.length ?? ABSENT;
    this.#free = start + written + parts;
    this.#end += 1;
  }

  /** A copy of the record with this number; undefined if it is no longer kept. */
  at(number: number): RingRecord | undefined {
    if (number < this.#first || number >= this.#end) return undefined;
    const slot = number % this.#most;
    const [text = 0, one = 0, other = 0] = this.#lengths.map((lengths) => lengths[slot] ?? 0);
    let from = this.#starts[slot] ?? 0;
    const next = (length: number): Buffer | null => {
      if (length === ABSENT) return null;
      from += length;
      return Buffer.from(this.#buffer.subarray(from - length, from));
    };
    return { text: String(next(text)), parts: [next(one), next(other)] };
  }

  clear(): void {
    this.#first = this.#end;
    this.#free = 0;
  }

  /** A position with room for `size` bytes. Grows the buffer to its limit, then drops the oldest records. */
  #roomFor(size: number): number {
    for (;;) {
      const start = this.#gapOf(size);
      if (start !== undefined) return start;
      if (this.#buffer.length < this.#bytes || this.#first === this.#end) this.#grow(size);
      else this.#first += 1;
    }
  }

  #gapOf(size: number): number | undefined {
    if (this.#first === this.#end) return size <= this.#buffer.length ? 0 : undefined;
    const oldest = this.#starts[this.#first % this.#most] ?? 0;
    if (this.#free <= oldest) return this.#free + size <= oldest ? this.#free : undefined;
    if (this.#free + size <= this.#buffer.length) return this.#free;
    return size <= oldest ? 0 : undefined;
  }

  #grow(size: number): void {
    const records = Array.from({ length: this.#end - this.#first }, (_, index) => this.at(this.#first + index));
    const doubled = Math.min(2 * this.#buffer.length, this.#bytes);
    this.#buffer = Buffer.allocUnsafeSlow(Math.max(FIRST, doubled, this.#first === this.#end ? size : 0));
    this.#end = this.#first;
    this.#free = 0;
    for (const record of records) if (record) this.push(record.text, record.parts);
  }
}
