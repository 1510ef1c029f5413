/** What a target can be late with. */
type Late = 'connect-timeout' | 'first-byte-timeout';

/** The times that an exchange has, each for one thing that must happen in between. */
export class Timers {
  readonly #expire: (kind: Late) => void;
  readonly #running = new Map<Late, NodeJS.Timeout>();

  constructor(expire: (kind: Late) => void) {
    this.#expire = expire;
  }

  start(kind: Late, milliseconds: number): void {
    this.stop(kind);
    this.#running.set(
      kind,
      setTimeout(() => this.#expire(kind), milliseconds),
    );
  }

  stop(kind: Late): void {
    clearTimeout(this.#running.get(kind));
    this.#running.delete(kind);
  }

  clear(): void {
    for (const kind of [...this.#running.keys()]) this.stop(kind);
  }
}
