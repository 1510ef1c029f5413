import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { plain } from '../../src/plain.ts';
import type { Wrong } from '../control.ts';

/** Values of a body that are shown open at first; beyond them an object is folded. */
const OPEN = 400;
/** Members of one object or list that are shown. */
const MOST = 500;

interface JsonProps {
  readonly value: unknown;
  /** Places with what is wrong with each, shown where they are. */
  readonly marks?: readonly Wrong[];
  /** Words for a place, by JSON pointer, shown as its provenance. */
  readonly provenance?: (pointer: string) => string | undefined;
}

/** JSON to read: text only, foldable, with what is wrong marked at its place. */
export function Json({ value, marks = [], provenance }: JsonProps): JSX.Element {
  const byPointer = new Map<string, string[]>();
  for (const { pointer, message } of marks) {
    if (pointer !== undefined) byPointer.set(pointer, [...(byPointer.get(pointer) ?? []), message]);
  }
  const missing = marks.filter(({ pointer }) => pointer !== undefined && !has(value, pointer));
  return (
    <div class="json">
      <Node value={value} pointer="" context={{ byPointer, budget: { left: OPEN }, provenance }} />
      {missing.map(({ pointer, message }) => (
        <p class="wrong" key={pointer}>
          <code>{pointer || '(the body)'}</code> {message}
        </p>
      ))}
    </div>
  );
}

interface Context {
  readonly byPointer: ReadonlyMap<string, readonly string[]>;
  readonly budget: { left: number };
  readonly provenance: ((pointer: string) => string | undefined) | undefined;
}

interface NodeProps {
  readonly value: unknown;
  readonly pointer: string;
  readonly context: Context;
  readonly name?: string;
  readonly isLast?: boolean;
}

function Node({ value, pointer, context, name, isLast = true }: NodeProps): JSX.Element {
  context.budget.left -= 1;
  const wrong = context.byPointer.get(pointer) ?? [];
  const rests = context.provenance?.(pointer);
  const key = name === undefined ? null : <span class="json-key">{plain(JSON.stringify(name))}: </span>;
  const comma = isLast ? '' : ',';
  const said = wrong.map((message) => (
    <em class="wrong-here" key={message}>
      {message}
    </em>
  ));
  const classes = `json-line${wrong.length > 0 ? ' is-wrong' : ''}${rests ? ` p-${rests}` : ''}`;
  if (typeof value !== 'object' || value === null) {
    return (
      <div class={classes} title={rests}>
        {key}
        <span class={`json-${value === null ? 'null' : typeof value}`}>
          {plain(JSON.stringify(value) ?? 'undefined')}
        </span>
        {comma}
        {said}
      </div>
    );
  }
  const isList = Array.isArray(value);
  const members = Object.entries(value);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (members.length === 0) {
    return (
      <div class={classes} title={rests}>
        {key}
        {open}
        {close}
        {comma}
        {said}
      </div>
    );
  }
  const inside = [...context.byPointer.keys()].some((place) => place.startsWith(`${pointer}/`));
  return (
    <Fold
      isOpen={context.budget.left > 0 || inside || pointer === ''}
      summary={
        <summary class={classes} title={rests}>
          {key}
          {open}
          <span class="json-count">
            {members.length}{' '}
            {isList ? (members.length === 1 ? 'item' : 'items') : members.length === 1 ? 'member' : 'members'}
          </span>
          {said}
        </summary>
      }
      inside={() => (
        <>
          <div class="json-inside">
            <Members members={members} isList={isList} pointer={pointer} context={context} />
          </div>
          <div class="json-line">
            {close}
            {comma}
          </div>
        </>
      )}
    />
  );
}

interface MembersProps {
  readonly members: readonly (readonly [name: string, value: unknown])[];
  readonly isList: boolean;
  readonly pointer: string;
  readonly context: Context;
}

/** The first of many, and more of them when they are asked for. What is wrong is there wherever it stands. */
function Members({ members, isList, pointer, context }: MembersProps): JSX.Element {
  const [most, show] = useState(MOST);
  const line = ([member, inner]: MembersProps['members'][number], index: number): JSX.Element => (
    <Node
      key={member}
      value={inner}
      pointer={pointerOf(pointer, member)}
      context={context}
      {...(!isList && { name: member })}
      isLast={index === members.length - 1}
    />
  );
  return (
    <>
      {members.slice(0, most).map(line)}
      {wrongBeyond(most, { members, isList, pointer, context }).map(([member, inner]) => (
        <div key={member}>
          <div class="json-line soft">… {pointerOf(pointer, member)}</div>
          {line([member, inner], -1)}
        </div>
      ))}
      {members.length > most && (
        <button type="button" class="link" onClick={() => show(most + MOST)}>
          show {Math.min(MOST, members.length - most)} of {members.length - most} more
        </button>
      )}
    </>
  );
}

/** Members in which something is wrong, of those that are not shown. */
function wrongBeyond(most: number, { members, pointer, context }: MembersProps): MembersProps['members'] {
  if (members.length <= most) return [];
  const start = `${pointer}/`;
  const wrong = new Set(
    [...context.byPointer.keys()].flatMap((place) =>
      place.startsWith(start) ? [place.slice(start.length).split('/')[0]] : [],
    ),
  );
  if (wrong.size === 0) return [];
  return members.slice(most).filter(([member]) => wrong.has(pointerOf('', member).slice(1)));
}

function pointerOf(pointer: string, member: string): string {
  return `${pointer}/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

interface FoldProps {
  /** At first. */
  readonly isOpen: boolean;
  readonly summary: JSX.Element;
  readonly inside: () => JSX.Element;
}

/** What is folded is made when it is opened first: a large body has more values than are ever looked at. */
function Fold({ isOpen, summary, inside }: FoldProps): JSX.Element {
  const [isMade, make] = useState(isOpen);
  return (
    <details
      class="json-node"
      open={isOpen}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) make(true);
      }}
    >
      {summary}
      {isMade && inside()}
    </details>
  );
}

function has(value: unknown, pointer: string): boolean {
  let at = value;
  for (const segment of pointer.split('/').slice(1)) {
    const key = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return false;
    at = (at as Record<string, unknown>)[key];
  }
  return true;
}
