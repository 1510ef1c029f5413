import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { readContractFolder } from '../../src/contract/read-folder.ts';
import { ToolError } from '../../src/errors.ts';
import { generateCode } from '../../src/generate/code.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { documentOf, FEATURES } from './features.ts';

type Node = Record<string, unknown>;

const VALUES: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 1e308, 2 ** 53, 'x', '', '__proto__', 'object', '(', [], {}, [null]],
  ...[{ $ref: '#' }, { $ref: '#/paths' }, { $ref: '#/nothing' }, { type: 'nope' }, { 'application/json': 1 }],
];
const KEYS = [
  ...['type', 'format', 'enum', 'const', 'pattern', 'minLength', 'minItems', 'minContains', 'multipleOf', 'required'],
  ...['items', 'prefixItems', 'properties', 'additionalProperties', 'allOf', 'not', 'if', 'unevaluatedProperties'],
  ...['$ref', '$id', '$dynamicRef', 'discriminator', 'xml', 'style', 'content', 'schema', 'headers', 'security'],
];
const STATUSES = ['100', '1XX', '2xx', '2XX', '204', '301', '999', 'abc', 'default'];

/** Numbers below a limit, the same at every run (a linear congruential generator). */
function chanceOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function nodesOf(value: unknown): Node[] {
  return typeof value === 'object' && value !== null ? [value as Node, ...Object.values(value).flatMap(nodesOf)] : [];
}

function mutated(document: object, seed: number): object {
  const chance = chanceOf(seed);
  const one = <T>(list: readonly T[]): T => list[chance(list.length)] as T;
  const copy = structuredClone(document);
  for (let left = 1 + chance(3); left > 0; left -= 1) {
    const node = one(nodesOf(copy));
    const key = one(Object.keys(node)) ?? 'x';
    const operation = nodesOf(copy).find(({ responses }) => responses !== null && typeof responses === 'object');
    const [response] = Object.values(operation?.responses ?? {});
    const changes = [
      () => delete node[key],
      () => Object.assign(node, { [key]: one(VALUES) }),
      () => Object.assign(node, { [one(KEYS)]: one(VALUES) }),
      () => operation && Object.assign(operation, { responses: { [one(STATUSES)]: response } }),
    ];
    one(changes)();
  }
  return copy;
}

test('no mutated document ends the mock or generate, or makes the mock answer 500', { timeout: 120_000 }, async () => {
  const dir = await temporaryFolder();
  await mkdir(join(dir, 'spec'));
  await writeFile(join(dir, 'contract.yaml'), 'contract: 1\nname: mutated\n');
  let loaded = 0;
  for (let seed = 1; seed <= 250; seed += 1) {
    const feature = FEATURES[seed % FEATURES.length];
    if (feature === undefined) continue;
    await writeFile(join(dir, 'spec/openapi.yaml'), JSON.stringify(mutated(documentOf(feature), seed * 7919)));
    const folder = await readContractFolder(dir);
    const contract = await loadContract({ folder }).catch((error: unknown) => {
      expect([seed, error]).toEqual([seed, expect.any(ToolError)]);
      return undefined;
    });
    if (contract === undefined) continue;
    loaded += 1;
    if (seed % 10 === 0) await generateCode(contract);
    await using mock = await startMock({ listen: false, folder, anyToken: true });
    for (const { method, path } of contract.operations) {
      const headers = { authorization: 'Bearer any', 'content-type': 'application/json' };
      const body = method === 'POST' ? { body: '{"value":{"a":"x","b":1}}' } : {};
      const init = { method: method ?? 'GET', headers, ...body };
      const { status } = await mock.fetch((path ?? '/').replaceAll(/\{[^}]*\}/g, '1'), init);
      expect([seed, status]).not.toEqual([seed, 500]);
    }
  }
  expect(loaded).toBeGreaterThan(200);
});
