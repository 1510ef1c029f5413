/**
 * Writes the examples of the assumptions overlay from the seed. `x-mock-shows` names the operation or the kind of
 * record; `x-mock-with` adds fields to the answer.
 */
import { readFile } from 'node:fs/promises';
import { basename, dirname, relative } from 'node:path';
import { isScalar, parseDocument, stringify, visit } from 'yaml';
import { ownFolder } from '../../src/contract/folder.ts';
import { loadContract } from '../../src/contract/load.ts';
import type { Made } from '../../src/generate/files.ts';
import { compileKinds } from '../../src/mock/state/kinds.ts';
import { compileOperations } from '../../src/mock/state/operations.ts';
import { Draft, TenantRecords, type Value } from '../../src/mock/state/records.ts';
import { createInitialRecords } from '../../src/mock/tenant/initial-records.ts';
import { partsOfContract } from '../../src/mock/tenant/read-parts.ts';
import { packageRoot } from '../../src/package-root.ts';

interface Example {
  readonly 'x-mock-shows'?: string;
  readonly 'x-mock-when'?: Readonly<Record<string, string>>;
  readonly 'x-mock-with'?: Value;
  readonly value?: unknown;
}

const contract = await loadContract({ assumed: true });
const parts = await partsOfContract(contract);
const { entities, hooks, profile, seed } = parts;
const kinds = compileKinds(entities, hooks, 1);
const runs = compileOperations(entities, kinds, hooks, () => seed);
const now = Date.UTC(2026, 0, 1);
const base = createInitialRecords(seed, parts, { number: 1, now, profile }).base('');

export async function examples(): Promise<Made> {
  const text = await readFile(ownFolder.assumptions, 'utf8');
  const parts: string[] = [];
  let done = 0;
  visit(parseDocument(text), {
    Map(_, node) {
      const example = node.toJSON() as Example;
      const pair = node.items.find(({ key }) => isScalar(key) && key.value === 'value');
      if (!example['x-mock-shows'] || !isScalar(pair?.key) || !pair.key.range) return;
      const value = shownBy(example);
      if (JSON.stringify(value) === JSON.stringify(example.value)) return;
      const [from] = pair.key.range;
      const old = text.slice(from, (pair.value as { range?: number[] } | null)?.range?.[1] ?? from).trimEnd();
      const indent = ' '.repeat(from - text.lastIndexOf('\n', from) - 1);
      const written = stringify({ value }, { lineWidth: 0 }).trimEnd().replaceAll('\n', `\n${indent}`);
      parts.push(text.slice(done, from), written);
      done = from + old.length;
    },
  });
  const fresh = [...parts, text.slice(done)].join('');
  const folder = relative(packageRoot, dirname(ownFolder.assumptions));
  return { folder, files: { [basename(ownFolder.assumptions)]: fresh } };
}

/** The mock's first answer for the records that play a role. */
function shownBy({ 'x-mock-shows': shows = '', 'x-mock-when': when, 'x-mock-with': more }: Example): unknown {
  const parameters = { ...entities.file.roles?.parameters, ...when };
  const kind = kinds.get(shows);
  if (kind) return { ...kind.show(base[shows]?.get(parameters[kind.id] ?? '') ?? {}, profile, now), ...more };
  const draft = new Draft(new TenantRecords(() => base));
  const given = runs.get(shows)?.(draft, { tenant: '', parameters, query: '', body: undefined, now, profile });
  if (!given || !('shown' in given)) throw new Error(`${shows} shows nothing of the seed`);
  return given.shown;
}
