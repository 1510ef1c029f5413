import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { plain } from '../../src/text/plain.ts';
import { joinPointer } from '../../src/text/pointer.ts';
import { count } from '../../src/text/words.ts';
import type { RequestProblem } from '../control.ts';

/** Number of lines in the first view, and added with each click. */
const MOST = 500;
/** Indentation of each level, in pixels. */
const INDENT = 18;

interface Line {
  /** Undefined for the closing line of an object or a list. */
  readonly pointer?: string;
  readonly depth: number;
  readonly name: string | undefined;
  readonly text: string;
  readonly type: string;
}

/** The lines of a value, broken like the output of `JSON.stringify`. */
function* linesOf(value: unknown, pointer = '', depth = 0, name?: string, comma = ''): Generator<Line> {
  const isList = Array.isArray(value);
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const at = { pointer, depth, name };
  if (members.length === 0) {
    const type = value === null ? 'null' : typeof value;
    yield { ...at, type, text: (JSON.stringify(value) ?? 'undefined') + comma };
    return;
  }
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  yield { ...at, type: 'object', text: open };
  for (const [index, [member, inner]] of members.entries()) {
    const end = index === members.length - 1 ? '' : ',';
    yield* linesOf(inner, joinPointer(pointer, member), depth + 1, isList ? undefined : member, end);
  }
  yield { depth, name: undefined, type: 'object', text: close + comma };
}

interface JsonProps {
  readonly value: unknown;
  readonly marks?: readonly RequestProblem[];
  /** The provenance of a place, by JSON pointer. */
  readonly provenance?: (pointer: string) => string | undefined;
}

export function JsonTree({ value, marks = [], provenance }: JsonProps): JSX.Element {
  const [most, show] = useState(MOST);
  const lines = [...linesOf(value)];
  const shown = lines.slice(0, most);
  const places = new Set(shown.map(({ pointer }) => pointer));
  return (
    <div class="json">
      {shown.map(({ pointer, depth, name, text, type }, index) => {
        const rests = pointer === undefined ? undefined : provenance?.(pointer);
        const wrong = marks.filter((one) => pointer !== undefined && one.pointer === pointer);
        return (
          <div
            key={index}
            class={`json-line${wrong.length > 0 ? ' is-wrong' : ''}${rests ? ` marked ${rests}` : ''}`}
            style={{ paddingLeft: `${INDENT * depth + 9}px` }}
            title={rests}
          >
            {name !== undefined && <span class="soft">{plain(JSON.stringify(name))}: </span>}
            <span class={`json-${type}`}>{plain(text)}</span>
            {wrong.map(({ message }) => (
              <em class="wrong-here" key={message}>
                {message}
              </em>
            ))}
          </div>
        );
      })}
      {lines.length > most && (
        <button type="button" onClick={() => show(most + MOST)}>
          {count(lines.length - most, 'more line')}
        </button>
      )}
      {marks.map(
        ({ pointer, message }) =>
          pointer !== undefined &&
          !places.has(pointer) && (
            <p class="wrong" key={pointer}>
              <code>{pointer || '(the body)'}</code> {message}
            </p>
          ),
      )}
    </div>
  );
}
