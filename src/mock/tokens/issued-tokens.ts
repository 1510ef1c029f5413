/** Facts about an issued token. The token's value is not stored. */
export interface TokenRecord {
  /** A UUID. */
  readonly jti: string;
  readonly client: string;
  readonly generation: number;
  /** Milliseconds since the epoch. */
  readonly issuedAt: number;
  /** Seconds since the epoch. */
  readonly exp: number;
}

/** Characters of a UUID. */
const UUID = 36;

/** The newest tokens. Their facts are kept as bytes, because collecting objects that live for a moment takes long. */
export class IssuedTokens {
  readonly #most: number;
  readonly #jtis: Buffer;
  readonly #clients: string[] = [];
  readonly #generations: Int32Array;
  readonly #issuedAt: Float64Array;
  readonly #exp: Float64Array;
  /** Number of tokens ever added. */
  count = 0;

  /** @param most number of tokens; the next one replaces the oldest */
  constructor(most: number) {
    this.#most = most;
    this.#jtis = Buffer.alloc(most * UUID);
    this.#generations = new Int32Array(most);
    this.#issuedAt = new Float64Array(most);
    this.#exp = new Float64Array(most);
  }

  add({ jti, client, generation, issuedAt, exp }: TokenRecord): void {
    const place = this.count % this.#most;
    this.#jtis.write(jti, place * UUID, 'latin1');
    this.#clients[place] = client;
    this.#generations[place] = generation;
    this.#issuedAt[place] = issuedAt;
    this.#exp[place] = exp;
    this.count += 1;
  }

  /** The last one first. */
  list(): TokenRecord[] {
    const length = Math.min(this.count, this.#most);
    return Array.from({ length }, (_, back) => this.#at((this.count - 1 - back) % this.#most));
  }

  find(jti: string): TokenRecord | undefined {
    const found = jti.length === UUID ? this.#jtis.indexOf(jti, 0, 'latin1') : -1;
    // elsewhere, it is a part of two jtis
    return found >= 0 && found % UUID === 0 ? this.#at(found / UUID) : undefined;
  }

  #at(place: number): TokenRecord {
    return {
      jti: this.#jtis.toString('latin1', place * UUID, (place + 1) * UUID),
      client: this.#clients[place] ?? '',
      generation: this.#generations[place] ?? 0,
      issuedAt: this.#issuedAt[place] ?? 0,
      exp: this.#exp[place] ?? 0,
    };
  }
}
