import { describe, expect, it } from 'vitest';
import type { Contract } from '../../src/contract/contract.ts';
import { loadContract } from '../../src/contract/load.ts';
import type { Json } from '../../src/schema/json.ts';
import { parsePointer } from '../../src/text/pointer.ts';
import { exists, pointersOf, readLedger } from './ledger-homes.ts';
import { partsOf } from './ledger-parts.ts';

const ledger = readLedger();
const exempt = new Set(ledger.exempt.map(({ part }) => part));

const contract = await loadContract();

describe('every statement of the reference has a home', () => {
  it('each row has a unique id, a section, a statement and a home', () => {
    expect(ledger.rows.length).toBeGreaterThan(140);
    expect(new Set(ledger.rows.map(({ id }) => id)).size).toBe(ledger.rows.length);
    for (const row of ledger.rows) {
      expect(row.section, row.id).toMatch(/\S/);
      expect(row.statement, row.id).toMatch(/\S/);
      expect(row.home, row.id).toBeInstanceOf(Array);
      expect(row.home.length, row.id).toBeGreaterThan(0);
      // a report names it
      if (row.home.some((home) => home.startsWith('check:'))) expect(row.about, row.id).toMatch(/^[\w ]{5,40}$/);
    }
  });

  it('each home exists', () => {
    const missing = ledger.rows.flatMap(({ id, home }) =>
      home.filter((one) => !exists(contract, one)).map((one) => `${id}: ${one}`),
    );
    expect(missing).toEqual([]);
  });

  it('a missing home is detected, for every kind of home', () => {
    const homes = [
      '#/components/schemas/Ledger',
      '#no-pointer',
      'op:getLedger',
      'op:getCard/x-since',
      'word:#/info/x-not-shown everything',
      'note:#/info',
      'check:no-such.check',
      'mock:no such promise',
      'elsewhere:x',
      '',
    ];
    expect(homes.filter((home) => exists(contract, home))).toEqual([]);
  });

  it('all numbered statements are in the ledger', () => {
    const sections = new Set(ledger.rows.map(({ section }) => section));
    const numbered = [...range('Authentication', 8), ...range('Behavioural rules', 2), ...range('Versioning', 3)];
    expect(numbered.filter((section) => !sections.has(section))).toEqual([]);
  });

  it('each exemption has a reason, and exempts something that exists', () => {
    const text = JSON.stringify(contract.document);
    for (const { part, why } of ledger.exempt) {
      expect(why).toMatch(/\S/);
      expect(text).toContain(`"${part}":`);
    }
  });
});

describe('the spec contains nothing beyond the reference', () => {
  it('each operation, field, parameter, response, constraint and extension is the home of a row', () => {
    expect(withoutRow(contract)).toEqual([]);
  });

  it.each([
    ['an operation', '/paths/~1new/get', {}],
    ['a name', '/components/pathItems/getNews', {}],
    ['a field', '/components/schemas/Card/properties/colour', {}],
    ['a constraint', '/components/schemas/Card/properties/token/minLength', 1],
    ['an extension', '/components/schemas/Card/properties/token/x-new', 1],
    ['a parameter', '/components/parameters/page', {}],
    ['a status', '/paths/~1iam~1oauth~1token/post/responses/400', {}],
    ['a notification', '/webhooks/card-lost', {}],
  ])('%s outside the reference is detected', (_what, pointer, value) => {
    const draft = structuredClone(contract.document) as Draft;
    set(draft, parsePointer(pointer) ?? [], value);
    expect(withoutRow({ ...contract, document: draft as Contract['document'] })).toContain(pointer);
  });

  it('each x-reference is a section of the ledger', () => {
    const sections = new Set(ledger.rows.map(({ section }) => section));
    const strange = [...referencesOf(contract.document)].filter((section) => !sections.has(section));
    expect(strange).toEqual([]);
  });
});

type Draft = { [key: string]: unknown };

function range(section: string, last: number): string[] {
  return Array.from({ length: last }, (_, index) => `${section} ${index + 1}`);
}

function withoutRow(subject: Contract): string[] {
  const homes = { exact: new Set<string>(), all: new Set<string>() };
  for (const home of ledger.rows.flatMap((row) => row.home)) {
    if (home.startsWith('note:') || home.startsWith('word:')) continue;
    for (const pointer of pointersOf(contract, home)) {
      homes.all.add(pointer);
      if (!home.includes('*')) homes.exact.add(pointer);
    }
  }
  return [...partsOf(subject, exempt)]
    .filter(({ pointer, named }) => !(named ? homes.exact : homes.all).has(pointer))
    .map(({ pointer }) => pointer);
}

function set(draft: Draft, path: readonly string[], value: unknown): void {
  let node = draft;
  for (const key of path.slice(0, -1)) {
    node[key] ??= {};
    node = node[key] as Draft;
  }
  node[path.at(-1) ?? ''] = value;
}

function* referencesOf(node: Json): Generator<string> {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, child] of Object.entries(node)) {
    if (key === 'x-reference') yield String(child);
    else yield* referencesOf(child as Json);
  }
}
