import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

interface RowsProps {
  readonly count: number;
  /** Pixels; each row has the same height. */
  readonly height: number;
  readonly label: string;
  /** Index of the selected row, which is kept in sight; -1 where none is. */
  readonly selected: number;
  /** Stays at the end while rows are added, until the reader scrolls away; `onFollow` is told of it. */
  readonly follow: boolean;
  readonly onFollow: (follow: boolean) => void;
  /** `slot` is the key of a row: one that comes takes the place of one that went, and its elements. */
  readonly row: (index: number, slot: number) => ComponentChildren;
}

const SPARE = 2;

/** A list of any length of which only what is in sight is in the document. */
export function Rows({ count, height, label, selected, follow, onFollow, row }: RowsProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, size: 0 });

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    // a list that is hidden keeps the size that it had
    const measure = (): void =>
      setView((old) => {
        const { clientHeight: size, scrollTop: top } = element;
        return size === 0 || size === old.size ? old : { top, size };
      });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    // once all that changed together is in the document, so that it is laid out once
    queueMicrotask(() => {
      if (follow && box.current) box.current.scrollTop = count * height;
    });
  }, [follow, count, height, view.size]);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element || selected < 0) return;
    const top = selected * height;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + height > element.scrollTop + element.clientHeight)
      element.scrollTop = top + height - element.clientHeight;
  }, [selected, height]);

  // where the list will stand once it is laid out, so that it is drawn there at once and not again after it has scrolled
  const end = Math.max(0, count * height - view.size);
  const top = follow ? end : Math.min(view.top, end);
  const first = Math.max(0, Math.floor(top / height) - SPARE);
  const most = Math.ceil(view.size / height) + 1 + 2 * SPARE;
  const last = Math.min(count, first + most);
  return (
    <div
      ref={box}
      class="rows"
      hidden={count === 0}
      role="listbox"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={selected >= first && selected < last ? `row-${selected % most}` : undefined}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        const atEnd = scrollHeight - scrollTop - clientHeight < height * 2;
        // what follows stands at the end, wherever that is, and less than a row changes nothing of what is drawn
        if (!(follow && atEnd))
          setView((old) => (Math.abs(old.top - scrollTop) < height ? old : { top: scrollTop, size: clientHeight }));
        if (atEnd !== follow) onFollow(atEnd);
      }}
    >
      <div class="rows-space" style={{ height: `${count * height}px` }} role="presentation">
        <div class="rows-shown" style={{ transform: `translateY(${first * height}px)` }} role="presentation">
          {Array.from({ length: Math.max(0, last - first) }, (_, index) => row(first + index, (first + index) % most))}
        </div>
      </div>
    </div>
  );
}
