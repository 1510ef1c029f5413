import type { Change } from './change.ts';
import type { Answer } from './stand-in.ts';
import { answerOf, type Body, randomFrom, SERVED_IDS, type Served } from './world.ts';

/** A change of the body of one operation. */
export const body = (name: string, operationId: Served, edit: (body: Body) => unknown, ...finds: string[]): Change => ({
  name,
  body: {
    [operationId]: (value: Body) => {
      const result = edit(value);
      return result === undefined || typeof result !== 'object' ? value : result;
    },
  },
  finds,
});
/** Findings of one operation, written without its id: `warning required-missing /id`. */
export const ofOperation = (operationId: Served | 'getToken', finds: readonly string[]): string[] =>
  finds.map((find) => find.replace(/^(\S+ \S+) ?/, `$1 ${operationId} `));
const byOperation = <T>(make: (operationId: Served) => T): Readonly<Record<Served, T>> =>
  Object.fromEntries(SERVED_IDS.map((id) => [id, make(id)])) as Record<Served, T>;
/** {@link body} of each operation, with findings of that operation. */
export const bodyOf = byOperation(
  (id) =>
    (name: string, edit: (body: Body) => unknown, ...finds: string[]): Change =>
      body(name, id, edit, ...ofOperation(id, finds)),
);
/** Another answer of each operation, with findings of that operation. */
export const answering = byOperation(
  (id) =>
    (name: string, answer: Answer, ...finds: string[]): Change => ({
      name,
      answer: { [id]: answer },
      finds: ofOperation(id, finds),
    }),
);
/** Items for empty lists, by the pointer of the list: a mistake in an item needs an item. */
const ITEMS: Readonly<Record<string, () => Body>> = {
  '': () => ({ id: 'x', visible: true }),
  '/accounts': () => ({ accountId: 'x', wireRoutingNumber: '1', ibanForSwift: 'x' }),
  '/cards': () => answerOf('getCard', randomFrom(1)),
};
/** Applies an edit to the last name of a pointer in each object on its path; `*` means every list item. */
const at =
  (pointer: string, edit: (holder: Body, name: string) => void) =>
  (target: Body): void => {
    const steps = pointer.split('/').slice(1);
    const name = steps.pop() ?? '';
    let place = '';
    let holders: Body[] = [target];
    for (const step of steps) {
      for (const list of holders) if (Array.isArray(list) && list.length === 0) list.push(ITEMS[place]?.());
      holders = holders.flatMap((holder) => (step === '*' ? holder : [holder[step]]));
      place += `/${step}`;
    }
    for (const holder of holders) edit(holder, name);
  };
export const set = (pointer: string, value: unknown): ((target: Body) => void) =>
  at(pointer, (holder, name) => {
    holder[name] = value;
  });
export const drop = (pointer: string): ((target: Body) => void) =>
  at(pointer, (holder, name) => {
    delete holder[name];
  });
/** Renames a field, if it exists. */
export const rename = (pointer: string, to: string): ((target: Body) => void) =>
  at(pointer, (holder, name) => {
    if (!Object.hasOwn(holder, name)) return;
    holder[to] = holder[name];
    delete holder[name];
  });
/** Changes of one body each, at the place `at`: `getCard /id`, or `getCard` for the whole body. */
export const edits = (
  finding: string,
  rows: readonly (readonly [name: string, at: string, edit: (body: Body) => unknown])[],
): Change[] =>
  rows.map(([name, found, edit]) => {
    const [operationId, place = ''] = found.split(' ') as [Served, string?];
    return body(name, operationId, edit, `${finding} ${operationId} ${place}`);
  });
/** Changes of one value each, found at its own place by default. */
export const values = (
  finding: string,
  rows: readonly (readonly [name: string, at: string, value: unknown, place?: string])[],
): Change[] =>
  edits(
    finding,
    rows.map(([name, found, value, place]) => {
      const [operationId, pointer = ''] = found.split(' ');
      return [name, `${operationId} ${place ?? pointer}`, set(pointer, value)];
    }),
  );
/** Changes that each remove one recorded field. */
export const gone = (rows: readonly (readonly [name: string, at: string])[]): Change[] =>
  edits(
    'warning required-missing',
    rows.map(([name, found]) => [name, found, drop(found.split(' ')[1] ?? '')]),
  );

/** A change of the good bodies of all operations that send a body. */
export const everywhere = (name: string, edit: (body: Body) => unknown, ...finds: string[]): Change => ({
  name,
  body: Object.fromEntries(
    SERVED_IDS.map((id) => [id, (value: Body) => (value === undefined ? value : (edit(value) ?? value))]),
  ),
  finds,
});

/** Rewrites all field names of a body; keys of maps stay. */
export function renamed(value: unknown, by: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, by));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => [name.startsWith('acc-') ? name : by(name), renamed(child, by)]),
  );
}

const words = (name: string): string[] => name.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Styles for names of several words, except the stand-in's own style. */
export const STYLES: Readonly<Record<string, (name: string) => string>> = {
  snake_case: (name) => words(name).join('_'),
  'kebab-case': (name) => words(name).join('-'),
  SNAKE_CASE: (name) => words(name).join('_').toUpperCase(),
  PascalCase: (name) => words(name).map(capital).join(''),
  lowercase: (name) => name.toLowerCase(),
  UPPERCASE: (name) => name.toUpperCase(),
};
