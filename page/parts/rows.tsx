import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface RowsProps {
  /** How many rows there are. */
  readonly count: number;
  /** Pixels; each row has the same height. */
  readonly height: number;
  readonly label: string;
  /** Index of the selected row, which is kept in sight; -1 where none is. */
  readonly selected: number;
  /** Stays at the end while rows are added, until the reader scrolls away; `onFollow` is told of it. */
  readonly follow: boolean;
  readonly onFollow: (follow: boolean) => void;
  readonly row: (index: number) => ComponentChildren;
}

/** Rows beyond both edges of what is in sight. */
const SPARE = 10;

/** A list of any length of which only what is in sight is in the document. */
export function Rows({ count, height, label, selected, follow, onFollow, row }: RowsProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, size: 600 });

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setView((old) => ({ ...old, size: element.clientHeight })));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    if (follow && box.current) box.current.scrollTop = count * height;
  }, [follow, count, height]);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element || selected < 0) return;
    const top = selected * height;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + height > element.scrollTop + element.clientHeight)
      element.scrollTop = top + height - element.clientHeight;
  }, [selected, height]);

  const first = Math.max(0, Math.floor(view.top / height) - SPARE);
  const last = Math.min(count, Math.ceil((view.top + view.size) / height) + SPARE);
  return (
    <div
      ref={box}
      class="rows"
      role="listbox"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={selected >= first && selected < last ? `row-${selected}` : undefined}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        setView({ top: scrollTop, size: clientHeight });
        const atEnd = scrollHeight - scrollTop - clientHeight < height * 2;
        if (atEnd !== follow) onFollow(atEnd);
      }}
    >
      <div class="rows-space" style={{ height: `${count * height}px` }} role="presentation">
        <div class="rows-shown" style={{ transform: `translateY(${first * height}px)` }} role="presentation">
          {Array.from({ length: Math.max(0, last - first) }, (_, index) => row(first + index))}
        </div>
      </div>
    </div>
  );
}
