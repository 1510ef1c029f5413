import type { Change } from './change.ts';
import type { Answer } from './stand-in.ts';
import { type Body, SERVED_IDS, type Served } from './world.ts';

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
/** Findings of one operation, each written without it: `warning required-missing /id`. */
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
/** Assigns and gives nothing back. */
export const set =
  (...path: (string | number)[]) =>
  (value: unknown) =>
  (target: Body): void => {
    const at = path.slice(0, -1).reduce((node: Body, key) => node[key], target);
    at[path.at(-1) as string] = value;
  };
/** Changes that each set one value, with the finding at its place. */
export const values = (
  finding: string,
  operationId: Served,
  rows: readonly (readonly [name: string, pointer: string, value: unknown])[],
): Change[] =>
  rows.map(([name, pointer, value]) =>
    body(name, operationId, set(...pointer.split('/').slice(1))(value), `${finding} ${operationId} ${pointer}`),
  );
/** Changes that each take one recorded field away. */
export const gone = (operationId: Served, rows: readonly (readonly [name: string, pointer: string])[]): Change[] =>
  rows.map(([name, pointer]) => {
    const path = pointer.split('/').slice(1);
    const edit = (target: Body): void => {
      delete path.slice(0, -1).reduce((node: Body, key) => node[key], target)[path.at(-1) as string];
    };
    return body(name, operationId, edit, `warning required-missing ${operationId} ${pointer}`);
  });
const ITEMS: Readonly<Record<string, object>> = {
  accounts: { accountId: 'x', wireRoutingNumber: '1', ibanForSwift: 'x' },
  '': { id: 'x', visible: true },
};
/** Assigns to items of a list, which is not empty here: what is wrong in it must be there. */
export const items =
  (list: string, name: string, value: unknown, which: (index: number) => boolean = () => true) =>
  (target: Body): void => {
    const all: Body[] = list === '' ? target : target[list];
    if (all.length === 0) all.push({ ...ITEMS[list] });
    all.forEach((item, index) => {
      if (which(index)) item[name] = value;
    });
  };

/** A change of the good bodies of all operations that send one. */
export const everywhere = (name: string, edit: (body: Body) => unknown, ...finds: string[]): Change => ({
  name,
  body: Object.fromEntries(
    SERVED_IDS.map((id) => [id, (value: Body) => (value === undefined ? value : (edit(value) ?? value))]),
  ),
  finds,
});

/** Names of all fields of a body, written otherwise; keys of a map stay. */
export function renamed(value: unknown, by: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, by));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => [name.startsWith('acc-') ? name : by(name), renamed(child, by)]),
  );
}

const words = (name: string): string[] => name.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Ways to write a name of several words, beside the one that the world has. */
export const STYLES: Readonly<Record<string, (name: string) => string>> = {
  snake_case: (name) => words(name).join('_'),
  'kebab-case': (name) => words(name).join('-'),
  SNAKE_CASE: (name) => words(name).join('_').toUpperCase(),
  PascalCase: (name) => words(name).map(capital).join(''),
  lowercase: (name) => name.toLowerCase(),
  UPPERCASE: (name) => name.toUpperCase(),
};
