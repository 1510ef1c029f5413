import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Contract } from '../../src/contract/contract.ts';
import { ownFolder } from '../../src/contract/folder.ts';
import { packageRoot } from '../../src/package-root.ts';
import { checksOf } from '../../src/run/checks.ts';
import type { Json } from '../../src/schema/json.ts';
import { joinPointer, parsePointer } from '../../src/text/pointer.ts';

/** One statement of the reference. */
export interface Row {
  readonly id: string;
  readonly about?: string;
  readonly section: string;
  readonly statement: string;
  readonly home: readonly string[];
}

export interface Ledger {
  readonly exempt: readonly { readonly part: string; readonly why: string }[];
  readonly rows: readonly Row[];
}

export function readLedger(): Ledger {
  return parse(readFileSync(join(packageRoot, 'spec', 'ledger.yaml'), 'utf8')) as Ledger;
}

/** The pointers of the bundle that a home refers to; empty if it refers to nothing. */
export function pointersOf(contract: Contract, home: string): string[] {
  const [kind, rest] = split(home);
  if (kind === '#') return expand(contract, rest);
  if (kind === 'op') {
    const [name = '', ...sub] = rest.split('/');
    const operations = contract.operations.filter(({ operationId }) => name === '*' || operationId === name);
    const suffix = sub.map((token) => `/${token}`).join('');
    return operations.flatMap(({ pointer }) => expand(contract, `${pointer}${suffix}`));
  }
  if (kind === 'note' || kind === 'word') return pointersOf(contract, rest.split(' ')[0] ?? '');
  return [];
}

/** Whether the home exists: the node, the word in its list, the text, the check, or the mock's test. */
export function exists(contract: Contract, home: string): boolean {
  const [kind, rest] = split(home);
  if (kind === 'check') return checkIds(contract).some((id) => fits(id, rest));
  if (kind === 'mock') return mockTestNames().some((name) => name.includes(rest));
  const nodes = pointersOf(contract, home).map((pointer) => contract.at(pointer));
  if (nodes.length === 0) return false;
  if (kind === 'note') return nodes.every((node) => typeof node === 'string');
  if (kind === 'word') return nodes.every((node) => Array.isArray(node) && node.includes(rest.split(' ')[1] ?? ''));
  return kind === '#' || kind === 'op';
}

function split(home: string): [kind: string, rest: string] {
  if (home.startsWith('#')) return ['#', home.slice(1)];
  const colon = home.indexOf(':');
  return [home.slice(0, Math.max(colon, 0)), home.slice(colon + 1)];
}

/** A `*` matches one segment. */
function expand(contract: Contract, pattern: string): string[] {
  let found: { pointer: string; node: Json }[] = [{ pointer: '', node: contract.document }];
  for (const token of parsePointer(pattern) ?? ['\0']) {
    found = found.flatMap(({ pointer, node }) => {
      if (typeof node !== 'object' || node === null) return [];
      return Object.entries(node)
        .filter(([key]) => token === '*' || key === token)
        .map(([key, child]) => ({ pointer: joinPointer(pointer, key), node: child as Json }));
    });
  }
  return found.map(({ pointer }) => pointer);
}

/** A `*` matches one part. */
function fits(id: string, pattern: string): boolean {
  const parts = pattern.split('.');
  return (
    id.split('.').length === parts.length && id.split('.').every((part, at) => ['*', part].includes(parts[at] ?? ''))
  );
}

/** Ids of the checks of a run, and of the checks in the contract's own files. */
function checkIds(contract: Contract): readonly string[] {
  const known = { contract, groups: ownFolder.facts, facts: {}, embedded: true, failing: {}, repeatReads: 1 };
  const listed = checksOf(known, () => true);
  const own = readdirSync(ownFolder.suite)
    .filter((name) => name.endsWith('.contract.ts'))
    .flatMap((name) => [...readFileSync(join(ownFolder.suite, name), 'utf8').matchAll(/\bcheck\('(.+?)'/g)]);
  return [...listed.map(({ id }) => id), ...own.map((match) => match[1] ?? '')];
}

let names: string[] | undefined;

function mockTestNames(): readonly string[] {
  names ??= files(join(packageRoot, 'test', 'mock'))
    .filter((file) => file.endsWith('.test.ts'))
    .flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(/\b(?:it|test|describe)(?:\.\w+(?:\([^()]*\))?)*\(\s*(['"`])(.*?)\1/gs),
    ])
    .map((match) => match[2] ?? '');
  return names;
}

function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}
