/** Bytes of a block. */
const BLOCK = 64 * 1024;
/** Bytes of the length before each text. */
const HEAD = 4;
/** UTF-16 units of the longest text that is packed, and the most UTF-8 bytes per unit. */
const LONGEST = 4096;
const UNIT = 3;
const MOST = HEAD + LONGEST * UNIT;

/** The place of a packed text: the number of its block, times the size of a block, plus the offset. */
export type Packed = number;

interface Block {
  readonly bytes: Buffer;
  kept: number;
}

/**
 * Texts as bytes outside the heap. Many objects that live for a second fill the old generation, and collecting it stops
 * the server. Bytes cost nothing.
 */
export class PackedTexts {
  readonly #blocks = new Map<number, Block>();
  /** Free blocks. Only a collection of the old generation would return their memory. */
  readonly #spare: Buffer[] = [];
  #next: Packed = 0;

  /** Undefined if the text is too long. */
  pack(text: string): Packed | undefined {
    if (text.length > LONGEST) return undefined;
    if (this.#next % BLOCK > BLOCK - MOST) this.#next += BLOCK - (this.#next % BLOCK);
    const [number, at] = placeOf(this.#next);
    const block = this.#blocks.get(number) ?? { bytes: this.#spare.pop() ?? Buffer.allocUnsafeSlow(BLOCK), kept: 0 };
    this.#blocks.set(number, block);
    const length = block.bytes.write(text, at + HEAD);
    block.bytes.writeUInt32LE(length, at);
    block.kept += 1;
    const packed = this.#next;
    this.#next += HEAD + length;
    return packed;
  }

  unpack(packed: Packed): string {
    const [number, at] = placeOf(packed);
    const { bytes } = this.#blocks.get(number) as Block;
    const start = at + HEAD;
    return bytes.toString('utf8', start, start + bytes.readUInt32LE(at));
  }

  /** Frees the room of a text, which can't be unpacked any more. */
  drop(packed: Packed): void {
    const [number] = placeOf(packed);
    const block = this.#blocks.get(number) as Block;
    block.kept -= 1;
    if (block.kept > 0) return;
    this.#blocks.delete(number);
    this.#spare.push(block.bytes);
    // the block may be the one in use
    if (number === placeOf(this.#next)[0]) this.#next = (number + 1) * BLOCK;
  }
}

function placeOf(packed: Packed): readonly [block: number, at: number] {
  const at = packed % BLOCK;
  return [(packed - at) / BLOCK, at];
}
