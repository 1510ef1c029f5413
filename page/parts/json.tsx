import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { plain } from '../../src/text/plain.ts';
import type { RequestProblem } from '../control.ts';
import { counted } from './words.ts';

/** Values of a body that are shown open at first; beyond them an object is folded. */
const OPEN = 400;
const MOST = 500;

interface JsonProps {
  readonly value: unknown;
  readonly marks?: readonly RequestProblem[];
  /** Words for a place, by JSON pointer, shown as its provenance. */
  readonly provenance?: (pointer: string) => string | undefined;
}

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
  const inside = [...context.byPointer.keys()].some((place) => place.startsWith(`${pointer}/`));
  // a folded part is made when it is opened first: a large body has more values than are ever looked at
  const isOpen = context.budget.left > 0 || inside || pointer === '';
  const [isMade, make] = useState(isOpen);
  const wrong = context.byPointer.get(pointer) ?? [];
  const rests = context.provenance?.(pointer);
  const key = name === undefined ? null : <span class="soft">{plain(JSON.stringify(name))}: </span>;
  const comma = isLast ? '' : ',';
  const said = wrong.map((message) => (
    <em class="wrong-here" key={message}>
      {message}
    </em>
  ));
  const classes = `json-line${wrong.length > 0 ? ' is-wrong' : ''}${rests ? ` marked ${rests}` : ''}`;
  const isList = Array.isArray(value);
  const isHolder = typeof value === 'object' && value !== null;
  const members = isHolder ? Object.entries(value) : [];
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (members.length === 0) {
    const text = isHolder ? open + close : (JSON.stringify(value) ?? 'undefined');
    return (
      <div class={classes} title={rests}>
        {key}
        <span class={`json-${value === null ? 'null' : typeof value}`}>{plain(text)}</span>
        {comma}
        {said}
      </div>
    );
  }
  return (
    <details
      class="json-node"
      open={isOpen}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) make(true);
      }}
    >
      <summary class={classes} title={rests}>
        {key}
        {open} <span class="soft">{counted(members.length, isList ? 'item' : 'member')}</span>
        {said}
      </summary>
      {isMade && (
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
    </details>
  );
}

interface MembersProps {
  readonly members: readonly (readonly [name: string, value: unknown])[];
  readonly isList: boolean;
  readonly pointer: string;
  readonly context: Context;
}

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
      {members.length > most && (
        <button type="button" class="link" onClick={() => show(most + MOST)}>
          show {Math.min(MOST, members.length - most)} of {members.length - most} more
        </button>
      )}
    </>
  );
}

function pointerOf(pointer: string, member: string): string {
  return `${pointer}/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`;
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
