export type Tone = 'error' | 'warning' | 'info' | 'good' | 'plain';

/** A part of a line. Each format escapes the texts. */
export type Inline =
  | string
  | { readonly code: string }
  | { readonly chip: string; readonly tone: Tone }
  | { readonly link: string; readonly to: string }
  | { readonly share: number; readonly of: number };

export type RichLine = Inline | readonly Inline[];

export interface BlockGroup {
  readonly kind: 'group';
  readonly title: RichLine;
  readonly tone?: Tone;
  readonly id?: string;
  readonly open?: boolean;
  readonly pageOnly?: boolean;
  readonly blocks: readonly Block[];
}

export interface TableBlock {
  readonly kind: 'table';
  readonly columns: readonly string[];
  readonly rows: readonly (readonly RichLine[])[];
}

export type Block =
  | BlockGroup
  | TableBlock
  | { readonly kind: 'text'; readonly line: RichLine; readonly tone?: Tone }
  | { readonly kind: 'list'; readonly items: readonly RichLine[] }
  | { readonly kind: 'pairs'; readonly pairs: readonly LabelledLine[] }
  | { readonly kind: 'command'; readonly command: string }
  /** Lines to paste into a YAML file. */
  | { readonly kind: 'yaml'; readonly lines: readonly string[] };

/** The page shows the first part of a long text, over its full width, and folds the rest. */
export type LabelledLine = readonly [label: string, line: RichLine, first?: string];

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly number?: number;
  readonly blocks: readonly Block[];
}

export const text = (...line: Inline[]): Block => ({ kind: 'text', line });

export const yaml = (lines: readonly string[]): Block => ({ kind: 'yaml', lines });

export const list = (items: readonly RichLine[]): Block[] => (items.length === 0 ? [] : [{ kind: 'list', items }]);

export const table = (columns: readonly string[], rows: TableBlock['rows']): Block[] =>
  rows.length === 0 ? [] : [{ kind: 'table', columns, rows }];

/** A table that only the page shows. */
export const pageTable = (
  title: string,
  columns: readonly string[],
  rows: TableBlock['rows'],
  open = false,
): BlockGroup => ({ kind: 'group', title, open, pageOnly: true, blocks: table(columns, rows) });

export const pairs = (all: readonly LabelledLine[]): Block => ({
  kind: 'pairs',
  pairs: all.filter(([, line]) => line !== ''),
});

export function inlines(line: RichLine): readonly Inline[] {
  return Array.isArray(line) ? (line as readonly Inline[]) : [line as Inline];
}

/** How a format writes each block. Each method returns whole lines. */
export interface Pen {
  readonly isPage: boolean;
  text(line: RichLine, depth: number, tone: Tone): string;
  pairs(pairs: readonly LabelledLine[], depth: number): string;
  command(command: string, depth: number): string;
  yaml(lines: readonly string[], depth: number): string;
  item(line: RichLine, depth: number): string;
  rows(table: TableBlock, depth: number): string[];
  list(items: string, depth: number): string;
  table(columns: readonly string[], rows: string, depth: number): string;
  group(group: BlockGroup, inner: string, depth: number): string;
  more(number: number, depth: number): string;
}

/** Remaining space of a report. It counts as full after the first piece that does not fit, to keep the order. */
export interface Room {
  take(piece: string): boolean;
}

export function createRoom(size: number, sizeOf: (piece: string) => number): Room {
  let left = size;
  let full = false;
  return {
    take(piece) {
      full ||= sizeOf(piece) > left;
      if (!full) left -= sizeOf(piece);
      return !full;
    },
  };
}

const ENDLESS: Room = { take: () => true };

export function writeAll(blocks: readonly Block[], pen: Pen, room: Room = ENDLESS): string {
  const { written, missing } = writeBlocks(blocks, pen, room, 0);
  return missing === 0 ? written : written + pen.more(missing, 0);
}

function writeBlocks(blocks: readonly Block[], pen: Pen, room: Room, depth: number) {
  let missing = 0;
  const ifFits = (piece: string): string => (room.take(piece) ? piece : '');
  const written = blocks.map((block): string => {
    switch (block.kind) {
      case 'group': {
        if (block.pageOnly && !pen.isPage) return '';
        const inner = writeBlocks(block.blocks, pen, holdsGroups(block) ? room : ENDLESS, depth + 1);
        missing += inner.missing;
        if (inner.written === '') return '';
        const piece = pen.group(block, inner.written, depth);
        if (holdsGroups(block) || room.take(piece)) return piece;
        missing += 1;
        return '';
      }
      case 'list':
        return fitting(
          block.items.map((item) => pen.item(item, depth)),
          (items) => pen.list(items, depth),
        );
      case 'table':
        return fitting(pen.rows(block, depth), (rows) => pen.table(block.columns, rows, depth));
      case 'text':
        return ifFits(pen.text(block.line, depth, block.tone ?? 'plain'));
      case 'pairs':
        return ifFits(pen.pairs(block.pairs, depth));
      case 'yaml':
        return ifFits(pen.yaml(block.lines, depth));
      default:
        return ifFits(pen.command(block.command, depth));
    }
  });
  return { written: written.join(''), missing };

  function fitting(pieces: readonly string[], whole: (pieces: string) => string): string {
    const shown = pieces.filter((piece) => room.take(piece));
    const left = pieces.length - shown.length;
    return (shown.length === 0 ? '' : whole(shown.join(''))) + (left === 0 ? '' : pen.more(left, depth));
  }
}

function holdsGroups({ blocks }: BlockGroup): boolean {
  return blocks.some(({ kind }) => kind === 'group');
}
